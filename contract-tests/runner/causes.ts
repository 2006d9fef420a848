import { isDeepStrictEqual } from 'node:util';
import type { Failed } from '../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import type { Cause } from '../failures/failure.ts';
import { suspectChange } from '../failures/suspect-change.ts';
import type { Context } from '../vocabulary/context.ts';
import { findStaleness, mayLag } from '../vocabulary/lists.ts';

/** Finds the probable cause of a failure. */
export function findCause({ fault, exchange, details }: Failed, context: Context): Cause | undefined {
  if (details.suspected !== undefined) return details.suspected;
  const ofChange = fault.kind === 'member' ? suspectChange(fault) : undefined;
  if (ofChange !== undefined) return ofChange;
  if (findCachedRefusal(exchange, context) !== undefined) return { cause: 'cached without the key' };
  const staleness = mayLag(fault) ? findStaleness(context, exchange, details.about) : undefined;
  return staleness ?? findTurns(exchange, context);
}

/** Returns the request without the valid key whose 401 was returned for the valid key. */
export function findCachedRefusal(exchange: Exchange, { journal, target }: Context): Exchange | undefined {
  const { method, path } = exchange.request;
  const isRefused = exchange.status === 401 && hasValidKey(exchange, target);
  if (!isRefused || method !== 'GET') return undefined;
  return journal.findLast((one) => {
    const isSame = one.request.method === 'GET' && one.request.path === path;
    return isSame && one.at < exchange.at && one.status === 401 && !hasValidKey(one, target);
  });
}

/** Finds whether the same request got another response before and after. What changed once may have had a reason. */
function findTurns(exchange: Exchange, { journal }: Context): Cause | undefined {
  const isOwnPage = exchange.isPage && !exchange.isGatewayPage;
  const describe = (one: Exchange) => (isOwnPage && one.isPage ? 'page' : one.outcome);
  const outcomes = journal
    .filter(({ request }) => isDeepStrictEqual(request, exchange.request))
    .toSorted((one, other) => one.at - other.at)
    .map(describe);
  const turns = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]);
  const leastTurns = isOwnPage ? 1 : 2;
  if (turns.length < leastTurns) return undefined;
  const others = outcomes.filter((outcome) => outcome !== describe(exchange));
  const [otherwise = ''] = others;
  const cause = isOwnPage ? 'page' : 'intermittent';
  return { cause, others: others.length, of: outcomes.length, otherwise };
}
