import { describeValue, invalidRequest, nameType } from '../../common/http/api-error.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';

// Users import these types, and the client of another process checks filters too. Neither installs valibot, so the schemas are in
// match-request.ts.

/** How many requests the journal keeps by default. */
export const USUAL_REQUESTS = 1_000;

/** Selects requests: those that match every member. Values are compared with the redacted request. */
export interface RequestFilter {
  readonly operation?: OperationName;
  /** Method, in any case. */
  readonly method?: string;
  /** Exact path without the query, such as `/v1/pets/7`. In a session it starts after the name of the session. */
  readonly path?: string;
  /** Exact values of query parameters, such as `{ status: 'sold' }`. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Status of the response. A request that waits has none. */
  readonly status?: number;
  /** Members that the JSON body has, such as `{ name: 'Rex' }`. Objects in it may have more members, arrays no more items. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Id of the request before the first one. */
  readonly since?: number;
  /** Id of the last request. */
  readonly until?: number;
}

/** Selects requests to list or to count. */
export interface ListFilter extends RequestFilter {
  /** Maximum number of requests. If more match, these are the latest. */
  readonly limit?: number;
}

/** Selects the request to wait for. */
export interface WaitFilter extends RequestFilter {
  /** Maximum time to wait, in milliseconds. @default 5,000 */
  readonly timeout?: number;
}

/** Selects entries up to the one with this id. */
export interface Until {
  readonly until?: number | undefined;
}

const filterMembers = [
  ...['operation', 'method', 'path', 'query', 'status', 'body', 'severity'],
  ...['since', 'until', 'limit', 'timeout'],
];

/**
 * Returns what a method that removes entries is given to select them by. Other members are left out, since tests use such a method as a
 * hook, which gets a context.
 */
export function pickFilter(given: object = {}): Until {
  return Object.fromEntries(Object.entries(given).filter(([name]) => filterMembers.includes(name)));
}

/**
 * Checks that a filter of a program is one that JSON can hold. JSON leaves out or empties other values in silence, so that the
 * filter would select every request.
 * @throws ApiError `invalid_request`, with one sentence that says what to write
 */
export function expectFilter(filter: unknown): void {
  if (!isPlainObject(filter)) {
    const wanted = 'an object such as { "operation": "createPet" }';
    throw invalidRequest(`The filter must be ${wanted}, not ${describeValue(filter)}.`);
  }
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) expectJson(name, value);
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
  else if (!isScalar(value))
    throw invalidRequest(
      `The filter: ${name} must not be ${describeValue(value)}. Give it a value, or filter what requests() returns.`,
    );
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || /^(?:string|boolean|bigint)$/.test(typeof value);
}

/** Returns whether a value is an object with members. */
function isPlainObject(value: unknown): value is object {
  return nameType(value) === 'Object';
}
