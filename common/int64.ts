/** The smallest int64. */
export const LEAST_INT64 = -(2n ** 63n);

/** The largest int64. */
export const LARGEST_INT64 = 2n ** 63n - 1n;

/** Whether a value is an integer that int64 can hold. */
export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= LEAST_INT64 && value <= LARGEST_INT64;
}

/** Reads an int64 in its one canonical form (no `+1`, `007`, `-0`, `1.0`), or returns undefined. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}
