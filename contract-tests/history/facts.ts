import { type History, isOfClient, type ListAnswer, sizeOf } from './history.ts';
import { LARGEST_LIMIT } from './list-parameters.ts';

/** In which order lists have their animals, by their ids. */
type IdOrder = 'ascending' | 'descending' | undefined;

/** What a history itself shows of the lists of a deployment. */
export interface Facts {
  /** The lists whose answer the specification fixes, and that can be read, in the order of their requests. */
  readonly lists: readonly ListAnswer[];
  /** The same of the lists for other clients, from which no fact is read. */
  readonly listsOfClients: readonly ListAnswer[];
  /** Returns the number of animals of the longest list with a limit, or with a smaller one. */
  longestUpTo(limit: number): number;
  /** Returns how much larger the largest list is than another one, in bytes, with the commas between animals or without: a service may count either. */
  roomOf(list: ListAnswer): number;
  /** Sizes of all animals, in bytes, by their ids. */
  readonly sizes: ReadonlyMap<bigint, number>;
  /** Size of the largest animal of others, in bytes: one that no response has shown may be as large. */
  readonly largestOfOthers: number;
  /** Whether one question had lists of three or more lengths after a longer one, while nothing was added. */
  readonly haveLengthsByChance: boolean;
  /** Returns whether the lists of a kind have the animals that they share in one order. */
  isSteady(kind: string): boolean;
  /** Returns whether the lists of a kind begin with one animal, as long as nothing is added. */
  beginAtOnePlace(kind: string): boolean;
  /** Returns whether each question about a kind has lists that begin with one animal, as long as nothing is added. */
  questionsBeginAtOnePlace(kind: string): boolean;
  /** The order by id that every list has. */
  readonly idOrder: IdOrder;
}

/** Reads the facts of a history. */
export function readFacts(history: History): Facts {
  const readable = history.lists
    .filter(({ query, isReadable }) => query.isValid && isReadable)
    .toSorted((one, other) => one.exchange.at - other.exchange.at);
  const lists = readable.filter(({ exchange }) => !isOfClient(exchange));
  const listsOfClients = readable.filter(({ exchange }) => isOfClient(exchange));
  const longestAt = new Array<number>(LARGEST_LIMIT + 1).fill(0);
  let [largest, largestWithoutCommas] = [0, 0];
  for (const { query, ids, bytes } of lists) {
    longestAt[query.limit] = Math.max(longestAt[query.limit] ?? 0, Math.min(ids.size, query.limit));
    largest = Math.max(largest, bytes);
    largestWithoutCommas = Math.max(largestWithoutCommas, bytes - ids.size);
  }
  for (let limit = 1; limit <= LARGEST_LIMIT; limit += 1)
    longestAt[limit] = Math.max(longestAt[limit] ?? 0, longestAt[limit - 1] ?? 0);
  const sizes = readSizes(history);
  const ofKind = (kind: string) => lists.filter(({ query }) => query.kind === kind);
  return {
    lists,
    listsOfClients,
    longestUpTo: (limit) => longestAt[limit] ?? 0,
    roomOf: ({ ids, bytes }) => Math.min(largest - bytes, largestWithoutCommas - bytes + ids.size),
    sizes,
    largestOfOthers: Math.max(
      0,
      ...[...sizes].map(([id, size]) => (history.animals.get(id)?.isOwn ? 0 : size)),
    ),
    haveLengthsByChance: haveLengthsByChance(history, lists),
    isSteady: remember((kind) => haveOneOrder(ofKind(kind)) && shareMuch(ofKind(kind))),
    beginAtOnePlace: remember((kind) => haveOneBeginning(history, ofKind(kind))),
    questionsBeginAtOnePlace: remember((kind) =>
      [...Map.groupBy(ofKind(kind), ({ exchange }) => exchange.path).values()].every((same) =>
        haveOneBeginning(history, same),
      ),
    ),
    idOrder: readIdOrder(history, lists),
  };
}

function readSizes({ animals }: History): ReadonlyMap<bigint, number> {
  return new Map(
    [...animals].map(([id, { observations }]) => {
      const shown = observations.find((one) => one.shown !== undefined)?.shown;
      return [id, shown === undefined ? 0 : sizeOf(shown)];
    }),
  );
}

/** So many lengths of the lists of one question after a longer one, while nothing was added, are lengths by chance. */
const LENGTHS_BY_CHANCE = 3;

function haveLengthsByChance(history: History, lists: readonly ListAnswer[]): boolean {
  const byQuestion = Map.groupBy(lists, (list) => `${list.exchange.path} ${periodOf(history, list)}`);
  return [...byQuestion.values()].some((same) => {
    let longest = 0;
    const shorter = new Set<number>();
    for (const { ids } of same) {
      // New animals that come into a list late only make it longer.
      if (ids.size < longest) shorter.add(ids.size);
      longest = Math.max(longest, ids.size);
    }
    return shorter.size >= LENGTHS_BY_CHANCE;
  });
}

/** Returns between which additions a list was requested. */
function periodOf({ additions }: History, { exchange }: ListAnswer): number {
  return additions.filter((addition) => addition.exchange.number < exchange.number).length;
}

function haveOneBeginning(history: History, lists: readonly ListAnswer[]): boolean {
  // A list may have an animal that is being added, or not.
  const isQuiet = ({ exchange }: ListAnswer) =>
    history.additions.every(
      (addition) => addition.exchange.end < exchange.at || addition.exchange.at > exchange.end,
    );
  const byPeriod = Map.groupBy(
    lists.filter((list) => list.ids.size > 0 && isQuiet(list)),
    (list) => periodOf(history, list),
  );
  return [...byPeriod.values()].every((same) => new Set(same.map(({ ids: [first] }) => first)).size === 1);
}

/** Returns a function that reads each kind of lists once. */
function remember(read: (kind: string) => boolean): (kind: string) => boolean {
  const known = new Map<string, boolean>();
  return (kind) => {
    const result = known.get(kind) ?? read(kind);
    known.set(kind, result);
    return result;
  };
}

/** Returns whether one order of all animals explains the order of each list. */
function haveOneOrder(lists: readonly ListAnswer[]): boolean {
  const followers = new Map<bigint, Set<bigint>>();
  for (const { ids } of lists) {
    let last: bigint | undefined;
    for (const id of ids) {
      if (!followers.has(id)) followers.set(id, new Set());
      if (last !== undefined) followers.get(last)?.add(id);
      last = id;
    }
  }
  return !hasCycle(followers);
}

function hasCycle(followers: ReadonlyMap<bigint, ReadonlySet<bigint>>): boolean {
  const open = new Map<bigint, number>();
  for (const next of followers.values()) for (const id of next) open.set(id, (open.get(id) ?? 0) + 1);
  const free = [...followers.keys()].filter((id) => !open.get(id));
  let placed = 0;
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    placed += 1;
    for (const next of followers.get(id) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  return placed < followers.size;
}

/** Returns whether lists in succession share at least half of the shorter one. In another order each time, they hardly do. */
function shareMuch(lists: readonly ListAnswer[]): boolean {
  return lists.every((list, index) => {
    const next = lists[index + 1];
    if (next === undefined) return true;
    const shared = list.ids.intersection(next.ids).size;
    return shared * 2 >= Math.min(list.ids.size, next.ids.size);
  });
}

/** So many animals after each other show an order by id. */
const LEAST_PAIRS = 10;

function readIdOrder({ animals }: History, lists: readonly ListAnswer[]): IdOrder {
  const signs = lists.flatMap(({ ids }) => {
    const all = [...ids];
    return all.slice(1).map((id, index) => id > (all[index] ?? id));
  });
  if (signs.length < LEAST_PAIRS) return undefined;
  // Until a list has an animal of the run, it may as well have the oldest animals first.
  const hasOwn = () => lists.some(({ ids }) => [...ids].some((id) => animals.get(id)?.isOwn));
  if (signs.every((isGreater) => isGreater)) return hasOwn() ? 'ascending' : undefined;
  return signs.some((isGreater) => isGreater) ? undefined : 'descending';
}
