import { type Exchange, toOperation } from '../../client/exchange.ts';
import { createFindCause } from '../../client/find-words.ts';
import type { Failure, Fault } from '../../failures/failure.ts';
import { findRequestKind, VALID } from './find-request-kind.ts';

/** What a server fails at: valid requests of an operation, or invalid ones. */
export interface FailedRequest {
  /** Such as `POST /pets`. */
  readonly operation: string;
  /** `valid`, `invalid`, or the unusual form of the request. */
  readonly kind: string;
  readonly isAuthorized: boolean;
  /** The words of the response, which tell its cause. */
  readonly words: string;
}

/** The 5xx of a run with the same words. */
export interface CountedFault {
  readonly words: string;
  /** Whether the same requests got other responses too. */
  readonly isAtRandom: boolean;
}

/** The operation of what is the same for each of them. */
export const ANY = 'any';

/** Finds what the server failed at; undefined if the response is none of a fault. */
export function findFailedRequest(
  { request, response, words }: Exchange,
  fault: Fault,
): FailedRequest | undefined {
  if (response !== undefined && response.status < 500) return undefined;
  // What looks at the form of a body is the same for every operation.
  const isOfForm = request.isAuthorized && fault.kind === 'status' && fault.request?.what === 'form';
  if (isOfForm) return { operation: ANY, kind: fault.request.form, isAuthorized: true, words };
  const kind = findRequestKind(request) === VALID ? VALID : 'invalid';
  return { operation: toOperation(request), kind, isAuthorized: request.isAuthorized === true, words };
}

/** Groups the 5xx that a failure counts by their words. */
export function countServerFaults(
  failures: readonly Failure[],
  faulty: readonly Exchange[],
): readonly CountedFault[] {
  const words = [...new Set(faulty.map((exchange) => exchange.words))];
  const toCause = createFindCause(words);
  const causes = failures.flatMap((failure) =>
    failure.kind === 'server fault' && failure.otherwise.length > 0 ? [failure.words ?? ''] : [],
  );
  return words.map((some) => ({ words: some, isAtRandom: causes.includes(toCause(some)) }));
}
