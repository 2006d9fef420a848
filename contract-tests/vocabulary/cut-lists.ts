import type { Exchange } from '../client/exchange.ts';
import type { Context } from './context.ts';
import { isValidList, queryOf } from './list-parameters.ts';

/** Which ids a list keeps when its limit cuts it short. */
type Kept = 'lowest' | 'highest';

/**
 * Returns a function that says whether a list must have an animal although its limit may cut it short: the animal comes before
 * one that the list has. That is known only where every list is in the order of ids.
 */
export function findReach(context: Context, list: Exchange): (id: unknown) => boolean {
  const kept = findKept(context);
  const [least, greatest] = findBounds(idsOf(list));
  return (id) => {
    if (typeof id !== 'bigint' || least === undefined || greatest === undefined) return false;
    return (kept === 'lowest' && id < greatest) || (kept === 'highest' && id > least);
  };
}

/**
 * Returns a function that says whether a list must have a new animal although its limit may cut it short. New ids may be anywhere, so an
 * earlier animal of this run has to be in a list, in the order of ids, and the new one has to come before it.
 */
export function findReachOfNew(context: Context, list: Exchange): (id: unknown) => boolean {
  const isReached = findReach(context, list);
  const kept = findKept(context);
  const own = new Set(context.additions.map((addition) => addition.id));
  const shown = context.lists.flatMap(idsOf).filter((id) => own.has(id));
  return (id) => {
    if (typeof id !== 'bigint' || !isReached(id)) return false;
    return shown.some((other) => (kept === 'highest' ? id > other : id < other));
  };
}

/** Returns which ids a list keeps when it is cut short. The order alone does not show it: the newest 20 may be shown oldest first. */
function findKept({ lists }: Context): Kept | undefined {
  const valid = lists.filter(({ path }) => isValidList(path));
  if (!valid.every(isAscending) && !valid.every(isDescending)) return undefined;
  const ofAll = valid
    .filter(({ path }) => !queryOf(path).has('status'))
    .toSorted((one, other) => one.at - other.at);
  const kept = ofAll.map((list, index) => {
    const longer = ofAll.slice(0, index).findLast(({ animals }) => animals.length > list.animals.length);
    return longer && compareLeast(idsOf(list), idsOf(longer));
  });
  const [first, ...others] = kept.filter((one) => one !== undefined);
  return others.every((one) => one === first) ? first : undefined;
}

/** Returns which ids a short list keeps of those of an earlier and longer one. Only greater ids were added in between. */
function compareLeast(short: readonly bigint[], long: readonly bigint[]): Kept | undefined {
  const [least] = findBounds(short);
  const [leastOfAll] = findBounds(long);
  if (least === undefined || leastOfAll === undefined) return undefined;
  return least > leastOfAll ? 'highest' : 'lowest';
}

function idsOf({ animals }: Exchange): readonly bigint[] {
  return animals.map(({ id }) => id).filter((id) => typeof id === 'bigint');
}

function isAscending(list: Exchange): boolean {
  const ids = idsOf(list);
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
}

function isDescending(list: Exchange): boolean {
  const ids = idsOf(list);
  return ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? id));
}

/** Returns the least and the greatest of some ids. */
function findBounds(ids: readonly bigint[]): readonly [least: bigint, greatest: bigint] | readonly [] {
  const [first] = ids;
  if (first === undefined) return [];
  let [least, greatest] = [first, first];
  for (const id of ids) {
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return [least, greatest];
}
