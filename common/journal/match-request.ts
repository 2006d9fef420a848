import * as v from 'valibot';
import { invalidRequest } from '../http/api-error.ts';
import { type ExactJson, isJsonObject, parseExactJson, printExactJson } from '../json/exact-json.ts';
import { readMembers } from '../read-members.ts';
import { mustBe, oneOf, text } from '../schemas.ts';
import { expectFilter } from './expect-filter.ts';
import { createMatch, digits, id, since } from './filter.ts';
import { hasParameters } from './has-parameters.ts';
import type { JournalEntry, RecordedRequest } from './journal-entry.ts';
import { operations } from './operation-name.ts';
import type { RequestFilter } from './request-filter.ts';

const isScalar = (value: unknown) => /^(?:string|number|bigint)$/.test(typeof value);

const isQuery = (value: unknown) =>
  isJsonObject(value as ExactJson) && Object.values(value as object).every(isScalar);

const isBody = (value: unknown) => isJsonObject(value as ExactJson);

const QUERY = 'an object of exact values, such as { "status": "sold" }';
const BODY = 'an object of members of the body, such as { "name": "Rex" }';

const schemas = {
  operation: v.optional(oneOf(operations)),
  method: v.optional(v.pipe(text('a method, such as POST', /^[\w-]+$/), v.toUpperCase())),
  path: v.optional(text('a path without a query, such as /v1/pets', /^\/[^?#]*$/)),
  query: v.optional(v.custom<Readonly<Record<string, unknown>>>(isQuery, mustBe(QUERY))),
  status: digits('a status from 100 to 599', /^[1-5]\d\d$/),
  body: v.optional(v.custom<Readonly<Record<string, ExactJson>>>(isBody, mustBe(BODY))),
  since,
  until: id,
};

const NO_ASYNC = 'The filter: where must return true or false at once, so it cannot be async.';

/**
 * Reads a filter, from a program or from a query.
 * @param further Schemas of further members.
 * @throws ApiError `invalid_request`, naming each member that is wrong
 */
export function readRequestFilter<Further extends v.ObjectEntries>(filter: RequestFilter, further: Further) {
  expectFilter(filter);
  const { where, ...given } = filter;
  if (where !== undefined && typeof where !== 'function')
    throw invalidRequest('The filter: where must be a function, which only the library takes.');
  if (Object.prototype.toString.call(where) === '[object AsyncFunction]') throw invalidRequest(NO_ASYNC);
  return { where, members: readMembers('The filter', given, { ...schemas, ...further }, ['where']) };
}

/** The members of a filter that was read. */
type ReadFilter = ReturnType<typeof readRequestFilter<Record<never, never>>>;

/** Creates the check of a request. @param toEntry returns the request as users see it, for which most members are. */
export function createRequestMatch(
  { where, members }: ReadFilter,
  toEntry: (request: RecordedRequest) => JournalEntry,
): (request: RecordedRequest) => boolean {
  const { path, query, body, ...own } = members;
  const isOwnMatch = createMatch(own);
  const checks: ((entry: JournalEntry) => boolean)[] = [];
  if (path !== undefined) checks.push((entry) => splitUrl(entry.url).path === path);
  if (query !== undefined)
    checks.push((entry) => hasParameters(new URLSearchParams(splitUrl(entry.url).query), query));
  if (body !== undefined) checks.push(createBodyCheck(body));
  if (where !== undefined)
    checks.push((entry) => {
      const isMatch: unknown = where(entry);
      // A promise would be true for every request.
      if (typeof Object(isMatch).then === 'function') throw invalidRequest(NO_ASYNC);
      return Boolean(isMatch);
    });
  return (request) => {
    if (!isOwnMatch(request)) return false;
    // Redacting every request would take long.
    if (checks.length === 0) return true;
    const entry = toEntry(request);
    return checks.every((check) => check(entry));
  };
}

function splitUrl(url: string) {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  return { path, query };
}

function createBodyCheck(body: Readonly<Record<string, ExactJson>>): (entry: JournalEntry) => boolean {
  // Integers of a program may be numbers or bigints, and those of a body are bigints.
  const wanted = parseExactJson(printExactJson(body));
  return (entry) => entry.body !== undefined && isPartOf(wanted, readJson(entry.body));
}

function readJson(text: string): ExactJson | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function isPartOf(wanted: ExactJson, given: ExactJson | undefined): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(given) &&
      given.length === wanted.length &&
      wanted.every((one, index) => isPartOf(one, given[index]))
    );
  if (!isJsonObject(wanted)) return wanted === given;
  if (given === undefined || !isJsonObject(given)) return false;
  return Object.entries(wanted).every(
    ([name, one]) => Object.hasOwn(given, name) && isPartOf(one, given[name]),
  );
}
