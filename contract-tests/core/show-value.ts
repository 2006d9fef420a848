import { type ExactJson, printExactJson } from '../../common/exact-json.ts';

/** The longest text of which all is shown beside another, in characters, and how much is shown where longer ones part. */
const [LONGEST, AROUND] = [60, 20];

/** Prints a JSON value for a message. */
export function showValue(value: ExactJson | undefined): string {
  return value === undefined ? 'nothing' : printExactJson(value);
}

/**
 * Prints two values that differ so that the eye finds where: long texts around the place, and letters that look alike by their
 * code points.
 *
 * @param hide hides keys, before texts are cut.
 */
export function showDifference(
  first: ExactJson | undefined,
  second: ExactJson | undefined,
  hide: (text: string) => string,
): [string, string] {
  if (typeof first !== 'string' || typeof second !== 'string') return [showValue(first), showValue(second)];
  const [one, other] = [hide(first), hide(second)];
  const place = findParting(one, other);
  const isLong = Math.max(one.length, other.length) > LONGEST;
  const show = (text: string) => {
    if (!isLong) return showValue(text);
    const [start, end] = [Math.max(0, place - AROUND), place + AROUND];
    const part = showValue(text.slice(start, end).toWellFormed());
    const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
    return `${before}${part}${after} (${text.length} characters, from ${start + 1} on)`;
  };
  const codes = (text: string) => (looksAlike(one, other) ? ` (${listCodePoints(text, place)})` : '');
  return [show(one) + codes(one), show(other) + codes(other)];
}

/** Where two texts part: the index of the first letter that differs. */
function findParting(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

/** Whether two texts are the same but for spaces, composition, or what cannot be seen. */
function looksAlike(one: string, other: string): boolean {
  const fold = (text: string) =>
    text.normalize('NFKC').replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
  return fold(one) === fold(other);
}

/** The first code points from a place on, as U+00E9. */
function listCodePoints(text: string, place: number): string {
  const points = [...text.slice(place, place + AROUND)].slice(0, 4);
  if (points.length === 0) return 'nothing more';
  return points
    .map((point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
