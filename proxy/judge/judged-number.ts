import type { ExactJson } from '../../common/exact-json.ts';

/** The largest double that is an int64: 2^63 − 1 itself is none. */
const LARGEST_JUDGED = 2 ** 63 - 1024;

/** The bounds of int64 for numbers that `toJudgedNumber` has made; no other integers lie within them. */
export const judgedInt64 = { minimum: -(2 ** 63), maximum: LARGEST_JUDGED };

/**
 * Turns an integer into a double for a validator that knows no other numbers. It is rounded down and not to the nearest,
 * so that it is within int64 if and only if the integer was: 2^63 − 1 stays below 2^63, and −2^63 − 1 below −2^63.
 */
export function toJudgedNumber(integer: bigint): number {
  const nearest = Number(integer);
  if (!Number.isFinite(nearest) || BigInt(nearest) <= integer) return nearest;
  return nextDown(nearest);
}

/** Turns every bigint of a JSON value into a double, each as `toJudgedNumber` does. */
export function toJudgedValue(value: ExactJson): unknown {
  if (typeof value === 'bigint') return toJudgedNumber(value);
  if (Array.isArray(value)) return value.map(toJudgedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJudgedValue(member)]));
}

/** The next double below. */
function nextDown(value: number): number {
  const bits = new BigInt64Array(1);
  const double = new Float64Array(bits.buffer);
  double[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n);
  return double[0] ?? Number.NaN;
}
