import type { JsonObject } from '../../../common/json/exact-json.ts';
import { petStatuses } from '../../../common/json/pet.ts';
import { Failed, NotApplicable, NotTested, TooFewAnimals, Unstable } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { showValue } from '../../client/show-value.ts';
import type { CountFault } from '../../failures/failure.ts';
import { type Context, isRemoved } from '../../vocabulary/context.ts';
import { findReach } from '../../vocabulary/cut-lists.ts';
import { lacksAnimal, perhapsLacksAnimal, trySome } from '../../vocabulary/expectations.ts';
import {
  DEFAULT_LIMIT,
  LARGEST_LIMIT,
  LONGEST,
  longestByStatus,
  queryOf,
  readParameter,
} from '../../vocabulary/list-parameters.ts';
import {
  compareListed,
  expectInTime,
  findStaleness,
  type IsYoung,
  isComplete,
  mayLag,
  mayLeaveOut,
  tryAgain,
} from '../../vocabulary/lists.ts';

/** Expects no animal that shows no status in the lists of two statuses. Others may change it between two lists. */
export async function expectOneStatus(context: Context): Promise<void> {
  const statusesOf = new Map<unknown, Set<string | undefined>>();
  for (const list of context.lists) {
    const wanted = statusOf(list);
    if (wanted === undefined) continue;
    for (const { id } of withoutStatus(list))
      statusesOf.set(id, (statusesOf.get(id) ?? new Set()).add(wanted));
  }
  const isSuspect = [...statusesOf.values()].some(({ size }) => size > 1);
  if (!isSuspect) return;
  // Two lists of a status with one of another between them: what is in all three has not changed its status.
  const lists: Exchange[] = [];
  for (const query of [...longestByStatus, ...longestByStatus]) lists.push(await context.fetchList(query));
  for (const [index, first] of lists.slice(0, petStatuses.length).entries()) {
    const again = lists[index + petStatuses.length];
    for (const between of lists.slice(index + 1, petStatuses.length)) {
      if (again !== undefined) expectInOne(context, first, between, again);
    }
  }
}

/** @throws Failed when an animal without a status is in two lists of a status, and in one of another between them */
function expectInOne(context: Context, first: Exchange, between: Exchange, again: Exchange): void {
  for (const list of [first, between, again]) context.compare(list, withoutStatus(list));
  const idsOf = (list: Exchange) => new Set(withoutStatus(list).map(({ id }) => id));
  const shared = idsOf(first).intersection(idsOf(between)).intersection(idsOf(again));
  const [id] = shared;
  if (shared.size === 0) return;
  const both = [first, between].map((list) => `${statusOf(list)}`);
  throw new Failed({ kind: 'two lists', id: showValue(id), statuses: both }, again, {
    before: [first, between],
  });
}

function statusOf({ path }: Exchange): string | undefined {
  return readParameter(queryOf(path), 'status');
}

function withoutStatus({ animals }: Exchange): readonly JsonObject[] {
  return animals.filter(({ status }) => status === undefined);
}

/** Expects each list to show the status of an animal that responses before and after it show. */
export async function expectStatusesShown(context: Context): Promise<void> {
  // A response after the other lists.
  await context.listAnimals();
  // The responses that show the status of an animal: the first, and when the last was requested.
  const shown = new Map<unknown, { name: unknown; first: Exchange; last: number }>();
  for (const exchange of context.journal) {
    const { isList, animals, animal, at, end } = exchange;
    for (const { id, name, status } of isList ? animals : [animal ?? {}]) {
      if (typeof status !== 'string' || typeof id !== 'bigint') continue;
      const { first = exchange, last = 0 } = shown.get(id) ?? {};
      shown.set(id, { name, first: end < first.end ? exchange : first, last: Math.max(last, at) });
    }
  }
  compareListed(context, shown, ({ name, first, last }, animal, list) => {
    const isBetween = list.at > first.end && list.at < last;
    if (animal.name !== name || !isBetween) return;
    context.compare(list, [animal]);
    if (animal.status !== undefined) return;
    const fault = { kind: 'hidden member', member: 'status', id: String(animal.id) } as const;
    throw new Failed(fault, list, { about: animal.id, before: [first] });
  });
}

export async function expectStatusComplete(context: Context): Promise<void> {
  const reason = 'no list by status is conclusive: it may not show every animal';
  const check = async (isYoung: IsYoung) => {
    const before = await context.listAnimals();
    const lists = new Map<string, Exchange>();
    for (const status of petStatuses)
      lists.set(status, await context.fetchList(`${LONGEST}&status=${status}`));
    const after = await context.listAnimals();
    // A list must have the animals that had its status before and after.
    const expectOne = async ([wanted, list]: [string, Exchange]) => {
      // What it has in place of the missing ones is the defect, and another clause's.
      if (list.animals.some(({ status = wanted }) => status !== wanted)) return false;
      const isWhole = isComplete(context, list);
      const isReached = findReach(context, list);
      const mustHave = ({ id }: JsonObject) => isWhole || isReached(id);
      const listed = new Set(list.animals.map(({ id }) => id));
      const still = new Set(after.filter(({ status }) => status === wanted).map(({ id }) => id));
      const known = before.filter((animal) => animal.status === wanted && mustHave(animal));
      context.compare(list, known);
      const missing =
        known.find(({ id = null }) => still.has(id) && !listed.has(id) && !isYoung(id)) ??
        (await findUnlisted(context, list, wanted, (animal) => mustHave(animal) && !isYoung(animal.id)));
      if (missing === undefined) return known.length > 0;
      if (!isReached(missing.id) && (await mayLeaveOut(context))) return false;
      const lacking = {
        lacks: 'the animal with the status',
        id: String(missing.id),
        animalStatus: wanted,
      } as const;
      throw perhapsLacksAnimal(lacking, list, missing.id);
    };
    const Verdict = before.length < LARGEST_LIMIT ? TooFewAnimals : NotApplicable;
    await trySome([...lists], new Verdict(reason), expectOne);
  };
  await tryAgain(context, () => expectInTime(context, check));
}

/** How many animals that a list lacks are fetched by their ids. */
const MOST_FETCHED = 5;

/** Finds an animal that earlier lists showed with a status, that still has it, and that the list by it must have and lacks. */
async function findUnlisted(
  context: Context,
  list: Exchange,
  wanted: string,
  mustHave: (animal: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  if (await isRemoved(context)) return undefined;
  const listed = new Set(list.animals.map(({ id }) => id));
  const latest = new Map<unknown, JsonObject>();
  for (const { animals } of context.lists.toSorted((one, other) => one.at - other.at))
    for (const animal of animals) latest.set(animal.id, animal);
  const absent = [...latest.values()].filter(
    (animal) =>
      animal.status === wanted && typeof animal.id === 'bigint' && !listed.has(animal.id) && mustHave(animal),
  );
  for (const { id } of absent.slice(0, MOST_FETCHED)) {
    const { animal } = await context.get(`/pets/${id}`);
    if (animal?.id === id && animal?.status === wanted) return animal;
  }
  return undefined;
}

export async function expectFilterBeforeLimit(context: Context): Promise<void> {
  const before = await context.listAnimals();
  const count = (animals: readonly JsonObject[], wanted: string) =>
    animals.filter(({ status }) => status === wanted).length;
  const check = async (status: string) => {
    const matching = count(before, status);
    for (const limit of [1, 2].filter((least) => matching >= least)) {
      await expectInTime(context, async () => {
        const list = await context.fetchList(`?limit=${limit}&status=${status}`);
        context.compare(list, list.animals);
        if (list.animals.length > 0 || count(await context.listAnimals(), status) === 0) return;
        // A limit is a maximum, also for a list that leaves rows out.
        if (await context.once(filtersFirst)) return;
        const lacking = { lacks: 'any with the status', animalStatus: status, matching } as const;
        throw lacksAnimal({ ...lacking, received: 'none' }, list);
      });
    }
    return matching > 0 && matching < before.length;
  };
  await trySome(petStatuses, new TooFewAnimals('the list shows no animals of two statuses'), check);
}

/** Limits of lists with and without a status that are compared. */
const comparedLimits = [5, 10, 20, 50];

/** How many animals of a list others may have replaced until it is requested again. */
const MOST_REPLACED = 2;

/** Returns whether a list by status has an animal that the list of all with the same limit does not reach. */
async function filtersFirst(context: Context): Promise<boolean> {
  for (const limit of comparedLimits) {
    const query = `?limit=${limit}`;
    const toIds = (animals: readonly JsonObject[]) => new Set(animals.map(({ id = null }) => id));
    const before = toIds(await context.listAnimals(query));
    const byStatus: JsonObject[] = [];
    for (const status of petStatuses)
      byStatus.push(...(await context.listAnimals(`${query}&status=${status}`)));
    const after = toIds(await context.listAnimals(query));
    // In another order each time, any list has other animals.
    const isSteady =
      before.difference(after).size <= MOST_REPLACED && after.difference(before).size <= MOST_REPLACED;
    const reached = before.union(after);
    if (isSteady && byStatus.some(({ id = null }) => !reached.has(id))) return true;
    if (!isSteady && byStatus.length > limit + MOST_REPLACED) return true;
  }
  return false;
}

/** Number of lists without limit to compare in a run that may not write. */
const MOST_FILTERS = 2;

export async function expectDefaultLimit(context: Context): Promise<void> {
  let hasShown = false;
  const filters = ['', ...petStatuses.map((status) => `&status=${status}`)];
  for (const filter of context.chooseFew(filters, MOST_FILTERS)) {
    const check = () => {
      const start = context.run.now;
      return expectInTime(context, () => expectAsWithDefault(context, filter, start));
    };
    // Others may sell an animal, or get it back, between the lists.
    const isFull = await tryAgain(context, check).catch((error) => {
      if (!(error instanceof Failed)) throw error;
      const isStale = mayLag(error.fault) && findStaleness(context, error.exchange) !== undefined;
      if (!isStale) throw withoutLack(error);
      context.run.lags.push({ exchange: error.exchange, ms: Number.POSITIVE_INFINITY });
      throw new NotTested('the list without limit is stale: see create-pet/stored');
    });
    const hasMore = async () =>
      (await context.listAnimals(`?limit=${DEFAULT_LIMIT + 1}${filter}`)).length > DEFAULT_LIMIT;
    if (isFull) hasShown ||= await hasMore();
  }
  // An unknown parameter must not lift the default limit.
  const unknown = await context.get('/pets?contract-test=1');
  const { length } = unknown.animals;
  context.compare(unknown, unknown.animals);
  if (length > DEFAULT_LIMIT) throw new Failed(compareCount('at most', DEFAULT_LIMIT, length), unknown);
  if (!hasShown)
    throw new TooFewAnimals(
      `the list has too few animals to show the default limit: it needs ${DEFAULT_LIMIT + 1}`,
    );
}

/** Creates the same failure of a list that is too short for another reason than its age. */
function withoutLack({ fault, exchange, details }: Failed): Failed {
  return new Failed(fault.kind === 'count' ? { ...fault, mayLag: false } : fault, exchange, details);
}

function compareCount(
  compared: CountFault['compared'],
  expected: number,
  received: number,
  isLagging = false,
): CountFault {
  return { kind: 'count', compared, expected, received, isAtLeast: false, mayLag: isLagging };
}

/**
 * Requests the default limit before and after, since others may add animals in between.
 * @param start when the first of these lists was requested, in ms since the run began: each of them may lag behind
 * @returns whether there are as many.
 */
async function expectAsWithDefault(context: Context, filter: string, start: number): Promise<boolean> {
  const fetchAgain = () => context.fetchList(`?limit=${DEFAULT_LIMIT}${filter}`);
  const first = await fetchAgain();
  const before = first.animals.length;
  if (before > DEFAULT_LIMIT)
    throw new NotTested(
      `GET /pets?limit=${DEFAULT_LIMIT} returns ${before} animals: see list-pets/limit-is-a-maximum`,
    );
  const list = await context.fetchList(filter.replace('&', '?'));
  const { length } = list.animals;
  context.compare(list, list.animals);
  if (length === before) return before === DEFAULT_LIMIT;
  const { path } = await fetchAgain();
  const lengths = context.lists
    .filter((one) => one.path === path && one.at >= start)
    .map(({ animals }) => animals.length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  if (length >= least && length <= most) return false;
  // Either of two lists may lag behind, but none has too many animals for that reason.
  const fault = compareCount('as with limit=20', before, length, length <= DEFAULT_LIMIT);
  throw new Unstable(fault, list, { before: [first] });
}
