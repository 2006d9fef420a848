import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Facts } from '../history/facts.ts';
import {
  type Animal,
  areAtOnce,
  firstAfter,
  type History,
  isOfClient,
  isShown,
  knownSince,
  type ListAnswer,
  type Observation,
  type ShownObservation,
} from '../history/history.ts';
import { isMatch } from '../history/list-query.ts';
import {
  ageOf,
  areChangedByOthers,
  hasNoRoom,
  isChangedByOthers,
  isLate,
  isRemovedByOthers,
  type Tolerance,
} from '../history/tolerances.ts';
import type { Evidence, Sighting } from './rule.ts';

/** An animal that a list lacks although it was shown before, as the filters of the list ask for. */
export interface Missing {
  readonly list: ListAnswer;
  readonly animal: Animal;
  /** How the animal was shown before the list. */
  readonly before: ShownObservation;
  /** How the animal was shown after the list, if it was. */
  readonly after: Observation | undefined;
  readonly excuse: Tolerance | undefined;
  readonly evidence: Sighting['evidence'];
}

/** A list, what it lacks, and whether it has no animal that it should not have. */
export interface ListLooked {
  readonly list: ListAnswer;
  /** The animals that the list had to have, if nothing excuses it. */
  readonly expected: readonly JsonObject[];
  readonly missing: readonly Missing[];
}

/** Finds what the lists lack whose answer the specification fixes. Those for other clients may be in an order of their own. */
export function lookAtLists(evidence: Evidence): readonly ListLooked[] {
  return evidence.once(lookAtEachList).filter(({ list }) => !isOfClient(list.exchange));
}

/**
 * Finds what each list lacks, those for other clients too. This is one rule for every list and every animal: filters, windows, hidden
 * rows, joins, replicas and versions have no case of their own.
 */
export function lookAtEachList({ history, facts, target }: Evidence): readonly ListLooked[] {
  const lists = [...facts.lists, ...facts.listsOfClients].toSorted(
    (one, other) => one.exchange.at - other.exchange.at,
  );
  const animals = [...history.animals.values()].filter(
    (animal) => !animal.isShared && !isCopy(animal, history),
  );
  const areChanged = areChangedByOthers(history);
  const allPlaces = new Map(facts.lists.map((list) => [list, toPlaces(list, history)]));
  const showing = groupByAnimal(allPlaces);
  const observed = animals
    .flatMap((animal) => animal.observations.map((before) => ({ animal, before })))
    .toSorted((one, other) => one.before.exchange.end - other.before.exchange.end);
  /** The last response that showed or denied each animal, before the list that is looked at. */
  const last = new Map<Animal, Observation>();
  let next = 0;
  return lists.map((list) => {
    const { exchange, query, ids } = list;
    for (let one = observed[next]; one && one.before.exchange.end <= exchange.at; one = observed[next]) {
      last.set(one.animal, one.before);
      next += 1;
    }
    const due = [...last].flatMap(([animal, before]) =>
      isShown(before) && isMatch(query, before.shown) ? [{ animal, before }] : [],
    );
    const absent = due.filter(({ animal }) => !ids.has(animal.id));
    const expected = due.map(({ before }) => before.shown);
    if (absent.length === 0) return { list, expected, missing: [] };
    const isFull = hasNoRoom(
      list,
      absent.map(({ before }) => before.shown),
      facts,
    );
    const isReached = isFull ? findReach(list, allPlaces, showing, facts) : () => true;
    // A list that is as long as its limit needs no excuse.
    const wanted = ids.size < query.limit ? absent : absent.filter(({ animal }) => isReached(animal));
    const absences = wanted.map(({ animal, before }) => {
      const after = firstAfter(animal, exchange.end);
      // Lists may be in the order of the last change.
      const isDue = !isFull || (isReached(animal) && hasOneStatus(animal));
      const excuse = isDue ? findExcuse(list, animal, before, after, areChanged, target.settle) : 'no room';
      return { list, animal, before, after, excuse };
    });
    // Others hardly fill an empty store just then; but a cache says how old its list is.
    const mayBeLate = ids.size > 0 || ageOf(exchange) > 0;
    const isUnexplained = ({ excuse, animal: { isOwn }, after }: (typeof absences)[number]) =>
      isShown(after) && (excuse === undefined || (excuse === 'late' && !isOwn && !mayBeLate));
    const areMany = absences.filter(isUnexplained).length >= MORE_THAN_OTHERS_CHANGE;
    const missing = absences.map((one): Missing => {
      const excuse = areMany && isUnexplained(one) ? undefined : one.excuse;
      return { ...one, excuse, evidence: findEvidence(one, areMany) };
    });
    return { list, expected, missing };
  });
}

/** Returns whether all responses show one status of an animal, as far as they show any. */
function hasOneStatus({ observations }: Animal): boolean {
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

function findExcuse(
  { exchange, query }: ListAnswer,
  animal: Animal,
  before: ShownObservation,
  after: Observation | undefined,
  areChanged: boolean,
  settle: number,
): Tolerance | undefined {
  if (isRemovedByOthers(animal, exchange.end)) return 'removed by others';
  const isChanged = isShown(after) && (areChanged || isChangedByOthers(animal, before, exchange, after));
  if (query.isByStatus && isChanged) return 'changed by others';
  return isLate(exchange, knownSince(animal, before), settle) ? 'late' : undefined;
}

/** Others hardly change so many animals, and all of them back, between two responses. */
const MORE_THAN_OTHERS_CHANGE = 5;

/**
 * Nothing puts an animal back that was removed; but a status may have changed twice between two distant responses.
 * @param areMany whether the list lacks more animals than others change
 */
function findEvidence(
  { list: { exchange, query }, before, after }: Omit<Missing, 'evidence'>,
  areMany: boolean,
): Sighting['evidence'] {
  if (!isShown(after)) return 'to be asked again';
  if (!query.isByStatus || areMany) return 'seen';
  const isAtOnce = areAtOnce(before.exchange, exchange) && areAtOnce(exchange, after.exchange);
  return isAtOnce ? 'seen' : 'to be asked again';
}

/** The places of the animals of a list. */
type Places = ReadonlyMap<Animal, number>;

function toPlaces({ ids }: ListAnswer, { animals }: History): Places {
  return new Map([...ids].map((id, place) => [animals.get(id) as Animal, place]));
}

/** Returns the lists that show each animal, by their kinds. */
function groupByAnimal(allPlaces: ReadonlyMap<ListAnswer, Places>) {
  const showing = new Map<string, Map<Animal, ListAnswer[]>>();
  for (const [list, places] of allPlaces) {
    const { kind } = list.query;
    const ofKind = showing.get(kind) ?? new Map<Animal, ListAnswer[]>();
    showing.set(kind, ofKind);
    for (const animal of places.keys()) {
      const lists = ofKind.get(animal) ?? [];
      lists.push(list);
      ofKind.set(animal, lists);
    }
  }
  return showing;
}

/**
 * Returns for a list without room whether it must have an animal all the same: the animal comes before its last one in an order
 * that never changed, or is in a list with a smaller limit. Where lists begin anywhere in an order by id, it has to come between two of
 * its animals.
 */
function findReach(
  list: ListAnswer,
  allPlaces: ReadonlyMap<ListAnswer, Places>,
  showing: ReturnType<typeof groupByAnimal>,
  facts: Facts,
): (animal: Animal) => boolean {
  const own = [...(allPlaces.get(list)?.keys() ?? [])];
  const first = own[0]?.id;
  const last = own.at(-1)?.id;
  if (first === undefined || last === undefined) return () => false;
  const { kind } = list.query;
  const isEarlier = (other: ListAnswer) => other.exchange.at < list.exchange.at;
  const isSteady = facts.isSteady(kind);
  const beginsHere = isSteady && facts.beginAtOnePlace(kind);
  const isBetween = ({ id }: Animal) => {
    if (facts.idOrder === 'ascending') return id < last && (beginsHere || id > first);
    return facts.idOrder === 'descending' && id > last && (beginsHere || id < first);
  };
  // Where each question always begins at one place, a list has what one with a smaller limit has, wherever both begin.
  const isAlike = isSteady && facts.questionsBeginAtOnePlace(kind);
  const longest = facts.haveLengthsByChance ? list.ids.size : list.query.limit;
  const isInSmaller = (animal: Animal) => {
    const smaller = (showing.get(kind)?.get(animal) ?? []).filter(
      ({ query, ids }) => query.limit <= list.query.limit && ids.size <= longest,
    );
    return smaller.some(isEarlier) && smaller.some((other) => !isEarlier(other));
  };
  // Where all lists are in an order by id, longer ones show no other one.
  const hasOther = isSteady && facts.idOrder === undefined;
  const others = hasOther
    ? [...allPlaces].filter(([other]) => other !== list && other.query.kind === kind)
    : [];
  const references = others.map(([other, places]) => {
    const ownPlaces = own.flatMap((animal) => places.get(animal) ?? []);
    return {
      isEarlier: isEarlier(other),
      places,
      from: beginsHere ? -1 : Math.min(...ownPlaces),
      to: Math.max(-1, ...ownPlaces),
    };
  });
  const { earlier = [], later = [] } = Object.groupBy(references, (one) =>
    one.isEarlier ? 'earlier' : 'later',
  );
  const isWithinAny = (animal: Animal, some: typeof references) =>
    some.some(({ places, from, to }) => {
      const place = places.get(animal);
      return place !== undefined && place > from && place < to;
    });
  // Before the list and after it, since an animal may have been moved in between.
  return (animal) =>
    isBetween(animal) ||
    (isAlike && isInSmaller(animal)) ||
    (isWithinAny(animal, earlier) && isWithinAny(animal, later));
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
