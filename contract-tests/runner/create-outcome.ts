import { Failed, type FailureDetails, NotTested, Skipped } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import type { Context } from '../vocabulary/context.ts';
import { findCachedRefusal, findCause } from './causes.ts';
import { createEvidence, printScript } from './evidence.ts';
import { type Facts, findFacts } from './link-failures.ts';
import type { Result } from './report.ts';

type Outcome = Omit<Result, 'clause' | 'ms' | 'compared' | 'requests'>;

/** Creates the outcome of a clause from its error, without any key. An unexpected error is a fault of the suite. */
export function createOutcome(error: Error, context: Context): Outcome & { readonly facts?: Facts } {
  const hide = (text: string) => hideKeys(text, context.target);
  if (error instanceof Failed) return createFailure(error, context, hide);
  if (!(error instanceof Skipped)) return { verdict: 'error', reason: hide(error.stack ?? String(error)) };
  const reason = hide(error.message);
  if (!(error instanceof NotTested)) return { verdict: 'not applicable', reason };
  return { verdict: 'not tested', reason, cause: error.cause };
}

function createFailure(failed: Failed, context: Context, hide: (text: string) => string) {
  const { exchange, failures, details } = failed;
  const cached = findCachedRefusal(exchange, context);
  const before = [...findBefore(exchange, details, context), ...(cached ? [cached] : [])];
  const { more = [] } = details;
  const suspected = findCause(failed, context);
  const toEvidence = (one: Exchange) => createEvidence(one, context.target);
  return {
    facts: findFacts(failed, suspected),
    verdict: 'failed',
    failures: mapStrings(failures, hide),
    ...(suspected !== undefined && { suspected: mapStrings(suspected, hide) }),
    evidence: toEvidence(exchange),
    ...(before.length > 0 && { before: before.map(toEvidence) }),
    ...(more.length > 0 && { more: more.map(toEvidence) }),
    ...(before.length > 0 && { script: printScript([...before, exchange], context.target) }),
  } as const;
}

/** Returns a value with each string of it replaced. */
function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === 'string') return replace(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, replace)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapStrings(one, replace)]),
  ) as T;
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
