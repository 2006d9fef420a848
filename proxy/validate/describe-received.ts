import { RoundedFraction } from '../../common/json/exact-json.ts';
import type { Hide } from '../exchange.ts';

/** Maximum number of characters of a value that are shown. */
export const LONGEST_RECEIVED = 80;

/** Maximum number of characters of a string or a number that is searched for keys. Only the length of a longer one is shown. */
export const LONGEST_SEARCHED = 1_000;

/** Describes a received value on one line: a string in JSON, a number with all its digits, an object by its size. */
export function describeReceived(value: unknown, hide: Hide): string {
  if (typeof value === 'string') return describeString(value, hide);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof RoundedFraction) return describeFraction(value, hide);
  if (typeof value === 'object' && value !== null) return describeObject(Object.keys(value).length);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number far too large';
  return shorten(hide(String(value)));
}

function describeString(text: string, hide: Hide): string {
  if (text.length > LONGEST_SEARCHED) return `a string of ${text.length} characters`;
  // Keys are hidden first: a part of a key is not found.
  return JSON.stringify(shorten(hide(text)));
}

function describeFraction(fraction: RoundedFraction, hide: Hide): string {
  const digits = String(fraction);
  return digits.length > LONGEST_SEARCHED
    ? `a number with ${digits.length} characters`
    : shorten(hide(digits));
}

function describeObject(members: number): string {
  return `an object with ${members} ${members === 1 ? 'member' : 'members'}`;
}

function shorten(text: string): string {
  return text.length <= LONGEST_RECEIVED ? text : `${text.slice(0, LONGEST_RECEIVED)}…`;
}
