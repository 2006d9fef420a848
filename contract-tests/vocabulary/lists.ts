import { setTimeout as delay } from 'node:timers/promises';
import { type ExactJson, type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { Failed, Unsettled, Unstable } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Cause, Fault } from '../failures/failure.ts';
import { type Context, FIRST_WAIT, LONGEST_WAIT } from './context.ts';
import {
  DEFAULT_LIMIT,
  isValidList,
  LARGEST_LIMIT,
  LONGEST,
  longestByStatus,
  queryOf,
  readParameter,
} from './list-parameters.ts';

/** The oldest that a list may be which says that it comes from a cache, in ms. */
const OLDEST = 10_000;

const SECOND = 1_000;

/** Returns how old a list may be by what it says, in ms. Source: RFC 9111, sections 5.1 and 5.2.2 */
function readAge({ response }: Exchange): number {
  const { age, 'cache-control': control = '', 'x-cache': cache = '' } = response?.headers ?? {};
  const [, seconds] = /(?:^|[\s,])(?:s-maxage|max-age)="?(\d+)/i.exec(control) ?? [];
  const isHit = /\bhit\b/i.test(cache);
  // An age has no fractions of a second.
  if (Number(age) > 0) return (Number(age) + 1) * SECOND;
  if (seconds !== undefined) return Number(seconds) * SECOND;
  return isHit ? OLDEST : 0;
}

/** Returns how old any list of the run may be by what it says, in ms. A list that says more is older than it may be. */
export function findOldest({ lists }: Pick<Context, 'lists'>): number {
  const ages = lists.map(readAge).filter((age) => age <= OLDEST + SECOND);
  return Math.min(OLDEST, Math.max(0, ...ages));
}

/** Returns when the animals of a list were read at the earliest, by what it says of its age, in ms since the run began. */
export function madeAt(list: Exchange): number {
  return list.at - Math.min(OLDEST, readAge(list));
}

/** Returns when a response first showed an animal, in ms since the run began. */
function firstShown({ journal }: Pick<Context, 'journal'>, id: ExactJson | undefined): number {
  const shown = journal.filter(
    ({ animals, animal }) => animal?.id === id || animals.some((one) => one.id === id),
  );
  return Math.min(...shown.map(({ end }) => end));
}

/** Returns whether an animal was shown so lately that a list need not have it. */
export type IsYoung = (id: ExactJson | undefined) => boolean;

/**
 * Checks lists, which may lag behind, until they lack no animal or their time to settle is over, and the age that they name.
 * @param check gets whether an animal is so young that a list may lack it, even after that time: others may add animals meanwhile
 * @param isLate whether a list that lacked an animal at first was late, in place of changed by others
 * @throws Failed
 */
export async function expectInTime<T>(
  context: Context,
  check: (isYoung: IsYoung) => Promise<T>,
  isLate = cannotBeOfOthers,
): Promise<T> {
  const { run, target, signal } = context;
  const start = performance.now();
  let first: Failed | undefined;
  const isYoung: IsYoung = (id) =>
    run.isSettled && run.now - firstShown(context, id) < target.settle + findOldest(context);
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const result = await check(isYoung);
      // Nothing was waited for in vain.
      if (first !== undefined) run.isSettled = false;
      if (first !== undefined && isLate(first))
        run.lags.push({ exchange: first.exchange, ms: performance.now() - start });
      return result;
    } catch (error) {
      if (!(error instanceof Failed) || !mayLag(error.fault)) throw error;
      first ??= error;
      if (run.isSettled) throw error;
      run.isSettled = performance.now() - start >= target.settle + findOldest(context);
    }
    if (!run.isSettled) await delay(wait, undefined, { signal });
  }
}

/** Returns whether no other client can have caused a failure, by changing the status of an animal for a moment. */
function cannotBeOfOthers(failed: Failed): boolean {
  return !(failed instanceof Unstable);
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
 * @throws the last failure; Unsettled if statuses change so often that the failure shows nothing
 */
export async function tryAgain<T>(context: Context, run: (tries: number) => Promise<T>): Promise<T> {
  const failures: Unstable[] = [];
  let passes = 0;
  let isChanging = false;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      const result = await run(tries);
      passes += 1;
      if (failures.length === 0) return result;
      // Nothing was waited for in vain.
      context.run.isSettled = false;
      if (passes === STEADY_PASSES) return result;
    } catch (error) {
      if (!(error instanceof Unstable)) throw error;
      failures.push(error);
      passes = 0;
      isChanging ||= await isStatusChanging(context, error.details.about);
    }
  }
  const last = failures.at(-1);
  if (last === undefined) throw new Error('No check was tried.');
  if (isChanging || !isOfOne(context, failures))
    throw new Unsettled('the statuses of animals change without a request', last);
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

/**
 * Returns whether a list with the largest limit has every animal that shows a status, or that status. A deployment may have
 * lower limits for all lists or for those by status, in animals or in bytes. But a page has at least one animal where there
 * are some, so an empty list is complete. Only `hasRoom` shows that a list has also the animals without a status.
 */
export function isComplete(context: Context, list: Exchange): boolean {
  const { length } = list.animals;
  if (length === 0) return !leavesOut(context);
  // A list that is as long as its limit may be cut by it.
  if (length >= LARGEST_LIMIT) return false;
  return hasRoom(context, list) || (!list.isByStatus && hasAllByStatus(context, list));
}

/** Returns whether a list has room for one animal more, because another one of its kind was longer at no larger limit. */
export function hasRoom(context: Context, list: Exchange): boolean {
  if (leavesOut(context)) return false;
  const isOfKind = (other: Exchange) => other.isByStatus === list.isByStatus && isValidList(other.path);
  const room = findLargest(context, list);
  return context.lists.some(
    (other) => isOfKind(other) && limitOf(other) <= limitOf(list) && isLonger(other, list, room),
  );
}

/** How many animals a list leaves out at least: one that is missing may be a defect. */
const LEAST_LEFT_OUT = 2;

/** How many limits show that a deployment leaves animals out of a list: one may have another reason. */
const LEAST_LIMITS = 2;

/**
 * Returns whether a deployment takes animals out of a list after its limit: a list was shorter than its limit, and than an
 * earlier one with a larger limit. Its shorter lists may have no room for another animal.
 */
function leavesOut({ lists }: Context): boolean {
  const statusOf = ({ path }: Exchange) => readParameter(queryOf(path), 'status');
  const isShort = (list: Exchange) =>
    limitOf(list) < LARGEST_LIMIT && list.animals.length + LEAST_LEFT_OUT <= limitOf(list);
  const limits = new Set<number>();
  for (const list of lists.filter((one) => isValidList(one.path) && isShort(one))) {
    const isLonger = lists.some(
      (other) =>
        other.at < list.at &&
        other.animals.length > list.animals.length &&
        limitOf(other) > limitOf(list) &&
        isValidList(other.path) &&
        statusOf(other) === statusOf(list),
    );
    if (isLonger) limits.add(limitOf(list));
  }
  return limits.size >= LEAST_LIMITS;
}

/** Limits of the lists that show whether animals are left out. */
const shorterLimits = [5, 20, 50];

async function requestShorter(context: Context): Promise<void> {
  await context.requestLists([LONGEST, ...longestByStatus]);
  for (const limit of shorterLimits) {
    await context.get(`/pets?limit=${limit}`);
    for (const status of petStatuses) await context.get(`/pets?limit=${limit}&status=${status}`);
  }
}

/** Requests lists with other limits, the first time that a list seems to lack an animal. @returns whether they leave any out */
export async function mayLeaveOut(context: Context): Promise<boolean> {
  await context.once(requestShorter);
  return leavesOut(context);
}

/** Returns whether a list is longer than another one in animals, and in bytes by the room that any animal takes. */
function isLonger(list: Exchange, other: Exchange, room: number): boolean {
  return list.animals.length > other.animals.length && sizeOf(list) > sizeOf(other) + room;
}

/**
 * Returns the size of the largest animal that may belong into a list, in bytes: of the animals that this run has added those with
 * its status, and of the others any one, because an animal that no list reached is perhaps as large as them.
 */
export function findLargest(context: Context, list: Exchange): number {
  const wanted = queryOf(list.path).get('status');
  const own = new Set(context.additions.map(({ id }): ExactJson | undefined => id));
  const added = context.additions
    .map(({ animal = {} }): JsonObject => animal)
    .filter(({ status }) => wanted === null || status === wanted);
  const listed = [LONGEST, ...longestByStatus].flatMap(
    (query) => context.lists.findLast(({ path }) => path === `/pets${query}`)?.animals ?? [],
  );
  const ofOthers = listed.filter(({ id }) => !own.has(id));
  const sizes = [...list.animals, ...added, ...ofOthers].map((animal) =>
    Buffer.byteLength(printExactJson(animal)),
  );
  return Math.max(0, ...sizes);
}

/**
 * Returns whether a list of all animals has every animal of the latest lists by status, and room for more than each of them.
 * Two of them are not empty and differ in length: if they had the same length, a limit could have cut each of them.
 */
function hasAllByStatus(context: Context, list: Exchange): boolean {
  const ids = new Set(list.animals.map(({ id }) => id));
  const byStatus = listsByStatus(context);
  const hasAll = byStatus.every(({ animals }) => animals.every(({ id }) => ids.has(id)));
  const isLongest = byStatus.every((other) => isLonger(list, other, findLargest(context, other)));
  const lengths = new Set(byStatus.map(({ animals }) => animals.length).filter((length) => length > 0));
  return byStatus.length === petStatuses.length && hasAll && isLongest && lengths.size > 1;
}

/** Returns the latest list of each status with the largest limit, as far as they were requested. */
export function listsByStatus({ lists }: Context): readonly Exchange[] {
  return longestByStatus.flatMap((query) => lists.findLast(({ path }) => path === `/pets${query}`) ?? []);
}

/** Returns the limit of a list, also of one without. */
export function limitOf({ path }: Exchange): number {
  return Number(readParameter(queryOf(path), 'limit') ?? DEFAULT_LIMIT);
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
  const wanted = queryOf(path).get('status');
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
