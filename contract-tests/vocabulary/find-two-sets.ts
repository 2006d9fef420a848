import type { JsonObject } from '../../common/json/exact-json.ts';
import { Failed } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import type { Failure } from '../failures/failure.ts';
import type { Context } from './context.ts';
import { LONGEST, longestByStatus } from './list-parameters.ts';
import { findOldest, mayLag } from './lists.ts';

/** How often the same request is sent to see whether its responses are of two sets: a balancer by chance needs more. */
const ROUNDS = 3;
const MOST_ROUNDS = 6;

/** How many requests are under way at once, for several connections. */
const AT_ONCE = 4;

/** The animals of a response, each by what it is known by, and the round that the response came in. */
interface View {
  readonly exchange: Exchange;
  readonly round: number;
  /** The animals that were there long enough for every list to have them. */
  readonly settled: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  /** When an animal was first known, in ms since the run began. */
  knownSince(key: string): number;
}

/**
 * Looks whether the deployment answers from two sets of data, such as a balancer in front of two memories. Two sets alternate, and
 * each has an animal that the other lacks: a list that lags behind, or comes from a cache, has nothing of its own.
 * @returns the failure that shows it
 */
export async function findTwoSets(context: Context): Promise<Failed | undefined> {
  let mayWait = true;
  const [reused] = listReusedIds(context);
  const ofReused = reused === undefined ? [] : [`/pets/${reused}`];
  const lists = context.chooseFew([LONGEST, ...longestByStatus], 1).map((query) => `/pets${query}`);
  for (const path of [...lists, ...ofReused]) {
    const first = await look(context, path);
    const found = findAlternating(context, first);
    if (found !== undefined) return found;
    // What differs may only be too young.
    if (!mayWait || isSame(first.map(({ all }) => all))) continue;
    mayWait = false;
    await context.run.client.wait(context.target.settle + findOldest(context));
    const second = findAlternating(context, await look(context, path));
    if (second !== undefined) return second;
  }
  return undefined;
}

/** Returns whether a failure may come from two sets of data: an animal, or the right number of them, is missing at times. */
export function mayShowTwoSets(context: Context, { failures, fault, exchange, details }: Failed): boolean {
  const reused = new Set(listReusedIds(context).map(String));
  const isReused = (...ids: readonly unknown[]) => ids.some((id) => reused.has(String(id)));
  const isOne = (failure: Failure): boolean => {
    if (mayLag(failure)) return true;
    switch (failure.kind) {
      case 'count':
        return failure.compared !== 'at most';
      case 'carried over':
      case 'late':
        return true;
      case 'id':
        return failure.idProblem === 'of a listed animal' || failure.idProblem === 'of another new animal';
      case 'member':
        return isReused(failure.id);
      case 'mixed up':
        return isReused(details.about, exchange.id);
      default:
        return failure.operation === 'GET /pets/{petId}' && failure.status === 404;
    }
  };
  if (!failures.every(isOne)) return false;
  const isOfId = exchange.requestedId !== undefined && fault.kind === 'status';
  return !isOfId || isKnownAnimal(context, exchange.requestedId);
}

function isKnownAnimal({ additions, lists }: Context, wanted: bigint): boolean {
  return (
    additions.some(({ id }) => id === wanted) ||
    lists.some(({ animals }) => animals.some(({ id }) => id === wanted))
  );
}

/** Lists the ids that several animals of this run got: each of two memories counts by itself. */
function listReusedIds({ additions }: Context): readonly bigint[] {
  const byId = Map.groupBy(additions, ({ id }) => id);
  return [...byId].flatMap(([id, own]) => {
    const names = new Set(own.map(({ animal }) => animal?.name));
    return id !== undefined && names.size > 1 ? [id] : [];
  });
}

/** Sends a request several times, until its responses are the same three times or seem to alternate. */
async function look(context: Context, path: string): Promise<readonly View[]> {
  const exchanges: { readonly exchange: Exchange; readonly round: number }[] = [];
  const toViews = () => {
    const toView = createToView(context);
    return exchanges.filter(({ exchange }) => !isFromCache(exchange)).map(toView);
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const turns = Array.from({ length: AT_ONCE }, () => path);
    await inParallel(turns, async (one) => {
      exchanges.push({ exchange: await context.send({ path: one }), round });
    });
    const views = toViews();
    if (round + 1 < ROUNDS) continue;
    if (isSame(views.map(({ all }) => all)) || findAlternating(context, views) !== undefined) return views;
  }
  return toViews();
}

/** Returns whether a list says that it comes from a cache. Source: RFC 9111, section 5.1 */
function isFromCache({ response }: Exchange): boolean {
  const { age = '0', 'x-cache': cache = '' } = response?.headers ?? {};
  return Number(age) > 0 || /\bhit\b/i.test(cache);
}

function createToView(context: Context) {
  const reused = new Set<unknown>(listReusedIds(context));
  // Two animals with one id are told apart by their names, where both were added by this run.
  const toKey = ({ id, name }: JsonObject) => (reused.has(id) ? `${id} ${name}` : `${id}`);
  const since = new Map<string, number>();
  for (const { animals, animal, end } of context.journal)
    for (const one of [...animals, ...(animal ? [animal] : [])])
      since.set(toKey(one), Math.min(since.get(toKey(one)) ?? Infinity, end));
  const knownSince = (key: string) => since.get(key) ?? Infinity;
  const settles = context.target.settle + findOldest(context);
  return ({ exchange, round }: { readonly exchange: Exchange; readonly round: number }): View => {
    const shown = exchange.isList ? exchange.animals : [exchange.animal ?? {}];
    const animals = shown.filter(({ id }) => typeof id === 'bigint');
    const isSettled = (animal: JsonObject) => exchange.at - knownSince(toKey(animal)) >= settles;
    return {
      exchange,
      round,
      settled: new Set(animals.filter(isSettled).map(toKey)),
      all: new Set(animals.map(toKey)),
      knownSince,
    };
  };
}

function isSame(sets: readonly ReadonlySet<string>[]): boolean {
  return sets.every((set) => isEqual(set, sets[0] ?? set));
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}

/** Finds two sets that alternate, of which none has all animals of the other. */
function findAlternating(context: Context, views: readonly View[]): Failed | undefined {
  const [first] = views;
  if (first === undefined) return undefined;
  const ones = views.filter(({ settled }) => isEqual(settled, first.settled));
  const others = views.filter((view) => !ones.includes(view));
  const [other] = others;
  if (other === undefined || !isSame(others.map(({ settled }) => settled))) return undefined;
  const [own] = other.settled.difference(first.settled);
  if (own === undefined || first.settled.isSubsetOf(other.settled)) return undefined;
  if (isPushedOff(context, first, other) || isPushedOff(context, other, first)) return undefined;
  if (!alternates(ones, others) || !alternates(others, ones)) return undefined;
  return createTwoSets(context, first, other, own);
}

/**
 * Returns whether a list may lack animals only because it has newer ones in their place: a page has room for so many, and the other
 * list is as it was before the run added these.
 */
function isPushedOff({ additions }: Context, list: View, older: View): boolean {
  const added = new Set(additions.map(({ id }) => `${id}`));
  const newer = [...list.settled.difference(older.settled)];
  const gone = [...older.settled.difference(list.settled)];
  const latest = Math.max(...gone.map(older.knownSince));
  return (
    list.all.size === older.all.size && newer.every((key) => added.has(key) && list.knownSince(key) > latest)
  );
}

/** Returns whether a set was there, then the other one, then the first again. What changes once does not come back. */
function alternates(ones: readonly View[], others: readonly View[]): boolean {
  const rounds = ones.map(({ round }) => round);
  const [start, end] = [Math.min(...rounds), Math.max(...rounds)];
  return others.some(({ round }) => round > start && round < end);
}

function createTwoSets(context: Context, first: View, other: View, own: string): Failed {
  const [id = own] = own.split(' ');
  const views = [first, other].toSorted((one, two) => one.exchange.at - two.exchange.at);
  const [before, shown] = views.map(({ exchange }) => exchange);
  if (before === undefined || shown === undefined) throw new Error('No response was compared.');
  for (const one of [before, shown]) context.compare(one, one.animals);
  const sizes = views.map(({ all }) => all.size);
  const fault = {
    kind: 'two sets',
    id,
    hasOther: own !== id,
    ...(shown.isList && { sizes }),
  } as const;
  return new Failed(fault, shown, { before: [before] });
}
