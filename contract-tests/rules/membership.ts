import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import type { RequestOptions } from '../client/to-request.ts';
import type { Facts } from '../history/facts.ts';
import {
  type Animal,
  areAtOnce,
  firstAfter,
  type History,
  knownSince,
  type ListAnswer,
  lastWitness,
  type Observation,
} from '../history/history.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../history/list-parameters.ts';
import { ALL, isMatch } from '../history/list-query.ts';
import {
  hasNoRoom,
  isChangedByOthers,
  isLate,
  isRemovedByOthers,
  type Tolerance,
} from '../history/tolerances.ts';
import type { Evidence, Sighting } from './rule.ts';

/** An animal that a list lacks although it was shown before, as the filters of the list ask for. */
interface Missing {
  readonly list: ListAnswer;
  readonly animal: Animal;
  /** How the animal was shown before the list. */
  readonly before: Observation & { readonly shown: JsonObject };
  /** How the animal was shown after the list, if it was. */
  readonly after: Observation | undefined;
  readonly excuse: Tolerance | undefined;
  readonly evidence: Sighting['evidence'];
}

/** A list, what it lacks, and whether it has no animal that it should not have. */
interface ListLooked {
  readonly list: ListAnswer;
  /** The animals that the list had to have, if nothing excuses it. */
  readonly expected: readonly JsonObject[];
  readonly missing: readonly Missing[];
}

/**
 * Finds what each list lacks. This is one rule for every list and every animal: filters, windows, hidden rows, joins, replicas and
 * versions have no case of their own.
 */
export function lookAtLists({ history, facts, target }: Evidence): readonly ListLooked[] {
  const animals = [...history.animals.values()].filter(
    (animal) => !animal.isShared && !isCopy(animal, history),
  );
  const allPlaces = new Map(facts.lists.map((list) => [list, toPlaces(list, history)]));
  const observed = animals
    .flatMap((animal) => animal.observations.map((before) => ({ animal, before })))
    .toSorted((one, other) => one.before.exchange.end - other.before.exchange.end);
  /** The last response that showed or denied each animal, before the list that is looked at. */
  const last = new Map<Animal, Observation>();
  let next = 0;
  return [...allPlaces].map(([list, places]) => {
    const { exchange, query, ids } = list;
    for (let one = observed[next]; one && one.before.exchange.end <= exchange.at; one = observed[next]) {
      last.set(one.animal, one.before);
      next += 1;
    }
    const due = [...last].flatMap(([animal, before]) =>
      isShown(before) && isMatch(query, before.shown) ? [{ animal, before }] : [],
    );
    const absent = due.filter(({ animal }) => !places.has(animal));
    const expected = due.map(({ before }) => before.shown);
    if (absent.length === 0) return { list, expected, missing: [] };
    const isFull = hasNoRoom(
      list,
      absent.map(({ before }) => before.shown),
      facts,
    );
    const isReached = isFull ? findReach(list, allPlaces, facts) : () => true;
    // A list that is as long as its limit needs no excuse.
    const wanted = ids.size < query.limit ? absent : absent.filter(({ animal }) => isReached(animal));
    const missing = wanted.map(({ animal, before }): Missing => {
      const after = firstAfter(animal, exchange.end);
      const ownExcuse = findExcuse(list, animal, before, after, target.settle);
      // Lists may be in the order of the last change.
      const isDue = !isFull || (isReached(animal) && hasOneStatus(animal));
      const excuse = isDue ? ownExcuse : 'no room';
      return { list, animal, before, after, excuse, evidence: findEvidence(list, before, after) };
    });
    return { list, expected, missing };
  });
}

/** Returns whether all responses show one status of an animal, as far as they show any. */
export function hasOneStatus({ observations }: Animal): boolean {
  const statuses = observations.flatMap(({ shown }) => (shown?.status === undefined ? [] : [shown.status]));
  return new Set(statuses).size <= 1;
}

/** Returns whether an id only looks like that of another animal: no list and no POST has shown it, and it has the name of that one. */
function isCopy({ observations, id }: Animal, history: History): boolean {
  const shows = observations.filter(isShown);
  const [first] = shows;
  if (first === undefined || shows.some(({ how }) => how !== 'by id')) return false;
  return [...history.animals.values()].some(
    (other) =>
      other.id !== id &&
      other.observations.some(
        ({ how, shown }) =>
          how !== 'by id' && shown?.name === first.shown.name && shown?.categoryId === first.shown.categoryId,
      ),
  );
}

type Shown = Observation & { readonly shown: JsonObject };

function isShown(observation: Observation | undefined): observation is Shown {
  return observation?.shown !== undefined;
}

function findExcuse(
  { exchange, query }: ListAnswer,
  animal: Animal,
  before: Shown,
  after: Observation | undefined,
  settle: number,
): Tolerance | undefined {
  if (isRemovedByOthers(animal, exchange.end)) return 'removed by others';
  if (query.isByStatus && isShown(after) && isChangedByOthers(animal, before, exchange, after))
    return 'changed by others';
  return isLate(exchange, knownSince(animal, before), settle) ? 'late' : undefined;
}

/** Nothing puts an animal back that was removed; but a status may have changed twice between two distant responses. */
function findEvidence(
  { exchange, query }: ListAnswer,
  before: Observation,
  after: Observation | undefined,
): Sighting['evidence'] {
  if (!isShown(after)) return 'to be asked again';
  if (!query.isByStatus) return 'seen';
  const isAtOnce = areAtOnce(before.exchange, exchange) && areAtOnce(exchange, after.exchange);
  return isAtOnce ? 'seen' : 'to be asked again';
}

/** The places of the animals of a list. */
type Places = ReadonlyMap<Animal, number>;

function toPlaces({ ids }: ListAnswer, { animals }: History): Places {
  return new Map([...ids].map((id, place) => [animals.get(id) as Animal, place]));
}

/**
 * Returns for a list without room whether it must have an animal all the same: the animal comes before its last one in an order
 * that never changed. Where lists begin anywhere in an order by id, it has to come between two of its animals.
 */
function findReach(
  list: ListAnswer,
  allPlaces: ReadonlyMap<ListAnswer, Places>,
  facts: Facts,
): (animal: Animal) => boolean {
  const own = [...(allPlaces.get(list)?.keys() ?? [])];
  const first = own[0]?.id;
  const last = own.at(-1)?.id;
  if (first === undefined || last === undefined) return () => false;
  const { kind } = list.query;
  const isSteady = facts.isSteady(kind);
  const beginsHere = isSteady && facts.beginAtOnePlace(kind);
  const isBetween = ({ id }: Animal) => {
    if (facts.idOrder === 'ascending') return id < last && (beginsHere || id > first);
    return facts.idOrder === 'descending' && id > last && (beginsHere || id < first);
  };
  // Where all lists are in an order by id, they show no other one.
  const hasOther = isSteady && facts.idOrder === undefined;
  const others = hasOther
    ? [...allPlaces].filter(([other]) => other !== list && other.query.kind === kind)
    : [];
  const references = others.map(([other, places]) => {
    const ownPlaces = own.flatMap((animal) => places.get(animal) ?? []);
    return {
      isEarlier: other.exchange.at < list.exchange.at,
      places,
      from: beginsHere ? -1 : Math.min(...ownPlaces),
      to: Math.max(-1, ...ownPlaces),
    };
  });
  const { earlier = [], later = [] } = Object.groupBy(references, ({ isEarlier }) =>
    isEarlier ? 'earlier' : 'later',
  );
  const isWithinAny = (animal: Animal, some: typeof references) =>
    some.some(({ places, from, to }) => {
      const place = places.get(animal);
      return place !== undefined && place > from && place < to;
    });
  // Before the list and after it, since an animal may have been moved in between.
  return (animal) => isBetween(animal) || (isWithinAny(animal, earlier) && isWithinAny(animal, later));
}

/** Returns the requests of one round that shows whether a list still lacks an animal that is still there. */
function askForMissing({ list, animal }: Missing): readonly RequestOptions[] {
  const witness = lastWitness(animal, 'by id');
  return [...(witness === undefined ? [] : [toAgain(witness)]), toAgain(list.exchange)];
}

/** Creates the request that asks again what an exchange has asked. */
export function toAgain({ request }: Exchange): RequestOptions {
  const { base: _, ...same } = request;
  // Its headers have both already.
  return { ...same, authorization: undefined, mediaType: undefined };
}

/** The clauses that say which animals lists have: each missing animal belongs to one of them. */
type MissingClause =
  | 'list-pets/success'
  | 'list-pets/limit-default'
  | 'list-pets/filter-complete'
  | 'list-pets/filter-before-limit'
  | 'create-pet/stored'
  | 'store/kept';

/** Returns the clause that a list belongs to which lacks animals. */
function findClause(one: Missing, looked: readonly ListLooked[]): MissingClause {
  const { list, animal } = one;
  if (isFilteredAfterLimit(one, looked)) return 'list-pets/filter-before-limit';
  const { kind, hasLimit, limit } = list.query;
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
  if (kind === ALL) {
    if (!lacksWithLargest) return limit > DEFAULT_LIMIT || isOwn ? 'create-pet/stored' : 'store/kept';
    return 'store/kept';
  }
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

function isExcused({ excuse }: Missing): boolean {
  return excuse !== undefined;
}

/** Returns the missing animals of all lists by the clauses that they belong to, excused ones too. */
function groupMissing(evidence: Evidence): ReadonlyMap<MissingClause, readonly Missing[]> {
  const looked = evidence.once(lookAtLists);
  const clauses = new Map<string, MissingClause>();
  return Map.groupBy(
    looked.flatMap(({ missing }) => missing),
    (one) => {
      const { path } = one.list.exchange;
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
      fault: longer === undefined ? describeMissing(clause, one) : describeCount(list, longer),
      // What a list of all lacks was neither changed nor put back, so that all these lists are about one thing.
      subject: list.query.kind === ALL ? 'lists of all' : list.exchange.question,
      evidence: one.evidence,
      excuse,
      ask: askForMissing(one),
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

function describeMissing(clause: MissingClause, { list, animal }: Missing): Sighting['fault'] {
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
  const lacks = clause === 'store/kept' ? 'the animal of before' : 'the animal';
  return { kind: 'missing', lacks, id, received };
}

/** Returns the comparisons of the lists that a clause is about. @param isMeant whether it is about a list */
export function compareLists(
  evidence: Evidence,
  isMeant: (list: ListAnswer) => boolean,
  isDue: (animal: JsonObject) => boolean = () => true,
) {
  return evidence.once(lookAtLists).flatMap(({ list, expected, missing }) => {
    const excused = new Set(missing.map(({ before }) => before.shown));
    const animals = expected.filter((animal) => !excused.has(animal) && isDue(animal));
    return isMeant(list) && animals.length > 0 ? [{ exchange: list.exchange, animals }] : [];
  });
}
