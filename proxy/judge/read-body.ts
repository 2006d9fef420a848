import { decodeUtf8, mayLoseDigits, parseExactJson } from '../../common/exact-json.ts';
import type { ExchangeRequest } from '../exchange.ts';
import { toJudgedNumber, toJudgedValue } from './judged-number.ts';

/** A body as a validator gets it. */
export interface JudgedBody {
  /** A JSON value, a text for any other media type, or null when there is no body. */
  readonly judged: unknown;
  /** Why the body could not be read as the media type wants it. */
  readonly problem?: string;
  /** Whether nothing is to be said of the body. */
  readonly isUnknown?: boolean;
}

/** The most elements of an array that are judged: a small body can hold so many that nothing else would get its turn. */
export const MOST_ELEMENTS = 2_000;

/** The most of a text that is judged, in bytes: a validator would take one apart that is said to be a form. */
export const LONGEST_TEXT = 1_000;

/** Reads a body by its media type. */
export function readBody({ headers, body }: Pick<ExchangeRequest, 'headers' | 'body'>): JudgedBody {
  if (body === undefined) return { judged: null, isUnknown: true };
  if (body.length === 0) return { judged: null };
  const text = () => new TextDecoder().decode(body.subarray(0, LONGEST_TEXT));
  if (!/^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    return { judged: text() };
  try {
    const value = parseJudged(decodeUtf8(body));
    return { judged: Array.isArray(value) ? value.slice(0, MOST_ELEMENTS) : value };
  } catch (error) {
    return { judged: text(), problem: `The body could not be read as JSON: ${reasonOf(error as Error)}` };
  }
}

/** The reason without the excerpt of the body that may follow it, since bodies may hold what no log should. */
function reasonOf({ message }: Error): string {
  return message.replace(/, (?:\.\.\.)?".*$/s, '');
}

/** Where no number can be too long for a double, the plain parser tells the same, several times as fast. */
function parseJudged(text: string): unknown {
  return mayLoseDigits(text) ? toJudgedValue(parseExactJson(text)) : JSON.parse(text);
}

/** Rounds an integer in a path or a query as those in bodies are rounded; any other text stays as it is. */
export function toJudgedText(text: string): string {
  if (!/^-?\d{16,300}$/.test(text)) return text;
  return String(BigInt(toJudgedNumber(BigInt(text))));
}
