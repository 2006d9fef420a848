import { isJson } from '../../common/http/headers.ts';
import { decodeUtf8, mayLoseDigits } from '../../common/json/exact-json.ts';
import type { ExchangeRequest } from '../exchange.ts';
import { findRepeatedMembers } from './repeated-members.ts';
import { isRoundedFraction, parseExactFractions, RoundedFraction } from './rounded-fraction.ts';

/** The body of a message, as it was read. */
export interface ReadBody {
  /** The value for Prism: JSON with rounded integers, a string for any other media type, or null without a body. */
  readonly value: unknown;
  /** False if the body is not known, or cannot be read by its media type, so that Prism cannot check it. */
  readonly isRead: boolean;
  /** Why the body is not JSON, although its media type says so. */
  readonly problem?: string;
  /** Absent if the body is not JSON. */
  readonly json?: JsonBody;
}

/** A body of JSON. */
interface JsonBody {
  /**
   * The value with all digits: an integer is a bigint, or a number that is a safe integer. A fraction that a double rounds to an
   * integer is a `RoundedFraction`.
   */
  readonly exact: unknown;
  /** The same, but the members that the text repeats in an object are undefined, because services may read either of them. */
  readonly certain: unknown;
  /** The places of repeated members. */
  readonly repeated: readonly (readonly string[])[];
  readonly hasByteOrderMark: boolean;
}

/** Maximum number of bytes of plain text that Prism gets: it parses a form. */
export const MAX_TEXT = 1_000;

/** The bytes that some writers put in front of UTF-8. Source: RFC 8259, section 8.1 */
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Reads a body by its media type. */
export function readBody({ headers, body }: Pick<ExchangeRequest, 'headers' | 'body'>): ReadBody {
  if (body === undefined) return { value: null, isRead: false };
  if (body.length === 0) return { value: null, isRead: true };
  const text = () => new TextDecoder().decode(body.subarray(0, MAX_TEXT));
  if (!isJson(headers['content-type'])) return { value: text(), isRead: true };
  try {
    const json = decodeUtf8(body);
    // The plain parser is several times as fast.
    const isExact = !mayLoseDigits(json);
    const parse: typeof parseExactFractions = isExact ? JSON.parse : parseExactFractions;
    const exact = parse(json);
    const { certain, repeated } = findRepeatedMembers(json, exact, parse);
    const hasByteOrderMark = BYTE_ORDER_MARK.equals(body.subarray(0, BYTE_ORDER_MARK.length));
    const value = isExact ? exact : toCheckedValue(exact);
    return { value, isRead: true, json: { exact, certain, repeated, hasByteOrderMark } };
  } catch (error) {
    // Without the excerpt of the body, which may be confidential.
    const reason = (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
    const problem = error instanceof RangeError ? 'It is nested too deeply' : reason;
    return { value: text(), isRead: false, problem };
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
