import { type ExactJson, readExactJson } from '../../common/json/exact-json.ts';
import type { JsonText } from '../failures/failure.ts';

/** The longest text that is shown completely, in characters. */
const LONGEST = 60;

/** How much of a longer text is shown on each side of a difference, in characters. */
const AROUND = 20;

/** How many code points of a text that looks like another are shown. */
const MOST_CODE_POINTS = 4;

type Json = JsonText | undefined;

/** Prints two different values: the different part of long texts, and the code points of texts that look alike. */
export function showDifference(first: Json, second: Json): [string, string] {
  const [one, other] = [readText(first), readText(second)];
  const [shown, otherShown] = showValues(first, second);
  if (typeof one !== 'string' || typeof other !== 'string' || fold(one) !== fold(other))
    return [shown, otherShown];
  const place = findPlace(one, other);
  const points = [one, other].map((text) => listCodePoints(text.slice(place, place + AROUND)));
  return [`${shown} (${points[0]})`, `${otherShown} (${points[1]})`];
}

/** Prints two different values, or the different part of long texts. */
export function showValues(first: Json, second: Json): [string, string] {
  const [one, other] = [readText(first), readText(second)];
  if (typeof one !== 'string' || typeof other !== 'string') return [first ?? 'nothing', second ?? 'nothing'];
  const place = findPlace(one, other);
  const isLong = Math.max(one.length, other.length) > LONGEST;
  const show = (text: string) => (isLong ? showPart(text, place) : JSON.stringify(text));
  return [show(one), show(other)];
}

/** Returns where two texts begin to differ. */
function findPlace(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  return place;
}

/** A text may be no JSON any more where a key in it was redacted. */
function readText(text: JsonText | undefined): ExactJson | undefined {
  return text === undefined ? undefined : readExactJson(text);
}

function showPart(text: string, place: number): string {
  const start = Math.max(0, place - AROUND);
  const end = place + AROUND;
  const part = JSON.stringify(text.slice(start, end).toWellFormed());
  const before = start > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';
  return `${before}${part}${after} (${text.length} characters, from ${start + 1} on)`;
}

/** Removes spaces, composition and invisible characters. */
function fold(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
}

function listCodePoints(text: string): string {
  const points = [...text].slice(0, MOST_CODE_POINTS).map((point) => {
    const code = point.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return points.join(' ') || 'nothing more';
}
