import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../../common/learn/exchange.ts';
import type { Observation } from '../../common/learn/finished-run.ts';
import { observeRun, only } from './in-eras.ts';
import type { Era } from './traffic.ts';

/** How many lists of one query show an order: with fewer ones, shuffled lists may look ordered by chance. */
const LISTS_OF_ORDER = 4;

/** How many lists are compared: each pair of their animals takes time. */
const MOST_LISTS_OF_ORDER = 100;

/** How many animals a list has to have for that. */
const ANIMALS_OF_ORDER = 5;

/** Without a listed addition only ids show the age, and random ids of fewer animals may grow by chance. */
const ANIMALS_BY_ID = 8;

/** Observes the order of lists of one query, which several lists have to show. */
export function observeOrder({ accepted }: Era): Observation {
  const { additions } = accepted;
  const added = new Set(additions.map(({ id }) => id));
  const isAgeShown = accepted.lists.some(({ animals }) => animals.some(({ id }) => added.has(id as bigint)));
  const least = isAgeShown ? ANIMALS_OF_ORDER : ANIMALS_BY_ID;
  const long = accepted.lists.filter(({ animals }) => animals.length >= least).slice(-MOST_LISTS_OF_ORDER);
  const byQuery = [...Map.groupBy(long, ({ path }) => path).values()];
  if (!byQuery.some(({ length }) => length >= LISTS_OF_ORDER))
    return { unknown: 'the traffic has too few lists' };
  const observation = observeRun('order', only([...additions, ...long]));
  const isGrouped = long.some(({ isByStatus, animals }) => !isByStatus && isGroupedByStatus(animals));
  if (isGrouped && 'value' in observation && /^(?:newest|oldest|name)$/.test(`${observation.value}`))
    return { unknown: 'more than one order fits' };
  const isByName = 'value' in observation && observation.value === 'name';
  const isMixed = hasIdsInOrder(long, 1n) && hasIdsInOrder(long, -1n);
  return isByName && !isMixed ? { unknown: 'more than one order fits' } : observation;
}

/** Returns whether a list has the animals of each status next to each other, of at least two statuses. */
function isGroupedByStatus(animals: readonly JsonObject[]): boolean {
  const statuses = animals.map(({ status }) => status);
  const starts = statuses.filter((status, index) => index === 0 || status !== statuses[index - 1]);
  const hasSeveral = starts.every((status) => statuses.filter((one) => one === status).length > 1);
  return starts.length > 1 && new Set(starts).size === starts.length && hasSeveral;
}

/** Returns whether some neighbours in lists have growing ids, or falling ones. */
function hasIdsInOrder(lists: readonly Exchange[], sign: bigint): boolean {
  return lists.some(({ animals }) =>
    animals.some(({ id }, index) => {
      const { id: next } = animals[index + 1] ?? {};
      return typeof id === 'bigint' && typeof next === 'bigint' && (next - id) * sign > 0n;
    }),
  );
}
