import { RoundedFraction } from '../../common/json/exact-json.ts';
import type { Hide } from '../exchange.ts';

/** Maximum number of characters of a value that are shown. */
const LONGEST_RECEIVED = 80;

/** Maximum number of characters of a string or a number that is searched for keys. Only the length of a longer one is shown. */
const LONGEST_SEARCHED = 1_000;

/** Describes a received value on one line: a string in JSON, a number with all its digits, an object by its size. */
export function describeReceived(value: unknown, hide: Hide): string {
  if (typeof value === 'string') return describeString(value, hide);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof RoundedFraction) return describeFraction(value, hide);
  if (typeof value === 'object' && value !== null) return describeObject(Object.keys(value).length);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number far too large';
  return shorten(hide(String(value)));
}

/**
 * Describes the expected and the received value. If both look alike, such as é in two forms of Unicode, their characters are escaped
 * as `\u00e9`, so that a reader sees the difference.
 */
export function describeDifference(expected: unknown, received: unknown, hide: Hide): [string, string] {
  const wanted = describeReceived(expected, hide);
  const shown = describeReceived(received, hide);
  const isAlike = wanted.normalize('NFKC') === shown.normalize('NFKC');
  return isAlike ? [escapeUnicode(wanted), escapeUnicode(shown)] : [wanted, shown];
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

/** Cuts a text, but not in the middle of a surrogate pair. */
export function shorten(text: string): string {
  if (text.length <= LONGEST_RECEIVED) return text;
  const start = text.slice(0, LONGEST_RECEIVED);
  return `${start.replace(/[\ud800-\udbff]$/, '')}…`;
}

function escapeUnicode(text: string): string {
  // The ellipsis is the mark of a cut.
  return text.replaceAll(/[^ -~…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
