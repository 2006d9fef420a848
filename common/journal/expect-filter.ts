import { describeValue, invalidRequest } from '../http/api-error.ts';
import type { ExactJson } from '../json/exact-json.ts';

// The client of another process checks filters too, and users of its types do not install valibot: no schema here.

const IN_WHERE = 'Write a function as where, such as { where: ({ url }) => url.includes("pets") }.';

/**
 * Checks that a filter of a program is one that JSON can hold, apart from `where`. JSON leaves out or empties other values in
 * silence, so that the filter would select every request.
 * @throws ApiError `invalid_request`, with one sentence that says what to write
 */
export function expectFilter(filter: unknown): void {
  if (typeof filter === 'function')
    throw invalidRequest('The filter must be an object, not a function: write { where: (request) => … }.');
  if (!isPlainObject(filter)) {
    const wanted = 'an object such as { "operation": "createPet" }';
    throw invalidRequest(`The filter must be ${wanted}, not ${describeGiven(filter)}.`);
  }
  for (const [name, value] of Object.entries(filter)) {
    const isJson = name === 'query' || name === 'body';
    if (name === 'where' || value === undefined) continue;
    if (isJson) expectJson(name, value);
    else if (typeof value === 'function' || value instanceof RegExp) throw refuseMember(name, value);
  }
}

/** @throws ApiError `invalid_request` for what JSON has no value for, and for a number that may have lost digits */
function expectJson(name: string, value: unknown): void {
  if (value === undefined)
    throw invalidRequest(`The filter: ${name} is undefined. Give it a value, or leave it out.`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw invalidRequest(`The filter: ${name} is beyond 2^53, where a number is not exact. Use a bigint.`);
  if (Array.isArray(value)) for (const [index, one] of value.entries()) expectJson(`${name}.${index}`, one);
  else if (isPlainObject(value))
    for (const [member, one] of Object.entries(value)) expectJson(`${name}.${member}`, one);
  else if (!isScalar(value)) throw refuseMember(name, value);
}

function refuseMember(name: string, value: unknown) {
  return invalidRequest(`The filter: ${name} must not be ${describeGiven(value)}. ${IN_WHERE}`);
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || /^(?:string|boolean|bigint)$/.test(typeof value);
}

/** Returns whether a value is an object with members, in whatever realm: a test runner has its own `Object`. */
function isPlainObject(value: unknown): value is object {
  return nameType(value) === 'Object';
}

/** Returns a name such as `Object`, `RegExp` or `Null`. */
function nameType(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function describeGiven(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value === 'number') return String(value);
  const isValue = value === null || Array.isArray(value) || typeof value !== 'object';
  return isValue ? describeValue(value as ExactJson) : `a ${nameType(value)}`;
}
