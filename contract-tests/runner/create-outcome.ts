import { Failed, type FailureDetails, NotTested, Skipped } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import { redactCause, redactFailure } from '../failures/redact-failure.ts';
import type { Context } from '../vocabulary/context.ts';
import { findCachedRefusal, findCause } from './causes.ts';
import { createEvidence, printScript } from './evidence.ts';
import { type Facts, findFacts } from './links/find-facts.ts';

import type { Result } from './report.ts';

type Outcome = Omit<Result, 'clause' | 'ms' | 'compared' | 'requests'>;

/** Creates the outcome of a clause from its error, without any key. An unexpected error is a fault of the suite. */
export function createOutcome(error: Error, context: Context): Outcome & { readonly facts?: Facts } {
  const hide = (text: string) => hideKeys(text, context.target);
  if (error instanceof Failed) return createFailedOutcome(error, context, hide);
  if (!(error instanceof Skipped)) return { verdict: 'error', reason: hide(error.stack ?? String(error)) };
  const reason = hide(error.message);
  if (!(error instanceof NotTested)) return { verdict: 'not applicable', reason };
  return { verdict: 'not tested', reason, cause: error.cause };
}

function createFailedOutcome(failed: Failed, context: Context, hide: (text: string) => string) {
  const { exchange, failures, details } = failed;
  const cached = findCachedRefusal(exchange, context);
  const before = [...findBefore(exchange, details, context), ...(cached ? [cached] : [])];
  const { more = [] } = details;
  const suspected = findCause(failed, context);
  const toEvidence = (one: Exchange) => createEvidence(one, context.target);
  return {
    facts: findFacts(failed, suspected, context.target),
    verdict: 'failed',
    failures: failures.map((one) => redactFailure(one, hide)),
    ...(suspected !== undefined && { suspected: redactCause(suspected, hide) }),
    evidence: toEvidence(exchange),
    ...(before.length > 0 && { before: before.map(toEvidence) }),
    ...(more.length > 0 && { more: more.map(toEvidence) }),
    ...(before.length > 0 && { script: printScript([...before, exchange], context.target) }),
  } as const;
}

/** Returns what led to a failure: how its animal was added, then the exchanges that the clause has named. */
function findBefore(exchange: Exchange, { about, before = [] }: FailureDetails, { journal }: Context) {
  const id = typeof about === 'bigint' ? about : exchange.requestedId;
  const addition = journal.findLast(
    (one) => one.isAddition && one !== exchange && one.at <= exchange.at && one.id === id,
  );
  const all = [...(addition === undefined || id === undefined ? [] : [addition]), ...before];
  return [...new Set(all)].filter((one) => one.at <= exchange.at);
}
