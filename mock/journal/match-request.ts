import * as v from 'valibot';
import type { JournalEntry, RecordedRequest } from '../../common/journal/journal-entry.ts';
import {
  type ExactJson,
  isJsonObject,
  parseExactJson,
  printExactJson,
  readExactJson,
} from '../../common/json/exact-json.ts';
import { readMembers } from '../../common/read-members.ts';
import { mustBe, text } from '../../common/schemas.ts';
import { hasParameters, isScalar, operation } from '../session/request-members.ts';
import { createMatch, digits, since, untilMembers } from './filter.ts';
import { expectFilter, type RequestFilter } from './request-filter.ts';

const isQuery = (value: unknown) =>
  isJsonObject(value as ExactJson) && Object.values(value as object).every(isScalar);

const isBody = (value: unknown) => isJsonObject(value as ExactJson);

const QUERY = 'an object of exact values, such as { "status": "sold" }';
const BODY = 'an object of members of the body, such as { "name": "Rex" }';

/** Creates the schema of a member that is an object: JSON in a query. */
const object = <Value>(
  about: string,
  expected: string,
  isValid: (value: unknown) => boolean,
  example: object,
  json: object = {},
) =>
  v.optional(
    v.pipe(
      v.custom<Value>(isValid, mustBe(expected)),
      v.metadata({ type: 'object', ...json, examples: [example], description: about }),
    ),
  );

const requestMembers = {
  operation,
  method: v.optional(
    v.pipe(
      text('a method, such as POST', /^[\w-]+$/),
      v.description('Method, in any case.'),
      v.transform((method) => method.toUpperCase()),
    ),
  ),
  path: v.optional(
    v.pipe(
      text('a path without a query, such as /v1/pets', /^\/[^?#]*$/),
      v.description('Exact path without the query, such as `/v1/pets/7`.'),
    ),
  ),
  query: object<Readonly<Record<string, unknown>>>(
    'Exact values of query parameters.',
    QUERY,
    isQuery,
    { status: 'sold' },
    { additionalProperties: { type: ['string', 'number'] } },
  ),
  status: digits('Status of the response.', 'a status from 100 to 599', { minimum: 100, maximum: 599 }),
  body: object<Readonly<Record<string, ExactJson>>>(
    'Members that the JSON body has. Objects in it may have more members, arrays no more items.',
    BODY,
    isBody,
    { name: 'Rex' },
  ),
  since,
  ...untilMembers,
};

export const listMembers = {
  ...requestMembers,
  limit: digits('Maximum number of requests. If more match, these are the latest.', 'an integer above 0', {
    minimum: 1,
    maximum: 999_999_999,
  }),
};

/** Time to wait for a request, in milliseconds. */
export const USUAL_WAIT = 5_000;

/** Maximum time to wait for a request, in milliseconds. */
const LONGEST_WAIT = 600_000;

export const waitMembers = {
  ...requestMembers,
  timeout: digits(
    'Maximum time to wait, in milliseconds. If no request matches in time, the response is a 404.',
    `milliseconds up to ${LONGEST_WAIT}`,
    { minimum: 0, maximum: LONGEST_WAIT, default: USUAL_WAIT },
  ),
};

/**
 * Reads a filter, from a program or from a query.
 * @throws ApiError `invalid_request`, naming each member that is wrong
 */
export function readRequestFilter<Schemas extends v.ObjectEntries>(filter: RequestFilter, schemas: Schemas) {
  expectFilter(filter);
  return readMembers('The filter', filter, schemas);
}

type ReadFilter = ReturnType<typeof readRequestFilter<typeof requestMembers>>;

/** Creates the check of a request. @param toEntry returns the request as users see it, for which most members are. */
export function createRequestMatch(
  { path, query, body, ...own }: ReadFilter,
  toEntry: (request: RecordedRequest) => JournalEntry,
): (request: RecordedRequest) => boolean {
  const isOwnMatch = createMatch(own);
  const checks: ((entry: JournalEntry) => boolean)[] = [];
  if (path !== undefined) checks.push((entry) => splitUrl(entry.url).path === path);
  if (query !== undefined)
    checks.push((entry) => hasParameters(new URLSearchParams(splitUrl(entry.url).query), query));
  if (body !== undefined) checks.push(createBodyCheck(body));
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
  return (entry) => entry.body !== undefined && isPartOf(wanted, readExactJson(entry.body));
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
