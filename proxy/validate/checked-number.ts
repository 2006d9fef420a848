import type { ExactJson } from '../../common/json/exact-json.ts';

/** The limits of int64 for numbers from `toCheckedNumber`: 2^63 − 1024 is the largest double below 2^63. */
export const checkedInt64 = { minimum: -(2 ** 63), maximum: 2 ** 63 - 1024 };

/** Rounds an integer to a double that is within int64 if and only if the integer is. */
export function toCheckedNumber(integer: bigint): number {
  const nearest = Number(integer);
  if (BigInt.asIntN(64, integer) === integer) return Math.min(nearest, checkedInt64.maximum);
  // 2048 is the distance to the next double.
  return integer < 0n ? Math.min(nearest, checkedInt64.minimum - 2048) : nearest;
}

/** Rounds every bigint of a JSON value with `toCheckedNumber`. */
export function toCheckedValue(value: ExactJson): unknown {
  if (typeof value === 'bigint') return toCheckedNumber(value);
  if (Array.isArray(value)) return value.map(toCheckedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toCheckedValue(member)]));
}
