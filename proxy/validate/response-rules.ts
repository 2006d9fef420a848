import { type Headers, isEventStream } from '../../common/http/headers.ts';
import type { Operation } from '../../common/json/contract.ts';
import { type FoundViolation, findEmptyKey, keyRules, LOWEST_ERROR_STATUS } from '../exchange.ts';
import type { Fault, ResponseOfOperation, Rule } from './rule.ts';

/** Lowest status of a service that failed. Source: RFC 9110 section 15.6 */
const LOWEST_FAILURE_STATUS = 500;

/** What a cache gets that asks whether its copy is still right. Source: RFC 9110, section 15.4.5 */
const NOT_MODIFIED = 304;

const location = ['response'];

/** The rules for the status of a response. */
export const responseRules: readonly Rule<ResponseOfOperation>[] = [
  {
    id: 'undocumented-status',
    meaning:
      'a status below 500 that the operation lacks, but for a 304 to a conditional request; an `error` if it says success',
    severity: 'warning',
    find: ({ message: { status }, operation, request: { headers } }) =>
      isDocumented(operation, status) ||
      status >= LOWEST_FAILURE_STATUS ||
      (status === NOT_MODIFIED && isConditional(headers))
        ? []
        : [
            {
              location,
              message: describeStatuses(operation),
              ...(isSuccess(status) && { severity: 'error' }),
            },
          ],
  },
  {
    id: 'server-error',
    meaning: 'a 5xx that the operation does not have, or no whole response to a request that the service got',
    severity: 'error',
    find: ({ message: { status }, operation }) =>
      isDocumented(operation, status) || status < LOWEST_FAILURE_STATUS
        ? []
        : [{ location, message: `The service failed. ${describeStatuses(operation)}` }],
  },
  {
    id: 'error-body',
    meaning: 'an undocumented status of 400 or above whose body is not an Error',
    severity: 'error',
    find({ message: { status, headers }, operation, body, findNoError }): Fault[] {
      // Events are not read, and are no Error either.
      const isKnown = body.isRead || isEventStream(headers);
      if (isDocumented(operation, status) || status < LOWEST_ERROR_STATUS || !isKnown) return [];
      const problem = findNoError();
      if (problem === undefined) return [];
      const { message, location: place, missing, received } = problem;
      const isInBody = place[1] === 'body';
      return [
        {
          location: isInBody ? place : ['response', 'body'],
          message: `The body of a ${status} must be an Error. ${message}`,
          missing,
          // If the media type is wrong, the body shows who answered.
          ...(isInBody && { received }),
        },
      ];
    },
  },
  {
    id: 'not-refused',
    meaning: 'a request without a key, with another scheme than Bearer or with an invalid body succeeded',
    severity: 'error',
    find({ message: { status }, request: { headers }, ofRequest, operation: { responses } }) {
      if (!isSuccess(status)) return [];
      // A word such as `undefined` may be a key.
      const hasNoKey =
        ofRequest.some(({ rule }) => rule === keyRules.missing) || findEmptyKey(headers.authorization) === '';
      if (hasNoKey) return [{ location, message: 'The request has no key, so the status must be 401' }];
      return Object.hasOwn(responses, 400) && hasInvalidBody(headers, ofRequest)
        ? [{ location, message: 'The body of the request is not valid, so the status must be 400' }]
        : [];
    },
  },
];

/**
 * Returns the code under which the contract has a status of an operation: the status, a range such as 4XX, or the default; undefined
 * without one. Source: OAS 3.0.3, Responses Object
 */
export function findDocumented({ responses }: Operation, status: number): string | undefined {
  return [`${status}`, `${status}`.replace(/..$/, 'XX'), 'default'].find((code) =>
    Object.hasOwn(responses, code),
  );
}

function isDocumented(operation: Operation, status: number): boolean {
  return findDocumented(operation, status) !== undefined;
}

function isConditional(headers: Headers): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** Returns whether a body breaks its schema however a service reads it: of a member that is there twice, it may take either. */
function hasInvalidBody(headers: Headers, ofRequest: readonly FoundViolation[]): boolean {
  if (ofRequest.some(({ rule }) => rule === 'repeated-member')) return false;
  return ofRequest.some(({ severity, rule, location: [, part] }) => {
    // A recording may lack a body that was sent.
    if (rule === 'missing-body') return headers['content-length'] === '0';
    return severity === 'error' && part === 'body' && !ofSpelling.has(rule);
  });
}

/** Rules for how a body is written: a lenient service reads what is in it all the same. */
const ofSpelling: ReadonlySet<string> = new Set(['json', 'unchecked-body']);

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function describeStatuses({ operationId, responses }: Operation): string {
  return `The status is not among the statuses of ${operationId}: ${Object.keys(responses).join(', ')}`;
}
