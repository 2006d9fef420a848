import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { listedBeforeAdding } from './additions.ts';
import { type Context, longestByStatus, statuses } from './context.ts';
import { DEFAULT_LIMIT, MOST_LISTED } from './lists.ts';

/** More bytes than an animal with an ordinary name takes. */
const ROOM = 300;

/**
 * Returns whether a list with the largest limit is complete. limit is a maximum: a deployment may have a lower one, one for
 * lists by status, or one in bytes. A page has at least one animal where there are some.
 *
 * @param all the animals in the list of all with the same limit
 */
export function isWhole(context: Context, list: Exchange, all: readonly JsonObject[]): boolean {
  const { length } = list.animals;
  if (length >= MOST_LISTED) return false;
  if (length === 0) return true;
  const byStatus = listsByStatus(context);
  if (showsAll(all, byStatus)) return !list.isByStatus || !isCutLikeOthers(context, list, all, byStatus);
  if (list.isByStatus && mayBeCut(context, list, byStatus)) return false;
  if (length < Math.min(all.length, MOST_LISTED)) return true;
  if (length >= DEFAULT_LIMIT) return false;
  // With very short pages the list of all animals has fewer than the lists before it.
  const listed = new Set(context.lists.flatMap(({ animals }) => animals.map(({ id }) => id)));
  return listed.size <= all.length;
}

/** Returns the last list of each status with the largest limit. */
export function listsByStatus({ lists }: Context): readonly Exchange[] {
  return longestByStatus.flatMap((query) => lists.findLast(({ path }) => path === `/pets${query}`) ?? []);
}

/** Returns whether the list of all has what several lists by status have: a list that was cut would lack some. */
function showsAll(all: readonly JsonObject[], byStatus: readonly Exchange[]): boolean {
  if (all.length >= MOST_LISTED || byStatus.length < statuses.length) return false;
  const ids = new Set(all.map(({ id }) => id));
  const isSeveral = byStatus.filter(({ animals }) => animals.length > 0).length > 1;
  return isSeveral && byStatus.every(({ animals }) => animals.every(({ id }) => ids.has(id)));
}

/**
 * Returns whether a list by status lacks animals of the list of all, and another of the same length does too. A list that
 * lacks new animals only was not cut: it is old.
 */
function isCutLikeOthers(
  context: Context,
  list: Exchange,
  all: readonly JsonObject[],
  byStatus: readonly Exchange[],
): boolean {
  const before = listedBeforeAdding(context);
  const old = all.filter(({ id }) => typeof id === 'bigint' && before.has(id));
  const isCut = ({ animals, path }: Exchange) => {
    const ids = new Set(animals.map(({ id }) => id));
    return old.some(({ id, status }) => path.endsWith(`status=${status}`) && !ids.has(id));
  };
  return isCut(list) && byStatus.some((other) => isAsLong(other, list) && isCut(other));
}

/** Returns whether pages by status may be smaller, or limited in bytes: another is as long, and none has grown. */
function mayBeCut({ lists }: Context, list: Exchange, byStatus: readonly Exchange[]): boolean {
  const { length } = list.animals;
  const hasGrown = lists.some(({ path, animals }) => path === list.path && animals.length < length);
  const hasRoom = lists.some((other) => sizeOf(other) > sizeOf(list) + ROOM);
  return (byStatus.some((other) => isAsLong(other, list)) && !hasGrown) || !hasRoom;
}

function isAsLong(other: Exchange, list: Exchange): boolean {
  return other.path !== list.path && other.animals.length === list.animals.length;
}

function sizeOf({ response }: Exchange): number {
  return response?.length ?? response?.body.length ?? 0;
}
