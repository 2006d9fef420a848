/** JSON value in which every integer is a bigint and every other number a number. */
export type ExactJson = null | boolean | string | number | bigint | readonly ExactJson[] | JsonObject;
export type JsonObject = { readonly [key: string]: ExactJson };

export function isJsonObject(value: ExactJson): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers with more digits stay numbers: they are far beyond int64 and slow to convert. */
const MOST_DIGITS = 400;

/**
 * Parses JSON and keeps every integer exact, in whatever notation: `100`, `1e2` and `1.0` become bigints.
 * Fractions and integers of more than 400 digits become numbers, as with `JSON.parse`. A fraction that a double rounds to an
 * integer, such as `7.00000000000000000001`, is then a number, and never a bigint.
 * @throws SyntaxError for malformed JSON, for bytes that are not UTF-8, and for JSON that is nested too deeply.
 */
export function parseExactJson(json: string | Uint8Array): ExactJson {
  const text = typeof json === 'string' ? json : decodeUtf8(json);
  if (text === '') throw new SyntaxError('It is empty');
  // Without numbers that can lose digits, the plain parser is five times as fast.
  if (!mayLoseDigits(text)) return limitLevels(() => toExact(JSON.parse(text)));
  return limitLevels(() => JSON.parse(text, keepIntegersExact) as ExactJson);
}

/** Parses JSON as `parseExactJson` does. @returns undefined where that throws */
export function readExactJson(json: string | Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(json);
  } catch {
    return undefined;
  }
}

/** Calls a parser. @throws SyntaxError if the stack is too small for the levels of the JSON. */
export function limitLevels<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError('It is nested too deeply') : error;
  }
}

/** It is not created at load, because Jest with jsdom hides the class. */
let decoder: InstanceType<typeof TextDecoder> | undefined;

export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SyntaxError('It is not UTF-8');
  }
}

/** Prints JSON with its bigints as numbers. @param indent Number of spaces, for several lines. */
export function printExactJson(value: ExactJson, indent?: number): string {
  const print = (_key: string, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member;
  return JSON.stringify(value, print, indent);
}

/** Returns whether a double may not hold a number of a JSON text, or not show how it is written. Few strings look like that. */
export function mayLoseDigits(text: string): boolean {
  return /(?:^|[:,[])\s*-?(?:\d{16}|\d{1,15}[.eE])/.test(text);
}

/** Deepest nesting that is accepted. Printing the value needs more of the stack than reading. */
const MOST_LEVELS = 2_000;

/** Changes all numbers of a parsed value, which must be integers, to bigints in place. */
function toExact(value: unknown, levels = MOST_LEVELS): ExactJson {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value as ExactJson;
  if (levels === 0) throw new RangeError('It is nested too deeply');
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (typeof member === 'number' || typeof member === 'object') members[key] = toExact(member, levels - 1);
  }
  return value as ExactJson;
}

function keepIntegersExact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? (readInteger(source) ?? value) : value;
}

/** Returns the integer value of a JSON number; undefined if it has a fraction or is too long. */
export function readInteger(source: string): bigint | undefined {
  if (/^-?\d{1,20}$/.test(source)) return BigInt(source);
  if (source.length > 2 * MOST_DIGITS) return undefined;
  const { significant, zeros } = readDecimal(source);
  if (significant === '') return 0n;
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return undefined;
  const sign = source.startsWith('-') ? '-' : '';
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
}

export function hasFraction(source: string): boolean {
  const { significant, zeros } = readDecimal(source);
  return significant !== '' && zeros < 0;
}

/** Reads a JSON number as its digits without the last zeros, and the number of zeros that follow. It is negative for a fraction. */
function readDecimal(source: string): { readonly significant: string; readonly zeros: number } {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  // A pattern of trailing zeros takes quadratic time.
  while (digits[end - 1] === '0') end -= 1;
  return { significant: digits.slice(0, end), zeros: Number(exponent) + whole.length - end };
}
