import { toAgain } from '../client/to-request.ts';
import type { ListAnswer } from '../history/history.ts';
import { isMatch } from '../history/list-query.ts';
import { lookAtLists } from './membership.ts';
import type { Evidence, Look } from './rule.ts';
import { compare, sight } from './sight.ts';

/** The least number of animals in a list that match a filter which was not asked for. */
const LEAST_MATCHING = 2;

/**
 * Looks for lists that lack animals for a parameter of the list before them: another response to the same request has more animals.
 */
export function lookForCarriedOver(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const lacking = new Map(
    evidence
      .once(lookAtLists)
      .map(({ list, missing }) => [list, missing.filter(({ excuse }) => excuse === undefined)]),
  );
  const inTurn = history.lists.toSorted((one, other) => one.exchange.at - other.exchange.at);
  // A list that lacks animals, and is as long as no limit of the run, has another reason, which the others may have too.
  const limits = new Set(history.lists.map(({ query }) => query.limit));
  const isOtherwise = [...lacking].some(
    ([list, missing]) => missing.length > 0 && !limits.has(list.ids.size),
  );
  return inTurn.flatMap((list, index) => {
    const before = inTurn[index - 1];
    if (!list.query.isValid || before === undefined) return [];
    const carried = findCarriedOver(before, list, isOtherwise);
    const missing = lacking.get(list) ?? [];
    const isOtherwiseLonger = history.lists.some(
      ({ exchange, ids }) => exchange.path === list.exchange.path && ids.size > list.ids.size,
    );
    if (carried === undefined || missing.length === 0 || !isOtherwiseLonger)
      return [compare(list.exchange, list.exchange.animals)];
    return [
      sight(list.exchange, carried, {
        subject: `carried over ${carried.parameter}`,
        evidence: 'seen',
        ask: [toAgain(before.exchange), toAgain(list.exchange)],
        about: missing.map(({ animal }) => animal.id),
        before: [before.exchange],
      }),
    ];
  });
}

/** Returns whether a list follows a full one with a smaller limit, which it could have kept. */
function mayKeepLimit({ query: { hasLimit, limit }, ids }: ListAnswer, list: ListAnswer): boolean {
  return hasLimit && ids.size === limit && list.query.limit > limit;
}

/** Finds a parameter of the list before that a list seems to have too. @param isOtherwise whether lists lack animals for another reason than a limit */
function findCarriedOver(before: ListAnswer, list: ListAnswer, isOtherwise: boolean) {
  const { filters, limit } = before.query;
  const { animals } = list.exchange;
  const areMatching = animals.length >= LEAST_MATCHING && animals.every((one) => isMatch(before.query, one));
  const kept = filters.find(({ filter }) => list.query.filters.every((own) => own.filter !== filter));
  if (kept !== undefined && areMatching)
    return { kind: 'carried over', parameter: kept.filter.name, value: `${kept.value}` } as const;
  if (!isOtherwise && mayKeepLimit(before, list) && list.ids.size === limit)
    return { kind: 'carried over', parameter: 'limit', value: `${limit}` } as const;
  return undefined;
}
