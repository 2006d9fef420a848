import type { ExactJson } from '../../common/exact-json.ts';

/** The bounds of int64 for numbers that `toJudgedNumber` has made: 2^63 − 1 is no double, the largest below is this. */
export const judgedInt64 = { minimum: -(2 ** 63), maximum: 2 ** 63 - 1024 };

/** What of a number takes it to the next double. Source: Rump and others, Computing predecessor and successor, 2009 */
const STEP = 2 ** -53 * (1 + 2 ** -52);

/**
 * Turns an integer into a double for a validator that knows no other numbers. It is rounded down and not to the nearest,
 * so that it is within int64 if and only if the integer was: 2^63 − 1 stays below 2^63, and −2^63 − 1 below −2^63.
 */
export function toJudgedNumber(integer: bigint): number {
  const nearest = Number(integer);
  if (!Number.isFinite(nearest) || BigInt(nearest) <= integer) return nearest;
  return nearest - Math.abs(nearest) * STEP;
}

/** Turns every bigint of a JSON value into a double, each as `toJudgedNumber` does. */
export function toJudgedValue(value: ExactJson): unknown {
  if (typeof value === 'bigint') return toJudgedNumber(value);
  if (Array.isArray(value)) return value.map(toJudgedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJudgedValue(member)]));
}
