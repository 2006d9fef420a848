import { setTimeout as delay } from 'node:timers/promises';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { Failed, NotTested, Unstable } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Cause, Fault } from '../failures/failure.ts';
import { type Context, DEFAULT_LIMIT, longestByStatus, MOST_LISTED, statuses } from './context.ts';

/** Milliseconds before a list that lags behind is requested again. They double each time. */
const FIRST_WAIT = 25;

/** Maximum number of milliseconds between two requests of a list that lags behind. */
const LONGEST_WAIT = 200;

/** Checks lists, which may lag behind, until they lack no animal or their time to settle is over. @throws Failed */
export async function expectInTime<T>({ run, target, signal }: Context, check: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let first: Failed | undefined;
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const result = await check();
      // An animal may be missing from the list of a status because others have changed its status for a moment.
      if (first !== undefined && !(first instanceof Unstable))
        run.lags.push({ exchange: first.exchange, ms: performance.now() - start });
      return result;
    } catch (error) {
      if (!(error instanceof Failed) || !mayLag(error.fault)) throw error;
      first ??= error;
      if (run.isSettled) throw error;
      run.isSettled = performance.now() - start >= target.settle;
    }
    if (!run.isSettled) await delay(wait, undefined, { signal });
  }
}

/** Returns whether a list may only lag behind: it lacks an animal that it should have. */
export function mayLag(fault: Fault): boolean {
  return fault.kind === 'missing' || (fault.kind === 'count' && fault.mayLag);
}

export function compareListed<T>(
  { lists }: Pick<Context, 'lists'>,
  records: ReadonlyMap<unknown, T>,
  compare: (record: T, animal: JsonObject, list: Exchange) => void,
): void {
  for (const list of lists) {
    for (const animal of list.animals) {
      const record = records.get(animal.id);
      if (record !== undefined) compare(record, animal, list);
    }
  }
}

/** So many animals were not removed by another client, since no operation removes animals. */
export const MOST_REMOVED = 3;

/** How often a check is tried. */
const MOST_TRIES = 5;

/** How often in a row a check has to pass after it failed: a service that is right now and then is wrong. */
const STEADY_PASSES = 2;

/** How often an animal is requested to see whether its status changes all the time. */
const LOOKS = 3;

/**
 * Tries a check again when other clients may have caused its failure.
 * @param run gets how often it was tried before
 * @throws the last failure; NotTested if statuses change so often that the failure shows nothing
 */
export async function tryAgain<T>(context: Context, run: (tries: number) => Promise<T>): Promise<T> {
  const failures: Unstable[] = [];
  let passes = 0;
  let isChanging = false;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      const result = await run(tries);
      passes += 1;
      if (failures.length === 0 || passes === STEADY_PASSES) return result;
    } catch (error) {
      if (!(error instanceof Unstable)) throw error;
      failures.push(error);
      passes = 0;
      isChanging ||= await isStatusChanging(context, error.details.about);
    }
  }
  const last = failures.at(-1);
  if (last === undefined || isChanging || !isOfOne(context, failures))
    throw new NotTested('the statuses of animals change without a request');
  throw last;
}

/** Returns whether failures are about one animal more than once, or about animals that only this run can know. */
function isOfOne({ additions }: Context, failures: readonly Unstable[]): boolean {
  const own = new Set(additions.map(({ id }) => id));
  const animals = failures.map(({ details }) => details.about);
  const isRepeated = new Set(animals).size < animals.length;
  return isRepeated || animals.every((id) => typeof id === 'bigint' && own.has(id));
}

/** Returns whether an animal, or any animal of a list, shows two statuses in requests that follow each other. */
async function isStatusChanging(context: Context, id: ExactJson | undefined): Promise<boolean> {
  const animals: JsonObject[] = [];
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const { animal } = await context.get(`/pets/${id}`);
    animals.push(...(animal === undefined ? await context.listAnimals() : [animal]));
  }
  const byId = Map.groupBy(animals, (animal) => animal.id);
  return [...byId.values()].some((same) => same.some(({ status }) => status !== same[0]?.status));
}

/** More bytes than an animal with an ordinary name takes. */
const ROOM = 300;

/**
 * Returns whether a list with the largest limit is complete. A deployment may have a lower limit, one for lists by status,
 * or one in bytes. A page has at least one animal where there are some. @param all the animals in the list of all
 */
export function isWhole(context: Context, list: Exchange, all: readonly JsonObject[]): boolean {
  const { length } = list.animals;
  if (length >= MOST_LISTED) return false;
  if (length === 0) return true;
  const byStatus = listsByStatus(context);
  if (list.isByStatus && showsAll(all, byStatus)) return !isCutLikeOthers(context, list, all);
  // Two lists that are as long as each other, and at least as long as the third, may all have been cut.
  const [most, second] = byStatus.map(({ animals }) => animals.length).sort((one, other) => other - one);
  if (showsAll(all, byStatus) && most !== second) return true;
  if (list.isByStatus && mayBeCut(context, list, byStatus)) return false;
  if (length < Math.min(all.length, MOST_LISTED)) return true;
  if (length >= DEFAULT_LIMIT) return false;
  // With very short pages the list of all animals has fewer than the lists before it.
  const listed = new Set(context.lists.flatMap(({ animals }) => animals.map(({ id }) => id)));
  return listed.size <= all.length;
}

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

/** Returns whether it and another list as long lack old animals of the list of all: without new ones, a list is old. */
function isCutLikeOthers(context: Context, list: Exchange, all: readonly JsonObject[]): boolean {
  const byStatus = listsByStatus(context);
  const before = listedBeforeAdding(context);
  const old = all.filter(({ id }) => typeof id === 'bigint' && before.has(id));
  const isCut = ({ animals, path }: Exchange) => {
    const ids = new Set(animals.map(({ id }) => id));
    return old.some(({ id, status }) => path.endsWith(`status=${status}`) && !ids.has(id));
  };
  const isLongest = byStatus.every(({ animals }) => animals.length <= list.animals.length);
  return isLongest && byStatus.some((other) => isAsLong(other, list) && (isCut(list) || isCut(other)));
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

/** Returns how a list shows that it is older than an animal, or any animal, that was added before the request. */
export function findStaleness(context: Context, list: Exchange, about?: ExactJson): Cause | undefined {
  if (!list.isList) return undefined;
  const added = context.additions.filter(
    ({ end, id }) => end <= list.at && (about === undefined || id === about),
  );
  const isOlder = (made: number) => {
    const since = added.filter(({ at }) => at >= made).map(({ at }) => at);
    return since.length > 0 && (about !== undefined || wasWhole(context, list, Math.min(...since)));
  };
  // Source: RFC 9111, section 5.1
  const age = Number(list.response?.headers.age ?? 0);
  if (age > 0 && isOlder(list.end - age * 1000)) return { cause: 'stale', age };
  const { body = Buffer.alloc(0), length } = list.response ?? {};
  const isSame = ({ response }: Exchange) => response?.body.equals(body) && response.length === length;
  const old = context.lists.find((one) => one.end <= list.at && one.path === list.path && isSame(one));
  if (old === undefined || !isOlder(old.end)) return undefined;
  return { cause: 'stale' };
}

function wasWhole({ lists }: Context, { animals, path }: Exchange, until: number): boolean {
  const wanted = new URLSearchParams(path.split('?')[1]).get('status');
  const countOf = (list: Exchange) =>
    list.animals.filter(({ status }) => wanted === null || status === wanted).length;
  return lists.every((one) => one.at > until || countOf(one) <= animals.length);
}

/** Returns the animals that were listed before this run added its first, by id. */
export function listedBeforeAdding({ additions, lists }: Context): ReadonlyMap<bigint, JsonObject> {
  const first = Math.min(...additions.map(({ at }) => at));
  const listed = lists.filter(({ end }) => end <= first).flatMap(({ animals }) => animals);
  return new Map(listed.flatMap((animal) => (typeof animal.id === 'bigint' ? [[animal.id, animal]] : [])));
}
