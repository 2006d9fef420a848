import { RoundedFraction } from '../../common/json/exact-json.ts';
import type { Received } from '../exchange.ts';

/** Maximum number of digits of a number that are shown. Only the length of a longer one is shown. */
const MOST_DIGITS = 1_000;

/** Returns a received value as it is shown: a string, a number with all its digits, an object by its size. */
export function toReceived(value: unknown): Received {
  return typeof value === 'string' ? { string: value } : { text: describe(value) };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof RoundedFraction) return describeFraction(String(value));
  if (typeof value === 'object' && value !== null) return describeObject(Object.keys(value).length);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number far too large';
  return String(value);
}

function describeFraction(digits: string): string {
  return digits.length > MOST_DIGITS ? `a number with ${digits.length} characters` : digits;
}

function describeObject(members: number): string {
  return `an object with ${members} ${members === 1 ? 'member' : 'members'}`;
}
