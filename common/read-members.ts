import type * as v from 'valibot';
import { describeValue, invalidRequest } from './http/api-error.ts';
import { type ExactJson, isJsonObject, keepLarge, printExactJson } from './json/exact-json.ts';
import { readGiven } from './schemas.ts';
import { printSuggestion } from './text/suggest.ts';

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
  const { values, problems } = readGiven(schemas, JSON.parse(printExactJson(object), keepLarge), describe);
  if (problems.length > 0) throw invalidRequest(`${what}: ${problems.join('. ')}.`);
  return values;
}
