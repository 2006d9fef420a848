import { isDeepStrictEqual } from 'node:util';
import { type Exchange, PAGE } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import { hasValidKey } from '../client/key-check.ts';
import { Failed, type FailureDetails, NotTested, Skipped } from '../client/result.ts';
import { showDifference } from '../client/show-value.ts';
import type { Context } from '../model/context.ts';
import { createEvidence, printScript } from '../model/evidence.ts';
import { findStaleness } from '../model/lists.ts';
import type { Result } from './report.ts';

type Outcome = Omit<Result, 'clause' | 'ms' | 'compared' | 'requests'>;

/** Describes the error of a clause, without any key. An unexpected error is a fault of the suite. */
export function describeOutcome(error: Error, context: Context, last?: Exchange): Outcome {
  const { target } = context;
  const hide = (text: string) => hideKeys(text, target);
  if (error instanceof Skipped) {
    const reason = hide(error.message);
    if (!(error instanceof NotTested)) return { verdict: 'not applicable', reason };
    return { verdict: 'not tested', reason, cause: error.cause };
  }
  if (!(error instanceof Failed)) return { verdict: 'error', reason: hide(error.stack ?? String(error)) };
  // A clause that names no exchange has failed at its last one.
  const exchange = error.exchange ?? last;
  const [expected, actual] = describeFailure(error, exchange, hide);
  const failed = { verdict: 'failed', expected, actual } as const;
  if (exchange === undefined) return failed;
  const cached = findCachedRefusal(exchange, context);
  const before = [...findBefore(exchange, error.details, context), ...(cached ? [cached] : [])];
  const { more = [], suspected = cached ? CACHED_401 : suspectOfRun(error, exchange, before, context) } =
    error.details;
  const toEvidence = (one: Exchange) => createEvidence(one, target);
  return {
    ...failed,
    ...(suspected !== undefined && { suspected }),
    evidence: toEvidence(exchange),
    ...(before.length > 0 && { before: before.map(toEvidence) }),
    ...(more.length > 0 && { more: more.map(toEvidence) }),
    ...(before.length > 0 && { script: printScript([...before, exchange], target) }),
  };
}

function describeFailure(error: Failed, exchange: Exchange | undefined, hide: (text: string) => string) {
  const { expected, actual, details } = error;
  const { member, from, to, where } = details.change ?? {};
  if (member === undefined)
    return [hide(expected), hide(`${actual}${exchange && quoteMessage(actual, exchange)}`)] as const;
  const [wanted, got] = showDifference(from, to, hide);
  return [`the ${member} ${wanted}${where}`, got] as const;
}

/** Quotes what the service said with a 4xx or 5xx: its message, or else the text of the body. */
function quoteMessage(actual: string, exchange: Exchange): string {
  const { status, object: { message } = {}, response: { body } = {} } = exchange;
  if (actual !== exchange.outcome || status < 400) return '';
  const title = findTitle(exchange);
  const text = typeof message === 'string' ? message : (title ?? String(body).replaceAll(/\s+/g, ' ').trim());
  return text === '' ? '' : `: "${exchange.shorten(text)}"`;
}

export function findTitle({ response }: Exchange): string | undefined {
  const [, title] = /<title[^>]*>\s*(.*?)\s*<\/title/is.exec(String(response?.body ?? '')) ?? [];
  return title;
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

const CACHED_401 = 'cached: the same request without the valid key returned 401 before';

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

function suspectOfRun({ details }: Failed, exchange: Exchange, before: Exchange[], context: Context) {
  const staleness = details.lacksAnimal ? findStaleness(context, exchange, details.about) : undefined;
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
    const page = isOwnPage ? `${PAGE}, and ` : '';
    return `intermittent: ${page}${others.length} of ${same.length} times the same request returned ${others[0]}`;
  }
  const addition = before.find(({ isAddition }) => isAddition);
  const wasMissing = same.some((one) => addition !== undefined && one.at < addition.at);
  if (turns.length > 0 || exchange.status !== 404 || !wasMissing) return undefined;
  return 'cached: the same request returned 404 before the animal was added';
}
