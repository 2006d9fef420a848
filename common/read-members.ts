import * as v from 'valibot';
import { describeValue, invalidRequest } from './http/api-error.ts';
import { type ExactJson, isJsonObject, type JsonObject, toNumbers } from './json/exact-json.ts';
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
  if (!isJsonObject(object)) {
    throw invalidRequest(`${what} must be an object, not ${describeValue(object)}.`);
  }
  const names = Object.keys(schemas);
  const describe = (name: string) =>
    `${describeValue(name)} is unknown${printSuggestion(name, names) || `. Known: ${names.join(', ')}`}`;
  const members = toNumbers(object) as JsonObject;
  const { values, problems } = checkMembers(schemas as Record<string, v.GenericSchema>, members, describe);
  if (problems.length > 0) throw invalidRequest(`${what}: ${problems.join('. ')}.`);
  return values as GivenMembers<Schemas>;
}
