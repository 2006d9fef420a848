import type { JsonObject } from '../json/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { type FinishedRun, type Observation, observe } from './finished-run.ts';

/** Least number of pairs of animals that show an order. */
const ENOUGH = 5;

/** Compares two animals: below 0 if the first one comes first for certain, 0 if that is unknown. */
type Compare = (one: JsonObject, other: JsonObject) => number;

/** Observes the order of lists, by pairs of animals whose order is certain. */
export function observeOrder(run: FinishedRun): Observation {
  const lists = run.lists.filter(({ animals }) => animals.length > 1);
  const pairs = lists.flatMap(toPairs);
  const shuffled = findShuffled(pairs);
  const certain = createCompareAge(run);
  // Ids show the age where no addition does.
  const isCertain = pairs.some(([one, other]) => certain(one, other) !== 0);
  const isCounted = pairs.every((pair) => pair.every(({ id }) => BigInt(id as bigint) > 0n));
  const compareIds: Compare = (one, other) =>
    BigInt(one.id as bigint) < BigInt(other.id as bigint) ? -1 : 1;
  const compareAge = isCertain ? certain : isCounted ? compareIds : () => 0;
  const count = (compare: Compare) => pairs.filter(([one, other]) => compare(one, other) < 0).length;
  const reversed = (compare: Compare) => count((one, other) => -compare(one, other));
  const fits = (compare: Compare) => {
    return count(compare) >= ENOUGH && reversed(compare) === 0;
  };
  const orders = [
    ...(shuffled ? ['random'] : []),
    ...(fits((one, other) => -compareAge(one, other)) ? ['newest'] : []),
    ...(fits(compareAge) ? ['oldest'] : []),
    ...(fits(compareNames) ? ['name'] : []),
  ];
  if (orders.length > 1) return { unknown: 'more than one order fits' };
  // Too few pairs show no order. Only pairs against each order show another one.
  const against = [reversed(compareAge), count(compareAge), reversed(compareNames)];
  const isOther = against.every((pairsAgainst) => pairsAgainst > 0);
  return observe(lists, () => orders[0] ?? (isOther ? 'another order' : undefined));
}

type Pair = readonly [JsonObject, JsonObject];

/** How many animals before an animal are compared with it. */
const MOST_BEFORE = 20;

/** Returns each animal with the animals before it: another order has some of these pairs too. */
function toPairs(list: Exchange): Pair[] {
  const animals = list.animals.filter(({ id }) => typeof id === 'bigint');
  return animals.flatMap((other, index) =>
    animals.slice(Math.max(0, index - MOST_BEFORE), index).map((one) => [one, other] as const),
  );
}

function findShuffled(pairs: readonly Pair[]): boolean {
  const seen = new Set(pairs.map(([one, other]) => `${one.id} ${other.id}`));
  return pairs.filter(([one, other]) => seen.has(`${other.id} ${one.id}`)).length >= ENOUGH;
}

/** An addition is younger than the animals that were listed before it, and than earlier additions. */
function createCompareAge({ additions, lists }: FinishedRun): Compare {
  const added = new Map(additions.map((one) => [one.id, one]));
  const start = Math.min(...additions.map(({ at }) => at));
  const before = lists.filter(({ end }) => end <= start);
  const old = new Set(before.flatMap(({ animals }) => animals.map(({ id }) => id)));
  const isOlder = (one: JsonObject, other: JsonObject): boolean => {
    const [first, second] = [added.get(one.id as bigint), added.get(other.id as bigint)];
    if (second === undefined) return false;
    return first === undefined ? old.has(one.id) : first.end <= second.at;
  };
  return (one, other) => Number(isOlder(other, one)) - Number(isOlder(one, other));
}

/** Compares by code units where the rules of the language agree. */
const compareNames: Compare = (one, other) => {
  const [first, second] = [String(one.name), String(other.name)];
  const byUnit = first < second ? -1 : Number(first > second);
  return Math.sign(first.localeCompare(second)) === byUnit ? byUnit : 0;
};
