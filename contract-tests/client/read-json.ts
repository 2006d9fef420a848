import { createHash } from 'node:crypto';
import { type Contract, flattenSchema } from '../../common/json/contract.ts';
import { decodeUtf8, type ExactJson, isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { redactAndCut, type Secrets } from './secrets.ts';

/** The longest string of a body that is kept as it is, in characters. No clause sends a longer name. */
const LONGEST_STRING = 6_000;

/** How much of a longer string is kept, in characters. */
const STRING_BEGINNING = 1_000;

/** Maximum number of elements of a long list that are kept: no list may have more than 100. */
export const MOST_ELEMENTS = 500;

/** Lists the members of animals and of Errors. */
export function listKnownMembers(contract: Contract): ReadonlySet<string> {
  const schemas = [contract.schemas.Pet, contract.schemas.Error];
  return new Set(schemas.flatMap((one) => Object.keys(flattenSchema(contract, one).properties ?? {})));
}

/** Keeps the known members of a long body. */
export function pickFields(value: ExactJson, known: ReadonlySet<string>): ExactJson {
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).map((one) => pickFields(one, known));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
}

/** Reads the JSON of a request or a response in the same way, so that `===` compares their strings. */
export function readJson(body: Buffer | string, secrets: Secrets): ExactJson | undefined {
  const value = parse(body);
  return value !== undefined && body.length > LONGEST_STRING ? shortenStrings(value, secrets) : value;
}

function shortenStrings(value: ExactJson, secrets: Secrets): ExactJson {
  if (typeof value === 'string') return value.length > LONGEST_STRING ? shortenString(value, secrets) : value;
  if (Array.isArray(value)) return value.map((one) => shortenStrings(one, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortenStrings(member, secrets)]),
  );
}

/** Returns a string that is equal to another one if they were equal before. It ends with no half of a key. */
function shortenString(text: string, secrets: Secrets): string {
  // Unlike UTF-8, UTF-16 has half a surrogate pair too.
  const hash = createHash('sha256').update(text, 'utf16le').digest('hex');
  // A slice would keep the whole string in memory.
  const beginning = Buffer.from(redactAndCut(text, STRING_BEGINNING, secrets), 'utf16le').toString('utf16le');
  return `${beginning}… (${text.length} characters, SHA-256 ${hash})`;
}

/** JSON at the beginning of a body, and how many bytes follow it. */
export interface Beginning {
  readonly value: ExactJson;
  readonly surplus: number;
}

/** Reads an object or an array at the beginning of a body that is no JSON, because something follows it. */
export function readBeginning(body: Buffer): Beginning | undefined {
  const end = findEnd(body);
  const value = end === undefined ? undefined : parse(body.subarray(0, end));
  return end === undefined || value === undefined ? undefined : { value, surplus: body.length - end };
}

/** Returns whether a body is an object or an array without its end. */
export function isUnfinished(body: Buffer): boolean {
  const first = body.find((byte) => !WHITE_SPACE.has(byte)) ?? 0;
  return OPENING.has(first) && findEnd(body) === undefined;
}

/** Source: RFC 8259, section 2 */
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Returns the index after the object or array that a body begins with. */
function findEnd(body: Buffer): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] ?? 0;
    if (isInString && byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) isInString = !isInString;
    else if (isInString) continue;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (CLOSING.has(byte) && !isInString && depth === 0) return index + 1;
  }
  return undefined;
}

function parse(body: Buffer | string): ExactJson | undefined {
  try {
    const text = typeof body === 'string' ? body : decodeUtf8(body);
    // A deployment may keep the deeply nested member that the suite sends, which a reviver cannot walk.
    return parseExactJson(text.replaceAll(/(?<!\[)\[{1000,}\]{1000,}/g, '[]'));
  } catch {
    return undefined;
  }
}
