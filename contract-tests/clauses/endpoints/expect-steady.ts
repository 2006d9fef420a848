import type { ExactJson, JsonObject } from '../../../common/json/exact-json.ts';
import { Failed, NotTested } from '../../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../../client/exchange.ts';
import { inParallel } from '../../client/in-parallel.ts';
import { toJsonText } from '../../client/show-value.ts';
import type { ComparedWith, MemberFault } from '../../failures/failure.ts';
import { type Context, isRemoved } from '../../vocabulary/context.ts';
import { wrongStatus } from '../../vocabulary/expectations.ts';
import { listedBeforeAdding } from '../../vocabulary/lists.ts';

/** How many animals are fetched at the end of a run, so that there is something to compare. */
const MOST_FETCHED = 3;

/** How many animals whose status went back and forth are requested again, and how many of them have to do it again. */
const MOST_CONFIRMED = 5;
const LEAST_CONFIRMED = 2;

/** How often such an animal is requested again, and how many requests are under way at once, for several connections. */
const ROUNDS = 5;
const AT_ONCE = 2;

/** How many animals that were there before the run a few other clients do not change back and forth. */
const LEAST_OF_OTHERS = 10;

/** How many of the run's own animals have to show another status than they were added with, if all of them do. */
const LEAST_OWN = 5;

/** One response that shows an animal, or that it is not there. */
interface Sighting {
  readonly exchange: Exchange;
  /** Undefined after a 404. */
  readonly animal: JsonObject | undefined;
}

/** A value of an animal between two responses with another value. */
interface Turn {
  readonly id: bigint;
  readonly from: ExactJson | undefined;
  readonly to: ExactJson | undefined;
  readonly before: Exchange;
  readonly shown: Exchange;
  readonly after: Exchange;
}

/**
 * Expects all responses of a run to agree on each animal. Its name and its categoryId never change, it does not come back
 * after a 404, and its status does not go back and forth: that is what several versions of a service show.
 */
export async function expectSteady(context: Context): Promise<void> {
  await lookAgain(context);
  const sightings = listSightings(context);
  for (const [id, all] of sightings) {
    const repeated = all.length > 1 ? all : [];
    for (const { exchange, animal } of repeated) context.compare(exchange, animal ? [animal] : []);
    expectUnchanged(id, repeated);
    expectThere(id, repeated);
  }
  expectOwnStatuses(context, sightings);
  await expectSteadyStatuses(context, sightings);
}

async function lookAgain(context: Context): Promise<void> {
  const animals = await context.listAnimals();
  const ids = animals.flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
  if (!(await isRemoved(context)))
    await inParallel(ids.slice(0, MOST_FETCHED), (id) => context.get(`/pets/${id}`));
  await context.listAnimals();
}

/** Lists what was ever shown of each animal, in the order of the requests. */
function listSightings({ journal, target }: Context): ReadonlyMap<bigint, readonly Sighting[]> {
  const sightings = new Map<bigint, Sighting[]>();
  const shared = new Set<bigint>();
  const add = (id: bigint, sighting: Sighting) => {
    const own = sightings.get(id) ?? [];
    // Another clause is about an id that two animals have.
    if (own.at(-1)?.exchange === sighting.exchange) shared.add(id);
    own.push(sighting);
    sightings.set(id, own);
  };
  const withKey = journal.filter((exchange) => hasValidKey(exchange, target));
  for (const exchange of withKey.toSorted((one, other) => one.at - other.at)) {
    const { requestedId, animal, status, id, path } = exchange;
    // A service need not take 01 for 1.
    const isPlain = path === `/pets/${requestedId}`;
    if (requestedId !== undefined && isPlain && status === 404)
      add(requestedId, { exchange, animal: undefined });
    const shown = exchange.isList ? exchange.animals : [animal ?? {}];
    const isOther = requestedId !== undefined && id !== requestedId;
    for (const one of shown)
      if (typeof one.id === 'bigint' && !isOther) add(one.id, { exchange, animal: one });
  }
  for (const id of [...shared, ...listAddedTwice(withKey)]) sightings.delete(id);
  return sightings;
}

function listAddedTwice(exchanges: readonly Exchange[]): bigint[] {
  const ids = exchanges.flatMap(({ isAddition, id }) => (isAddition && id !== undefined ? [id] : []));
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Returns what a response is compared with: constant differences of two requests are left to other clauses. */
function toView({ exchange }: Sighting): string {
  return `${exchange.request.method} ${exchange.path}`;
}

/** @throws Failed when the same request has shown two names or two categoryIds */
function expectUnchanged(id: bigint, sightings: readonly Sighting[]): void {
  const firsts = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const { animal, exchange } = sighting;
    if (animal === undefined) continue;
    const first = firsts.get(toView(sighting)) ?? sighting;
    firsts.set(toView(sighting), first);
    const member = ['name', 'categoryId'].find((name) => first.animal?.[name] !== animal[name]);
    if (member === undefined) continue;
    const values = [first.animal?.[member], animal[member]] as const;
    const fault = createFault(id, member, values, 'of the animal, as before');
    throw new Failed(fault, exchange, { about: id, before: [first.exchange] });
  }
}

function createFault(
  id: ExactJson | undefined,
  member: string,
  [from, to]: readonly [from: ExactJson | undefined, to: ExactJson | undefined],
  compared: ComparedWith,
): MemberFault {
  return {
    kind: 'member',
    member,
    expected: toJsonText(from),
    received: toJsonText(to),
    compared,
    id: toJsonText(id),
  };
}

/** @throws Failed when GET /pets/{petId} has returned an animal, then 404, then the animal */
function expectThere(id: bigint, sightings: readonly Sighting[]): void {
  const fetches = sightings.filter(({ exchange }) => exchange.requestedId === id);
  const turn = findTurn(id, fetches, ({ animal }) => (animal === undefined ? 'absent' : 'there'));
  if (turn?.to !== 'absent') return;
  const gone = { what: 'animal', id: String(id), seen: 'before and after' } as const;
  const details = { about: id, before: [turn.before], more: [turn.after] };
  throw wrongStatus(200, turn.shown, details, gone);
}

/**
 * @throws Failed when every animal of this run shows another status than it was added with, or several of those that were added
 * at the same time and none of the others
 */
function expectOwnStatuses(context: Context, sightings: ReadonlyMap<bigint, readonly Sighting[]>): void {
  const lasts = context.additions.flatMap((posted) => {
    const { animal: added, id } = posted;
    const later = id === undefined ? [] : (sightings.get(id) ?? []);
    const last = later.findLast((one) => !one.exchange.isAddition && typeof one.animal?.status === 'string');
    return typeof added?.status === 'string' && last !== undefined ? [{ posted, added, last }] : [];
  });
  const changed = lasts.filter(({ added, last }) => last.animal?.status !== added.status);
  const [first] = changed;
  if (first === undefined || lasts.length < LEAST_OWN) return;
  const isOfAtOnce = changed.every(({ posted }) => wasAddedAtOnce(context, posted));
  const ofOthers = lasts.filter(({ posted }) => !wasAddedAtOnce(context, posted));
  const isMixedUp = isOfAtOnce && changed.length >= LEAST_CONFIRMED && ofOthers.length >= LEAST_OWN;
  if (changed.length < lasts.length && !isMixedUp) return;
  const { added, last } = first;
  const values = [added.status, last.animal?.status] as const;
  const fault = createFault(added.id, 'status', values, 'of the animal, as it was added');
  const { length } = changed;
  const suspected = isMixedUp
    ? ({ cause: 'mixed up at once', animals: length } as const)
    : ({ cause: 'every status changed', animals: length } as const);
  throw new Failed(fault, last.exchange, { about: added.id, suspected });
}

/** Returns whether other animals were added while a POST was under way. */
function wasAddedAtOnce({ additions }: Context, posted: Exchange): boolean {
  return additions.some((other) => other !== posted && other.at < posted.end && other.end > posted.at);
}

/** @throws Failed when statuses go back and forth; NotTested when other clients may have changed them */
async function expectSteadyStatuses(
  context: Context,
  sightings: ReadonlyMap<bigint, readonly Sighting[]>,
): Promise<void> {
  const turns = [...sightings].flatMap(([id, all]) => findStatusTurn(id, all) ?? []);
  const [first] = turns;
  if (first === undefined) return;
  const others = listedBeforeAdding(context);
  const ofOthers = turns.filter(({ id }) => others.has(id));
  const isOfMany = ofOthers.length >= LEAST_OF_OTHERS && ofOthers.length > others.size / 2;
  const confirmed = isOfMany ? ofOthers : await confirm(context, turns);
  const [shown] = confirmed;
  if (shown === undefined || confirmed.length < LEAST_CONFIRMED)
    throw new NotTested(
      `the status of ${turns.length} of ${sightings.size} animals went back and forth, which other clients may have done`,
    );
  const fault = createFault(shown.id, 'status', [shown.from, shown.to], 'of the animal, as before and after');
  throw new Failed(fault, shown.shown, {
    about: shown.id,
    before: [shown.before],
    more: [shown.after],
    suspected: { cause: 'two sets of data', animals: turns.length, of: sightings.size },
  });
}

/** Requests animals again whose status went back and forth. @returns the turns of those that do it at once */
async function confirm(context: Context, turns: readonly Turn[]): Promise<readonly Turn[]> {
  const confirmed: Turn[] = [];
  for (const { id, shown } of turns.slice(0, MOST_CONFIRMED)) {
    const again: Sighting[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests = Array.from({ length: AT_ONCE }, () => shown.path);
      const exchanges = await inParallel(requests, (path) => context.get(path));
      for (const exchange of exchanges) {
        const animals = exchange.isList ? exchange.animals : [exchange.animal ?? {}];
        const animal = animals.find((one) => one.id === id);
        if (animal !== undefined) again.push({ exchange, animal });
      }
    }
    const turn = findStatusTurn(id, again);
    if (turn !== undefined) confirmed.push(turn);
  }
  return confirmed;
}

/** Finds a status between two responses with another one, where also one request shows two statuses. */
function findStatusTurn(id: bigint, sightings: readonly Sighting[]): Turn | undefined {
  const present = sightings.filter(({ animal }) => animal !== undefined);
  const byView = Map.groupBy(present, toView);
  const statusOf = ({ animal }: Sighting) => animal?.status;
  const isContradicted = (sighting: Sighting) =>
    byView.get(toView(sighting))?.some((other) => statusOf(other) !== statusOf(sighting)) === true;
  return findTurn(id, present, statusOf, isContradicted);
}

/** Finds a value that is shown after a response with another value ended, and before one with that value began. */
function findTurn(
  id: bigint,
  sightings: readonly Sighting[],
  toValue: (sighting: Sighting) => ExactJson | undefined,
  isMeant: (sighting: Sighting) => boolean = () => true,
): Turn | undefined {
  const byValue = Map.groupBy(sightings, toValue);
  if (byValue.size < 2) return undefined;
  for (const sighting of sightings.filter(isMeant)) {
    const { exchange: shown } = sighting;
    for (const [from, same] of byValue) {
      if (from === toValue(sighting)) continue;
      const before = same.find(({ exchange }) => exchange.end <= shown.at)?.exchange;
      const after = same.findLast(({ exchange }) => exchange.at >= shown.end)?.exchange;
      if (before === undefined || after === undefined) continue;
      return { id, from, to: toValue(sighting), before, shown, after };
    }
  }
  return undefined;
}
