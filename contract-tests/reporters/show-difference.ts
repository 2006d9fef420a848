import { type ExactJson, parseExactJson } from '../../common/json/exact-json.ts';
import type { JsonText } from '../failures/failure.ts';

/** The longest text that is shown completely, in characters. */
const LONGEST = 60;

/** How much of a longer text is shown on each side of a difference, in characters. */
const AROUND = 20;

/** How many code points of a text that looks like another are shown. */
const MOST_CODE_POINTS = 4;

/** Prints two different values: the different part of long texts, and the code points of texts that look alike. */
export function showDifference(first: JsonText | undefined, second: JsonText | undefined): [string, string] {
  const [one, other] = [first, second].map(readText);
  if (typeof one !== 'string' || typeof other !== 'string') return [first ?? 'nothing', second ?? 'nothing'];
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const isLong = Math.max(one.length, other.length) > LONGEST;
  const isAlike = fold(one) === fold(other);
  const show = (text: string) => {
    const shown = isLong ? showPart(text, place) : JSON.stringify(text);
    return isAlike ? `${shown} (${listCodePoints(text.slice(place, place + AROUND))})` : shown;
  };
  return [show(one), show(other)];
}

/** A text may be no JSON any more where a key in it was redacted. */
function readText(text: JsonText | undefined): ExactJson | undefined {
  try {
    return text === undefined ? undefined : parseExactJson(text);
  } catch {
    return undefined;
  }
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
