import type { JsonObject } from '../../common/exact-json.ts';
import { listedBeforeAdding } from './add-animal.ts';
import { type Context, statuses } from './context.ts';
import {
  type AnimalList,
  DEFAULT_LIMIT,
  isFiltered,
  LONGEST,
  listsSoFar,
  MOST_LISTED,
} from './list-animals.ts';

/** More bytes than an animal takes whose name is of an ordinary length. */
const ROOM = 300;

/**
 * Whether a list with the largest limit was not cut short. limit is a maximum, and a deployment may have a lower one of its own,
 * one for lists by status, or one in bytes. A page has at least one animal where there are some.
 *
 * @param all the animals in the list of all with the same limit.
 */
export function isWhole(context: Context, list: AnimalList, all: readonly JsonObject[]): boolean {
  const { length } = list.animals;
  if (length >= MOST_LISTED) return false;
  if (length === 0) return true;
  const byStatus = listsByStatus(context);
  if (showsAll(all, byStatus)) return !isFiltered(list) || !isCutLikeOthers(context, list, all, byStatus);
  if (isFiltered(list) && mayBeCut(context, list, byStatus)) return false;
  if (length < Math.min(all.length, MOST_LISTED)) return true;
  if (length >= DEFAULT_LIMIT) return false;
  // With very short pages the list of all animals has fewer than the lists before it.
  const listed = new Set(listsSoFar(context).flatMap(({ animals }) => animals.map(({ id }) => id)));
  return listed.size <= all.length;
}

/** The last list of each status with the largest limit. */
export function listsByStatus(context: Context): readonly AnimalList[] {
  const lists = listsSoFar(context);
  const find = (path: string) => lists.findLast(({ exchange }) => exchange.request.path === path);
  return statuses.flatMap((status) => find(`/pets${LONGEST}&status=${status}`) ?? []);
}

/** Whether the list of all has what each list by status has, of several: one that was cut short would lack some. */
function showsAll(all: readonly JsonObject[], byStatus: readonly AnimalList[]): boolean {
  if (all.length >= MOST_LISTED || byStatus.length < statuses.length) return false;
  const ids = new Set(all.map(({ id }) => id));
  const isSeveral = byStatus.filter(({ animals }) => animals.length > 0).length > 1;
  return isSeveral && byStatus.every(({ animals }) => animals.every(({ id }) => ids.has(id)));
}

/**
 * Whether a list by status lacks animals that the list of all has, and another of the same length does too. One that lacks new
 * animals alone was not cut: it was not made anew.
 */
function isCutLikeOthers(
  context: Context,
  list: AnimalList,
  all: readonly JsonObject[],
  byStatus: readonly AnimalList[],
): boolean {
  const before = listedBeforeAdding(context);
  const old = all.filter(({ id }) => typeof id === 'bigint' && before.has(id));
  const isCut = ({ animals, exchange }: AnimalList) => {
    const ids = new Set(animals.map(({ id }) => id));
    return old.some(({ id, status }) => exchange.request.path.endsWith(`status=${status}`) && !ids.has(id));
  };
  return (
    isCut(list) && byStatus.some((other) => isOther(other, list) && hasLengthOf(other, list) && isCut(other))
  );
}

/** Whether a page may be smaller for lists by status, since another is as long and none has grown, or be so many bytes long. */
function mayBeCut(context: Context, list: AnimalList, byStatus: readonly AnimalList[]): boolean {
  const lists = listsSoFar(context);
  const { path } = list.exchange.request;
  const hasGrown = lists.some(
    ({ exchange, animals }) => exchange.request.path === path && animals.length < list.animals.length,
  );
  const isAsLong = byStatus.some((other) => isOther(other, list) && hasLengthOf(other, list));
  const hasRoom = lists.some((other) => sizeOf(other) > sizeOf(list) + ROOM);
  return (isAsLong && !hasGrown) || !hasRoom;
}

function isOther(one: AnimalList, other: AnimalList): boolean {
  return one.exchange.request.path !== other.exchange.request.path;
}

function hasLengthOf(one: AnimalList, other: AnimalList): boolean {
  return one.animals.length === other.animals.length;
}

/** The length of the body that a list came in, in bytes. */
function sizeOf({ exchange: { response } }: AnimalList): number {
  return response?.length ?? response?.body.length ?? 0;
}
