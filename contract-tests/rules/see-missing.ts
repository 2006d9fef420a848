import type { AnimalFacts } from '../../common/json/animal-facts.ts';
import { type RequestOptions, toAgain } from '../client/to-request.ts';
import {
  areAtOnce,
  type History,
  isOfClient,
  type ListAnswer,
  lastWitness,
  type Observation,
} from '../history/history.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../history/list-parameters.ts';
import { ALL, readListQuery } from '../history/list-query.ts';
import { type ListLooked, lookAtEachList, lookAtLists, type Missing } from './membership.ts';
import type { Evidence, Sighting } from './rule.ts';

/** Returns the requests of one round that shows whether a list still lacks an animal that is still there. */
function askForMissing({ list, animal }: Missing, history: History): readonly RequestOptions[] {
  // Only lists may have shown an animal that there is not.
  const byId = history.isGetPetRemoved ? [] : [{ path: `/pets/${animal.id}` }];
  const shows = history.lists.filter(
    ({ query, ids, exchange }) =>
      query.kind === list.query.kind && ids.has(animal.id) && exchange.question !== list.exchange.question,
  );
  const byLimit = shows.toSorted((one, other) => one.query.limit - other.query.limit);
  const most = byLimit.findLast(({ query }) => query.limit <= list.query.limit) ?? byLimit[0];
  const witness = most?.exchange ?? (history.isGetPetRemoved ? lastWitness(animal, 'list') : undefined);
  // A service may keep a parameter of one list for the next one.
  const previous = history.exchanges.find(
    ({ number, isList }) => number === list.exchange.number - 1 && isList,
  );
  const others = [witness, previous].flatMap((one) => (one === undefined ? [] : [toAgain(one)]));
  return [...byId, ...others, toAgain(list.exchange)];
}

/** The clauses that say which animals lists have: each missing animal belongs to one of them. */
type MissingClause =
  | 'list-pets/success'
  | 'list-pets/limit-default'
  | 'list-pets/filter-complete'
  | 'list-pets/filter-before-limit'
  | 'create-pet/stored'
  | 'store/kept'
  | 'service/browser';

/** Returns the clause that a list belongs to which lacks animals. */
function findClause(one: Missing, looked: readonly ListLooked[]): MissingClause {
  const { list, animal } = one;
  const { kind, hasLimit, limit } = list.query;
  if (isFilteredAfterLimit(one, looked) && !(list.ids.size === 0 && isShortWithLargest(kind, looked)))
    return 'list-pets/filter-before-limit';
  if (list.ids.size === 0 && kind === ALL) return 'list-pets/success';
  const { isOwn } = animal;
  const missingOf = (isMeant: (other: ListAnswer) => boolean, isAny: (other: Missing) => boolean) =>
    looked.some(
      (other) => isMeant(other.list) && other.missing.some((each) => !isExcused(each) && isAny(each)),
    );
  const isLong = (other: ListAnswer) => other.query.limit === LARGEST_LIMIT && other.query.kind === kind;
  const lacksWithLargest = missingOf(isLong, () => true);
  const isOfDefault = (other: ListAnswer) =>
    other.query.hasLimit && other.query.limit === DEFAULT_LIMIT && other.query.kind === kind;
  if (!hasLimit && !lacksWithLargest && !missingOf(isOfDefault, () => true)) return 'list-pets/limit-default';
  const lacksOthers = missingOf(isLong, ({ animal: other }) => !other.isOwn);
  if (isOwn && lacksWithLargest && !lacksOthers) return 'create-pet/stored';
  if (kind === ALL) return isOwn && !lacksWithLargest ? 'create-pet/stored' : 'store/kept';
  return lacksWithLargest || limit === LARGEST_LIMIT
    ? 'list-pets/filter-complete'
    : 'list-pets/filter-before-limit';
}

/** Returns the clause that a list belongs to, or, with --only, the other one about lists with a filter. */
function findTested(found: MissingClause, { list }: Missing, { isTested }: Evidence): MissingClause {
  const ofFilters = ['list-pets/filter-complete', 'list-pets/filter-before-limit'] as const;
  if (isTested(found) || ofFilters.every((id) => id !== found)) return found;
  const isCut = list.query.limit < LARGEST_LIMIT;
  return ofFilters.find((id) => isTested(id) && (isCut || id === 'list-pets/filter-complete')) ?? found;
}

/** Returns whether a list with a filter has only animals of a list of all with the same limit at about that time, which lacks the others too. */
function isFilteredAfterLimit({ list, animal }: Missing, looked: readonly ListLooked[]): boolean {
  const { kind, limit } = list.query;
  if (kind === ALL || animal.isOwn) return false;
  const missing = looked.find((one) => one.list === list)?.missing ?? [];
  return looked.some(
    ({ list: { query, ids, exchange } }) =>
      query.kind === ALL &&
      query.limit === limit &&
      areAtOnce(exchange, list.exchange) &&
      ids.size > list.ids.size &&
      missing.every((one) => isExcused(one) || !ids.has(one.animal.id)) &&
      list.ids.isSubsetOf(ids),
  );
}

/** Returns whether the longest list of a kind lacks an animal too, although a list of all shows it. */
function isShortWithLargest(kind: string, looked: readonly ListLooked[]): boolean {
  return looked.some(
    ({ list: { query }, missing }) =>
      query.kind === kind &&
      query.limit === LARGEST_LIMIT &&
      missing.some((one) => !isExcused(one) && !isFilteredAfterLimit(one, looked)),
  );
}

function isExcused({ excuse }: Missing): boolean {
  return excuse !== undefined;
}

/** Returns the missing animals of all lists by the clauses that they belong to, excused ones too. */
function groupMissing(evidence: Evidence): ReadonlyMap<MissingClause, readonly Missing[]> {
  const looked = evidence.once(lookAtLists);
  const clauses = new Map<string, MissingClause>();
  return Map.groupBy(
    evidence.once(lookAtEachList).flatMap(({ missing }) => missing),
    (one) => {
      const { path } = one.list.exchange;
      if (isOfClient(one.list.exchange)) return 'service/browser';
      const { isOwn } = one.animal;
      const key = [path, one.list.ids.size === 0, isOwn, isFilteredAfterLimit(one, looked)].join(' ');
      const known = clauses.get(key) ?? findTested(findClause(one, looked), one, evidence);
      clauses.set(key, known);
      return known;
    },
  );
}

/** Creates the sightings of a clause about the animals that lists lack. */
export function seeMissing(clause: MissingClause, evidence: Evidence): readonly Sighting[] {
  const own = evidence.once(groupMissing).get(clause) ?? [];
  return own.map((one) => {
    const { list, animal, before, after, excuse } = one;
    const longer = clause === 'list-pets/limit-default' ? findLonger(list, evidence) : undefined;
    return {
      exchange: list.exchange,
      animals: [before.shown],
      fault:
        longer === undefined
          ? describeMissing(clause, one, evidence.history.contract)
          : describeCount(list, longer),
      // What a list of all lacks was neither changed nor put back, so that all these lists are about one thing.
      subject: list.query.kind === ALL ? 'lists of all' : list.exchange.question,
      evidence: one.evidence,
      excuse,
      ask: askForMissing(one, evidence.history),
      about: [animal.id],
      ...(longer === undefined ? toWitnesses(before, after) : toComparison(list, longer)),
    };
  });
}

function toWitnesses(before: Observation, after: Observation | undefined) {
  return { before: [before.exchange], ...(after !== undefined && { more: [after.exchange] }) };
}

/** The list that another one is compared with may have been requested before it or after. */
function toComparison({ exchange }: ListAnswer, { exchange: other }: ListAnswer) {
  return other.at <= exchange.at ? { before: [other] } : { more: [other] };
}

/** Returns one of the longest lists with the default limit written out, if it is longer than a list without it. */
function findLonger({ query: { kind }, ids, exchange }: ListAnswer, { facts }: Evidence) {
  const same = facts.lists.filter(
    ({ query }) => query.hasLimit && query.limit === DEFAULT_LIMIT && query.kind === kind,
  );
  const most = Math.max(0, ...same.map((list) => list.ids.size));
  const longest = same.filter((list) => list.ids.size === most && most > ids.size);
  return longest.find((list) => list.exchange.at <= exchange.at) ?? longest[0];
}

function describeCount({ ids }: ListAnswer, longer: ListAnswer): Sighting['fault'] {
  return {
    kind: 'count',
    compared: 'as with limit=20',
    expected: longer.ids.size,
    received: ids.size,
    isAtLeast: false,
  };
}

function describeMissing(
  clause: MissingClause,
  { list, animal }: Missing,
  facts: AnimalFacts,
): Sighting['fault'] {
  const id = String(animal.id);
  const { kind } = list.query;
  const received = list.ids.size === 0 ? ('empty list' as const) : ('list without it' as const);
  if (clause === 'list-pets/success') return { kind: 'missing', lacks: 'any animal', received };
  if (kind !== ALL) {
    const has = list.query.filters.map(({ filter, value }) => ({
      member: filter.name,
      value: `${value}`,
    }));
    return { kind: 'missing', lacks: 'the matching animal', id, has, received };
  }
  const wasListed = animal.observations.some(
    ({ how, exchange }) =>
      how === 'list' && exchange.end <= list.exchange.at && readListQuery(exchange, facts).kind === ALL,
  );
  const lacks = clause === 'store/kept' && wasListed ? 'the animal of before' : 'the animal';
  return { kind: 'missing', lacks, id, received };
}
