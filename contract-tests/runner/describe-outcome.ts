import { isDeepStrictEqual } from 'node:util';
import { Failed, type FailureDetails, NotTested, Skipped } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import { hasValidKey } from '../client/key-check.ts';
import type { Cause } from '../failures/failure.ts';
import type { Context } from '../model/context.ts';
import { createEvidence, printScript } from '../model/evidence.ts';
import { findStaleness, mayLag } from '../model/lists.ts';
import type { Result } from './report.ts';

type Outcome = Omit<Result, 'clause' | 'ms' | 'compared' | 'requests'>;

/** Describes the error of a clause, without any key. An unexpected error is a fault of the suite. */
export function describeOutcome(error: Error, context: Context): Outcome {
  const { target } = context;
  const hide = (text: string) => hideKeys(text, target);
  if (error instanceof Skipped) {
    const reason = hide(error.message);
    if (!(error instanceof NotTested)) return { verdict: 'not applicable', reason };
    return { verdict: 'not tested', reason, cause: error.cause };
  }
  if (!(error instanceof Failed)) return { verdict: 'error', reason: hide(error.stack ?? String(error)) };
  const { exchange, failures } = error;
  const cached = findCachedRefusal(exchange, context);
  const before = [...findBefore(exchange, error.details, context), ...(cached ? [cached] : [])];
  const cachedCause = cached && ({ cause: 'cached without the key' } as const);
  const { more = [], suspected = cachedCause ?? suspectOfRun(error, before, context) } = error.details;
  const toEvidence = (one: Exchange) => createEvidence(one, target);
  return {
    verdict: 'failed',
    failures: mapStrings(failures, hide),
    ...(suspected !== undefined && { suspected: mapStrings(suspected, hide) }),
    evidence: toEvidence(exchange),
    ...(before.length > 0 && { before: before.map(toEvidence) }),
    ...(more.length > 0 && { more: more.map(toEvidence) }),
    ...(before.length > 0 && { script: printScript([...before, exchange], target) }),
  };
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

/** Returns the request without the valid key whose 401 was returned for the valid key. */
function findCachedRefusal(exchange: Exchange, { journal, target }: Context): Exchange | undefined {
  const { method, base, path } = exchange.request;
  const isRefused = exchange.status === 401 && hasValidKey(exchange, target);
  if (!isRefused || method !== 'GET') return undefined;
  return journal.findLast((one) => {
    const isSame = one.request.method === 'GET' && one.request.base === base && one.request.path === path;
    return isSame && one.at < exchange.at && one.status === 401 && !hasValidKey(one, target);
  });
}

function suspectOfRun(
  { fault, exchange, details }: Failed,
  before: readonly Exchange[],
  context: Context,
): Cause | undefined {
  const staleness = mayLag(fault) ? findStaleness(context, exchange, details.about) : undefined;
  if (staleness !== undefined) return staleness;
  const same = context.journal
    .filter(({ request }) => isDeepStrictEqual(request, exchange.request))
    .toSorted((one, other) => one.at - other.at);
  const isOwnPage = exchange.isPage && !exchange.isGatewayPage;
  const describe = (one: Exchange) => (isOwnPage && one.isPage ? PAGE : one.outcome);
  const outcomes = same.map(describe);
  const turns = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]);
  // What changed once may have had a reason; what changed back and forth has none.
  if (turns.length > 1 || (isOwnPage && turns.length > 0)) {
    const others = outcomes.filter((outcome) => outcome !== describe(exchange));
    const [otherwise = ''] = others;
    const cause = isOwnPage ? 'page' : 'intermittent';
    return { cause, others: others.length, of: same.length, otherwise };
  }
  const addition = before.find(({ isAddition }) => isAddition);
  const wasMissing = same.some((one) => addition !== undefined && one.at < addition.at);
  if (turns.length > 0 || exchange.status !== 404 || !wasMissing) return undefined;
  return { cause: 'cached before the addition' };
}

const PAGE = 'page';
