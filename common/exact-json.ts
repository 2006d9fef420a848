/** A JSON value in which every integer is a bigint and every other number a number. */
export type ExactJson = null | boolean | string | number | bigint | readonly ExactJson[] | JsonObject;

/** A JSON object whose integers are bigints. */
export type JsonObject = { readonly [key: string]: ExactJson };

/** Whether a value is an object, and neither null nor an array. */
export function isJsonObject(value: ExactJson): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers of more digits than this stay numbers: far beyond int64, and slow to convert. */
export const MOST_DIGITS = 400;

/**
 * Parses JSON and keeps every integer exact, in whatever notation: `100`, `1e2` and `1.0` become bigints.
 * Fractions, and integers of more than 400 digits, are what `JSON.parse` makes of them.
 * @throws SyntaxError for malformed JSON, for bytes that are not UTF-8, and for JSON that is nested too deeply.
 */
export function parseExactJson(json: string | Uint8Array): ExactJson {
  const text = typeof json === 'string' ? json : decodeUtf8(json);
  try {
    // Where no number can lose anything on the way, there is no need to see how each is written: a fifth of the time.
    if (!mayLoseDigits(text)) return toExact(JSON.parse(text));
    return JSON.parse(text, keepIntegersExact) as ExactJson;
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError('It is nested too deeply') : error;
  }
}

/** Decodes UTF-8 and leaves nothing out. @throws SyntaxError when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const isNotUtf8 = (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new SyntaxError(isNotUtf8 ? 'It is not UTF-8' : 'It is too long to be read');
  }
}

/** Prints a JSON value, bigints digit for digit. */
export function printExactJson(value: ExactJson): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member,
  );
}

/** Whether a JSON text has sixteen digits, a fraction or an exponent, perhaps in a string. */
export function mayLoseDigits(text: string): boolean {
  // Each run of digits is looked at once.
  return /(?<!\d)\d{16}|\d[.eE]/.test(text);
}

/** The deepest nesting that is walked; what prints the value again needs more of the stack. */
export const MOST_LEVELS = 2_000;

/**
 * Turns the numbers of a value that was just parsed, all of them integers, into bigints; it changes the value.
 *
 * @throws RangeError when it is nested too deeply.
 */
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

/** The integer that a JSON number stands for, or undefined when it is none or too long. */
function readInteger(source: string): bigint | undefined {
  if (/^-?\d{1,20}$/.test(source)) return BigInt(source);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + fraction;
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return 0n;
  const zeros = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return undefined;
  powersOfTen[zeros] ??= 10n ** BigInt(zeros);
  return BigInt(sign + significant) * powersOfTen[zeros];
}

/** Those that were asked for; made anew, or read as digits, they take most of the time of a number such as 1e399. */
const powersOfTen: bigint[] = [];

/** A loop, since `/0+$/` takes quadratic time on a long run of zeros that is not at the end. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
