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

/** Returns why a body is no JSON, without what the parser repeats of it, which may have half of a key. */
export function findNoJsonReason(body: Buffer): string {
  try {
    parseText(body);
  } catch (error) {
    return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
  }
  return '';
}

function parse(body: Buffer | string): ExactJson | undefined {
  try {
    return parseText(body);
  } catch {
    return undefined;
  }
}

function parseText(body: Buffer | string): ExactJson {
  const text = typeof body === 'string' ? body : decodeUtf8(body);
  // A deployment may keep the deeply nested member that the suite sends, which a reviver cannot walk.
  return parseExactJson(text.replaceAll(/(?<!\[)\[{1000,}\]{1000,}/g, '[]'));
}
