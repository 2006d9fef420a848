import { isKeyName } from '../../common/text/find-keys.ts';
import { REDACTED } from '../../common/text/redact.ts';
import type { ExchangeRequest, ExchangeResponse, Received } from '../exchange.ts';
import { readPathParameters } from './path-parameters.ts';
import { MAX_TEXT, type ReadBody } from './read-body.ts';
import { RoundedFraction } from './rounded-fraction.ts';

/** Maximum number of digits of a number that are shown. Only the length of a longer one is shown. */
const MOST_DIGITS = 1_000;

/** Returns a function that finds what was received at a place of a message. @param template path of the operation */
export function findReceived(
  message: ExchangeRequest | ExchangeResponse,
  body: ReadBody,
  template: string,
): (location: readonly string[]) => Received | undefined {
  return ([, part, ...keys]) => {
    const [name = ''] = keys;
    if (part === 'body') return findInBody(message.body, body, keys);
    if ('status' in message) return { text: String(message.status) };
    if (part === 'query') return findParameter(message.query, name);
    return part === 'path' ? findSegment(message.path, template, name) : undefined;
  };
}

/** The whole query stays, because a key in it may have characters that separate its parameters. */
function findParameter(query: string, name: string): Received | undefined {
  if (isKeyName(name)) return { text: REDACTED };
  const isGiven = new URLSearchParams(query).keys().some((key) => key === name || key.toLowerCase() === name);
  return isGiven ? { query, name } : undefined;
}

function findSegment(path: string, template: string, name: string): Received | undefined {
  const parameters = Object.entries(readPathParameters(template, path));
  const [, text] = parameters.find(([key]) => key.toLowerCase() === name) ?? [];
  return text === undefined ? undefined : toReceived(text);
}

/** Finds the value at these keys, or the whole body. */
function findInBody(
  bytes: Uint8Array | undefined,
  { json }: ReadBody,
  keys: readonly string[],
): Received | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length === 0) return { text: 'an empty body' };
  if (keys.some(isKeyName)) return { text: REDACTED };
  if (json !== undefined) return toReceived(findValue(json.exact, keys));
  // A key may be cut at the end of a part.
  if (bytes.length > MAX_TEXT) return { text: `a body of ${bytes.length} bytes` };
  return toReceived(new TextDecoder().decode(bytes));
}

function findValue(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((parent, key) => Object(parent)[key], value);
}

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
