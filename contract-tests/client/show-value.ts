import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';

/** The longest text that is shown completely, and how much of a longer text is shown around a difference, in characters. */
const [LONGEST, AROUND] = [60, 20];

type Json = ExactJson | undefined;

export function showValue(value: Json): string {
  return value === undefined ? 'nothing' : printExactJson(value);
}

/** Prints two different values: the different part of long texts, and the code points of texts that look alike. */
export function showDifference(first: Json, second: Json, hide: (text: string) => string): [string, string] {
  if (typeof first !== 'string' || typeof second !== 'string') return [showValue(first), showValue(second)];
  const [one, other] = [hide(first), hide(second)];
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const isLong = Math.max(one.length, other.length) > LONGEST;
  const isAlike = fold(one) === fold(other);
  const show = (text: string) => {
    const shown = isLong ? showPart(text, place) : showValue(text);
    return isAlike ? `${shown} (${listCodePoints(text.slice(place, place + AROUND))})` : shown;
  };
  return [show(one), show(other)];
}

function showPart(text: string, place: number): string {
  const [start, end] = [Math.max(0, place - AROUND), place + AROUND];
  const part = showValue(text.slice(start, end).toWellFormed());
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  return `${before}${part}${after} (${text.length} characters, from ${start + 1} on)`;
}

/** Removes spaces, composition and invisible characters. */
function fold(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
}

function listCodePoints(text: string): string {
  const points = [...text].slice(0, 4).map((point) => {
    const code = point.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return points.join(' ') || 'nothing more';
}
