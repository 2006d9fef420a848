import {
  decodeUtf8,
  isRoundedFraction,
  mayLoseDigits,
  parseExactFractions,
  RoundedFraction,
} from '../../common/json/exact-json.ts';
import type { ExchangeRequest } from '../exchange.ts';

export interface CheckedBody {
  /** The value for Prism: JSON with rounded integers, a string for any other media type, or null without a body. */
  readonly value: unknown;
  /** The reason why the body is not JSON; none for an unknown body, absent for a body that was read. */
  readonly problems?: readonly string[];
  /** Absent if the body is not JSON. */
  readonly json?: JsonBody;
}

export interface JsonBody {
  readonly text: string;
  /**
   * The value with all digits: an integer is a bigint, or a number that is a safe integer. A fraction that a double rounds to an
   * integer is a `RoundedFraction`.
   */
  readonly exact: unknown;
}

export const MAX_ELEMENTS = 2_000;

/** Maximum number of bytes of plain text that are checked: a validator parses a form. */
export const MAX_TEXT = 1_000;

/** Reads a body by its media type. */
export function readBody({ headers, body }: Pick<ExchangeRequest, 'headers' | 'body'>): CheckedBody {
  if (body === undefined) return { value: null, problems: [] };
  if (body.length === 0) return { value: null };
  const text = () => new TextDecoder().decode(body.subarray(0, MAX_TEXT));
  const isJson = /^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i.test(headers['content-type'] ?? '');
  if (!isJson) return { value: text() };
  try {
    const json = decodeUtf8(body);
    // The plain parser is several times as fast.
    const isExact = !mayLoseDigits(json);
    const exact = isExact ? JSON.parse(json) : parseExactFractions(json);
    const value = isExact ? exact : toCheckedValue(exact);
    const checked = Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : value;
    return { value: checked, json: { text: json, exact } };
  } catch (error) {
    // Without the excerpt of the body, which may be confidential.
    const reason = (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
    return { value: text(), problems: [`The body could not be read as JSON: ${reason}`] };
  }
}

/** What is checked in place of a fraction that a double rounds to an integer: it stays a fraction. */
const A_FRACTION = 0.5;

/** Changes a number in a path or a query as `toCheckedValue` changes one in JSON. Other strings stay unchanged. */
export function toCheckedText(text: string): string {
  if (isRoundedFraction(text)) return String(A_FRACTION);
  if (!/^-?\d{16,300}$/.test(text)) return text;
  return String(BigInt(toCheckedNumber(BigInt(text))));
}

/** The limits of int64. */
export const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** The limits of int64 for numbers from `toCheckedNumber`: 2^63 − 1024 is the largest double below 2^63. */
export const checkedInt64 = { minimum: -(2 ** 63), maximum: 2 ** 63 - 1024 };

/** Rounds an integer to a double that is within int64 if and only if the integer is. */
export function toCheckedNumber(integer: bigint): number {
  const nearest = Number(integer);
  if (BigInt.asIntN(64, integer) === integer) return Math.min(nearest, checkedInt64.maximum);
  // 2048 is the distance to the next double.
  return integer < 0n ? Math.min(nearest, checkedInt64.minimum - 2048) : nearest;
}

/** Rounds every bigint of a JSON value with `toCheckedNumber`, and replaces every `RoundedFraction` by another fraction. */
function toCheckedValue(value: unknown): unknown {
  if (typeof value === 'bigint') return toCheckedNumber(value);
  if (Array.isArray(value)) return value.map(toCheckedValue);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RoundedFraction) return A_FRACTION;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toCheckedValue(member)]));
}
