import * as v from 'valibot';
import { describeValue, invalidRequest, nameType } from './http/api-error.ts';
import { type ExactJson, isJsonObject, printExactJson } from './json/exact-json.ts';
import type { GivenMembers } from './schemas.ts';
import { printSuggestion } from './text/suggest.ts';

/**
 * Checks the members of an object. A member that is undefined is left out, if its schema allows that.
 * @param nameOf names a member in a problem.
 * @returns the values of the members, and a sentence for each that is wrong, missing or unknown.
 */
export function checkMembers(
  schemas: Readonly<Record<string, v.GenericSchema>>,
  given: Readonly<Record<string, unknown>>,
  describeUnknown: (name: string) => string,
  nameOf = (name: string) => name,
) {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of Object.keys({ ...given, ...schemas })) {
    const value = given[name];
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) {
      if (value !== undefined) problems.push(describeUnknown(name));
      continue;
    }
    const { output, issues } = v.safeParse(schema, value);
    const missing = value === undefined ? 'is required and ' : '';
    if (issues !== undefined) problems.push(`${nameOf(name)} ${missing}${issues[0].message}`);
    else if (value !== undefined) values[name] = output;
  }
  return { values, problems };
}

/**
 * Reads an object from a program or from JSON. Bigints that a number can hold become numbers.
 * @throws ApiError `invalid_request`, naming each member that is wrong.
 */
export function readMembers<Schemas extends v.ObjectEntries>(what: string, given: unknown, schemas: Schemas) {
  const object = (given ?? null) as ExactJson;
  if (nameType(object) !== 'Object' || !isJsonObject(object))
    throw invalidRequest(`${what} must be an object, not ${describeValue(object)}.`);
  const names = Object.keys(schemas);
  const describe = (name: string) =>
    `${describeValue(name)} is unknown${printSuggestion(name, names) || `. Known: ${names.join(', ')}`}`;
  expectJson(object, what, `${what}: `);
  const members = JSON.parse(printExactJson(object), keepLarge);
  const { values, problems } = checkMembers(schemas as Record<string, v.GenericSchema>, members, describe);
  if (problems.length > 0) throw invalidRequest(`${what}: ${problems.join('. ')}.`);
  return values as GivenMembers<Schemas>;
}

/** A reviver that keeps only integers beyond 2^53 exact, as bigints. */
function keepLarge(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  const isLarge = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLarge ? BigInt(source) : value;
}

/**
 * Expects values that JSON has: it would leave out a function, and have null instead of NaN and nothing of a Map.
 * @param above the values that this one is in
 * @throws ApiError `invalid_request`, naming the member
 */
export function expectJson(given: unknown, member: string, start = '', above: readonly unknown[] = []): void {
  const isObject = Object(given) === given;
  // What has a toJSON becomes another value, but of a Buffer one that nobody means.
  const hasMembers = isObject && (ArrayBuffer.isView(given) || !('toJSON' in (given as object)));
  const isOther = typeof given === 'symbol' || (hasMembers && !/^(?:Object|Array)$/.test(nameType(given)));
  const isInfinite = (typeof given === 'number' || given instanceof Date) && !Number.isFinite(Number(given));
  if (isOther || isInfinite)
    throw invalidRequest(`${start}${member} must not be ${isInfinite ? given : describeValue(given)}.`);
  if (above.includes(given)) throw invalidRequest(`${start}${member} must not be what it is in.`);
  if (!hasMembers) return;
  const inside = [...above, given];
  for (const [name, one] of Object.entries(given as object)) expectJson(one, name, start, inside);
}
