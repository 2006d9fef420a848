import { isDeepStrictEqual } from 'node:util';
import { idOf, isAddition } from './core/add-animal.ts';
import type { Context } from './core/context.ts';
import { hasValidKey } from './core/create-key-check.ts';
import { createEvidence, printScript } from './core/evidence.ts';
import {
  cutShortened,
  type Exchange,
  isGatewayPage,
  isPage,
  outcomeOf,
  readObject,
  shorten,
} from './core/exchange.ts';
import { findStaleness } from './core/find-staleness.ts';
import { hideKeys } from './core/hide-keys.ts';
import { Failed, type FailureDetails, PAGE, Skipped, Unproven } from './core/result.ts';
import type { Result } from './report.ts';

/** Puts what a clause has thrown into words, without any key; what it may not throw is a fault of the suite. */
export function describeOutcome(
  error: Error,
  context: Context,
  last?: Exchange,
): Omit<Result, 'clause' | 'ms' | 'exchanges' | 'requests'> {
  const { target } = context;
  const hide = (text: string) => cutShortened(hideKeys(text, target));
  if (error instanceof Skipped) {
    const reason = hide(error.message);
    if (!(error instanceof Unproven)) return { verdict: 'not applicable', reason };
    return { verdict: 'not tested', reason, cause: error.cause };
  }
  if (!(error instanceof Failed)) return { verdict: 'error', reason: hide(error.stack ?? String(error)) };
  // A clause that names no exchange has failed at its own last one.
  const exchange = error.exchange ?? last;
  const cached = exchange && findCachedRefusal(exchange, context);
  const before =
    exchange === undefined
      ? []
      : [...findBefore(exchange, error.details, context), ...(cached ? [cached] : [])];
  const { more = [] } = error.details;
  const { suspected = cached ? CACHED_401 : exchange && suspectOfRun(exchange, before, context, error) } =
    error.details;
  return {
    verdict: 'failed',
    expected: hide(error.expected),
    actual: hide(`${error.actual}${exchange && quoteMessage(error.actual, exchange)}`),
    ...(suspected !== undefined && { suspected }),
    ...(exchange && { evidence: createEvidence(exchange, target) }),
    ...(before.length > 0 && { before: before.map((one) => createEvidence(one, target)) }),
    ...(more.length > 0 && { more: more.map((one) => createEvidence(one, target)) }),
    ...(exchange && before.length > 0 && { script: printScript([...before, exchange], target) }),
  };
}

/** Quotes what the service said with a 4xx or 5xx: its message, or else the text of the body. */
function quoteMessage(actual: string, exchange: Exchange): string {
  const { status = 0, body = '' } = exchange.response ?? {};
  if (actual !== outcomeOf(exchange) || status < 400) return '';
  const { message } = readObject(exchange) ?? {};
  const [, title] = /<title[^>]*>\s*(.*?)\s*<\/title/is.exec(String(body)) ?? [];
  const text = typeof message === 'string' ? message : (title ?? String(body).replaceAll(/\s+/g, ' ').trim());
  // A long message is kept as a digest.
  const said = shorten(text.replace(/… \(\d+ characters, SHA-256.*$/s, '…'));
  return text === '' ? '' : `: "${said}"`;
}

/** What led to a failure: how the animal was added that it is about, then what the clause has named. */
function findBefore(
  exchange: Exchange,
  { about, before = [] }: FailureDetails,
  { client }: Context,
): readonly Exchange[] {
  const [, fetched] = /^\/pets\/(-?\d+)$/.exec(exchange.request.path) ?? [];
  const id = typeof about === 'bigint' ? String(about) : fetched;
  const addition = client.journal.findLast(
    (one) => isAddition(one) && one !== exchange && one.at <= exchange.at && String(idOf(one)) === id,
  );
  const all = [...(addition === undefined ? [] : [addition]), ...before];
  return [...new Set(all)].filter((one) => one.at <= exchange.at);
}

const CACHED_401 = 'cached: the same request without the valid key was answered 401 before';

/** The request without the valid key whose 401 was returned for the valid key. */
function findCachedRefusal(exchange: Exchange, { client, target }: Context): Exchange | undefined {
  const { method, base, path } = exchange.request;
  const isRefused = exchange.response?.status === 401 && hasValidKey(exchange, target);
  if (!isRefused || method !== 'GET') return undefined;
  const isSame = (one: Exchange) =>
    one.request.method === 'GET' && one.request.base === base && one.request.path === path;
  const same = client.journal.filter((one) => isSame(one) && one.at < exchange.at);
  const refused = same.filter((one) => one.response?.status === 401 && !hasValidKey(one, target));
  return refused.toSorted((one, other) => other.at - one.at)[0];
}

/** Received values of a failure about a list that lacks an animal. */
const LACKS = /^(?:a list without it|an (?:empty|older) list)$/;

/** What the other answers of the run to the same request say of a failure. */
function suspectOfRun(
  exchange: Exchange,
  before: readonly Exchange[],
  context: Context,
  { actual, details }: Failed,
): string | undefined {
  const { client } = context;
  const staleness = LACKS.test(actual) ? findStaleness(context, exchange, details.about) : undefined;
  if (staleness !== undefined) return staleness;
  const { method, path, base, body, headers } = exchange.request;
  const same = client.journal.filter(
    ({ request }) =>
      request.method === method &&
      request.path === path &&
      request.base === base &&
      request.body === body &&
      isDeepStrictEqual(request.headers, headers),
  );
  const isOwnPage = isPage(exchange) && !isGatewayPage(exchange);
  const outcomes = same
    .toSorted((one, other) => one.at - other.at)
    .map((one) => (isOwnPage && isPage(one) ? PAGE : outcomeOf(one)));
  const own = isOwnPage ? PAGE : outcomeOf(exchange);
  const turns = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]);
  // What changed once may have had a reason; what changed back and forth has none.
  if (turns.length > 1 || (isOwnPage && turns.length > 0)) {
    const others = outcomes.filter((outcome) => outcome !== own);
    return `intermittent: ${isOwnPage ? `${PAGE}, ` : ''}the same request was answered ${others[0]} at other times, ${others.length} of ${same.length}`;
  }
  const addition = before.find(isAddition);
  const wasMissing = same.some((one) => addition !== undefined && one.at < addition.at);
  if (turns.length > 0 || own !== '404' || !wasMissing) return undefined;
  return 'cached: the same request was answered 404 before the animal was added';
}
