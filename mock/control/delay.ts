import type { ValueKind } from '../../common/value-kinds.ts';

/** How long: milliseconds, from some to others evenly as in `'50-200'`, or log-normal about a median. */
export type Delay = number | string | { readonly median: number; readonly sigma: number };

/** The longest delay, in milliseconds. */
export const LONGEST_DELAY = 600_000;

/** A delay as a text or a number of milliseconds. */
export const delayText: ValueKind<string | number> = {
  expected: `milliseconds up to ${LONGEST_DELAY}, such as 200, or 50-200 for any from 50 to 200`,
  isValid: (value): value is string | number => readRange(value) !== undefined,
};

/** A delay of any kind. */
export const delayKind: ValueKind<Delay> = {
  expected: `${delayText.expected}, or { median, sigma } for a log-normal one`,
  isValid: (value): value is Delay => delayText.isValid(value) || isLogNormal(value),
};

/** Picks a time, in milliseconds. @param random gives numbers from 0 up to 1. */
export function pickDelay(delay: Delay, random: () => number): number {
  if (typeof delay === 'object') {
    // Source: the Box-Muller transform.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.min(delay.median * Math.exp(delay.sigma * normal), LONGEST_DELAY);
  }
  const [least = 0, most = least] = readRange(delay) ?? [];
  return least === most ? least : least + random() * (most - least);
}

function readRange(value: unknown): [least: number, most: number] | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, least, most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(String(value)) ?? [];
  if (least === undefined || Number(least) > Number(most) || Number(most) > LONGEST_DELAY) return undefined;
  return [Number(least), Number(most)];
}

function isLogNormal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { median, sigma } = value as Partial<Record<string, unknown>>;
  return isWithin(median, 0, LONGEST_DELAY) && isWithin(sigma, 0, 10);
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
