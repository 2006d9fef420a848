import { type Exchange, toOperation } from '../../client/exchange.ts';
import { findRequestKind, VALID } from './find-request-kind.ts';

/** What a failure, or one status of it, shows. */
export interface ShownFacts {
  /** Shown facts, such as a changed member, or a wrong status for a kind of request. */
  readonly shows: readonly string[];
  /** Facts that explain the failure if another one shows them. */
  readonly follows: readonly string[];
}

/** The start of each fact about a status. */
export const STATUS = 'status ';

/** Finds what the status of a response shows, and what explains it, for the kind of its request. @param otherKey of the target */
export function findStatusFacts(exchange: Exchange, otherKey: string): ShownFacts {
  const { request, status, isPage, isSuccess, isAddition } = exchange;
  // What redirects looks at no key and at no body.
  if (status >= 300 && status < 400) return { shows: [`${STATUS}redirect ${status}`], follows: [] };
  const credentials = request.headers.Authorization;
  const operation = toOperation(request);
  const kind = findRequestKind(request);
  // What is before the service, such as a firewall, looks at no body.
  if (request.isAuthorized && isPage && status >= 400 && status < 500)
    return { shows: [`${STATUS}${operation} page ${status}`], follows: [] };
  if (request.isAuthorized) {
    // One handler refuses every invalid request, perhaps with 200, but each check accepts its own.
    const isAccepted = isSuccess && (request.method === 'GET' || isAddition);
    if (!isAccepted && kind !== VALID)
      return { shows: [`${STATUS}${operation} invalid ${status}`], follows: [] };
    // The value that was accepted for a member is in the animals from then on.
    return { shows: [`${STATUS}${operation} ${kind} ${status}`, `invalid ${kind}`], follows: [] };
  }
  const isAccepted = status < 400 || status === 404 || (status === 400 && kind !== VALID);
  // One handler refuses every request without a key.
  if (!isAccepted) return { shows: [`refusal ${status}`], follows: [] };
  const isAny =
    credentials === undefined || ['Bearer', 'Bearer ', `Bearer ${otherKey}`].includes(credentials);
  const open = [`accepts anyone ${operation}`];
  return { shows: [`accepts ${credentials}`, ...(isAny ? open : [])], follows: open };
}
