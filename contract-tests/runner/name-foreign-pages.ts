import { Failed } from '../client/clause-errors.ts';
import { type Exchange, hasValidKey, toOperation } from '../client/exchange.ts';
import type { Failure } from '../failures/failure.ts';
import { listDistinct } from '../failures/identify-failure.ts';
import { addOfEachStatus } from '../vocabulary/additions.ts';
import type { Context } from '../vocabulary/context.ts';
import { findBodyFault } from '../vocabulary/find-schema-fault.ts';

/** The status with which firewalls refuse a request. */
const FORBIDDEN = 403;

/**
 * Names the failures of a clause that show a page in place of the service's own response, such as of a firewall, which refuses odd
 * requests: it is one failure, whatever the clauses expected. A service whose own errors are pages is none, and neither is one that
 * refuses each ordinary request of an operation with a page.
 */
export async function nameForeignPages(failed: Failed, context: Context): Promise<Failed> {
  const { failures, exchange, details } = failed;
  if (!failures.some(isForbiddenPage)) return failed;
  const isCreation = exchange.request.method === 'POST' && hasValidKey(exchange, context.target);
  // Without an ordinary animal nothing shows that the service answers.
  if (isCreation) await addOfEachStatus(context).catch(() => {});
  if (!failures.some((failure) => isForeign(failure, context))) return failed;
  const named = listDistinct(
    failures.map((failure) => (isForeign(failure, context) ? nameOne(failure) : failure)),
  );
  const [first, ...others] = named;
  if (first === undefined) return failed;
  return new Failed(first, exchange, { ...details, others });
}

function isForbiddenPage({ isPage, status }: Failure): boolean {
  return isPage === true && status === FORBIDDEN;
}

function isForeign(failure: Failure, context: Context): boolean {
  if (!isForbiddenPage(failure) || isRefusedAltogether(failure.operation, context)) return false;
  const isOwn = (one: Exchange) =>
    one.status >= 400 && one.status < 500 && findBodyFault('Error', one) === undefined;
  const own = context.journal.filter(isOwn);
  const isOfKey = failure.kind === 'status' && failure.expected === 401;
  return own.some(({ status }) => !isOfKey || status === 401);
}

/** Returns whether requests of an operation with the valid key got a page, and none was answered. */
function isRefusedAltogether(operation: string, { journal, target }: Context): boolean {
  const valid = journal.filter((one) => toOperation(one.request) === operation && hasValidKey(one, target));
  return !valid.some(({ isSuccess }) => isSuccess) && valid.some((one) => isPageOfFirewall(one));
}

function isPageOfFirewall({ status, isPage }: Exchange): boolean {
  return status === FORBIDDEN && isPage;
}

function nameOne({ operation, side, status, said, isPage }: Failure): Failure {
  return {
    kind: 'foreign page',
    operation,
    side,
    ...(status !== undefined && { status }),
    ...(said !== undefined && { said }),
    ...(isPage && { isPage }),
  };
}

/** Lists the exchanges with such a page, one of each request, whatever its credentials. */
export function listForeignPages(journal: readonly Exchange[]): readonly Exchange[] {
  const toKey = ({ request }: Exchange) => [request.method, request.path, request.body].join(' ');
  return [...new Map(journal.filter(isPageOfFirewall).map((one) => [toKey(one), one])).values()];
}
