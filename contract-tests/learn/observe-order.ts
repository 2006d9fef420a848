import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { type FinishedRun, NOT_SHOWN, type Observation } from './finished-run.ts';

/** Least number of pairs of animals that show an order. */
const ENOUGH = 5;

/** Observes the order of lists, by pairs of animals whose order is certain. */
export function observeOrder(run: FinishedRun): Observation {
  const lists = run.lists.filter(({ animals }) => animals.length > 1);
  const evidence = lists.slice(0, 2);
  const shuffled = findShuffled(lists);
  if (shuffled !== undefined) return { value: 'random', evidence: shuffled };
  const counts = countPairs(run, lists);
  const isNewest = counts.newest >= ENOUGH && counts.oldest === 0;
  const isOldest = counts.oldest >= ENOUGH && counts.newest === 0;
  const isByName = countNames(lists) >= ENOUGH && lists.every(isSortedByName);
  if (Number(isNewest) + Number(isOldest) + Number(isByName) !== 1)
    return { unknown: lists.length === 0 ? NOT_SHOWN : 'no order or more than one fits' };
  return { value: isNewest ? 'newest' : isOldest ? 'oldest' : 'name', evidence };
}

/** Finds two lists that have some pairs of animals in both orders. */
function findShuffled(lists: readonly Exchange[]): readonly Exchange[] | undefined {
  const seen = new Map<string, Exchange>();
  let conflicts = 0;
  for (const list of lists) {
    for (const [one, other] of toPairs(list)) {
      const before = seen.get(`${other.id} ${one.id}`);
      if (before !== undefined && ++conflicts >= ENOUGH) return [before, list];
      seen.set(`${one.id} ${other.id}`, list);
    }
  }
  return undefined;
}

function toPairs(list: Exchange): (readonly [JsonObject, JsonObject])[] {
  const animals = list.animals.filter(({ id }) => typeof id === 'bigint');
  return animals.slice(1).flatMap((other, index) => {
    // Neighbours of every distance up to 20: another order has some of them too.
    return animals.slice(Math.max(0, index - 20), index + 1).map((one) => [one, other] as const);
  });
}

/** Counts pairs with the newer or the older animal first. Ids show the age where no addition does. */
function countPairs({ additions, lists: all }: FinishedRun, lists: readonly Exchange[]) {
  const added = new Map<ExactJson | undefined, Exchange>(additions.map((one) => [one.id, one]));
  const start = Math.min(...additions.map(({ at }) => at));
  const old = new Set(
    all.filter(({ end }) => end <= start).flatMap(({ animals }) => animals.map(({ id }) => id)),
  );
  const isOlder = (one: JsonObject, other: JsonObject): boolean => {
    const [first, second] = [added.get(one.id), added.get(other.id)];
    if (second === undefined) return false;
    return first === undefined ? old.has(one.id) : first.end <= second.at;
  };
  const count = (isBefore: typeof isOlder) => {
    const counts = { newest: 0, oldest: 0 };
    for (const list of lists)
      for (const [one, other] of toPairs(list)) {
        if (isBefore(one, other)) counts.oldest += 1;
        else if (isBefore(other, one)) counts.newest += 1;
      }
    return counts;
  };
  const certain = count(isOlder);
  if (certain.newest + certain.oldest > 0) return certain;
  return count((one, other) => (one.id as bigint) < (other.id as bigint));
}

const nameOf = ({ name }: JsonObject) => String(name);

function countNames(lists: readonly Exchange[]): number {
  return new Set(lists.flatMap(({ animals }) => animals.map(nameOf))).size;
}

function isSortedByName({ animals }: Exchange): boolean {
  const names = animals.map(nameOf);
  const isSorted = (compare: (one: string, other: string) => number) =>
    names.every((name, index) => index === 0 || compare(names[index - 1] ?? '', name) <= 0);
  return (
    isSorted((one, other) => (one < other ? -1 : Number(one > other))) ||
    isSorted((one, other) => one.localeCompare(other))
  );
}
