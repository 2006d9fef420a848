import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import type { Behaviour } from '../choices/choices.ts';
import { serviceContract } from '../contract.ts';
import { type Contents, createContents } from '../service/pet-store.ts';
import { findProblems, pickMembers, readListQuery as readQuery } from '../service/read-request.ts';
import { animalsIn } from './describe-reply.ts';
import type { Seen } from './read-recording.ts';

/** An animal, and when responses showed it, in ms. */
interface Sighting {
  readonly pet: Pet;
  /** When the first response that showed it was read. */
  readonly known: number;
  /** When the first list that showed it was read. Infinite if none did. */
  listed: number;
  /** When the last response that showed it was requested. */
  shown: number;
  /** When a list that should have shown it was requested. */
  gone: number;
}

/** Recorders round down when a request was sent, in ms. */
const ROUNDING = 1;

/** Number of animals of a list that shows an order. */
const LONG_LIST = 5;

const { limit, filters, members } = serviceContract;

/** Reads the query of a list. @returns undefined for one with other parameters, or with an invalid value */
export function readListQuery(path: string) {
  const query = new URLSearchParams(path.split(/\?(.*)/s)[1]);
  const isFilter = (name: string) => filters.some((one) => one.name === name);
  if (![...query.keys()].every((name) => name === limit.name || isFilter(name))) return undefined;
  try {
    return { ...readQuery(query, serviceContract), isOfAll: ![...query.keys()].some(isFilter) };
  } catch {
    return undefined;
  }
}

const isListOfAll = ({ method, path }: Seen) =>
  method === 'GET' && /^\/pets(?:\?|$)/.test(path) && readListQuery(path)?.isOfAll === true;

/** Returns an animal of a response, without further members. @returns undefined if the contract has no such animal */
function toPet(object: JsonObject): Pet | undefined {
  return findProblems(object, members).length === 0 ? (pickMembers(object, members) as Pet) : undefined;
}

const isEqual = (one: Pet, other: Pet) =>
  members.every(({ name }) => (one as never)[name] === (other as never)[name]);

const findPets = (sightings: ReadonlyMap<bigint, Sighting[]>, isMeant: (one: Sighting) => boolean) =>
  [...sightings.values()].flatMap((all) => all.findLast(isMeant)?.pet ?? []);

/** Which animals a recording shows that the service had, and when. */
export class History {
  readonly lists: readonly Seen[];
  readonly additions: readonly Seen[];
  /** The longest list. */
  readonly longest: number;
  /** The longest list without a filter; undefined if there is none. */
  readonly longestOfAll: number | undefined;
  /** The order of lists, once it is known. */
  order: Behaviour['order'] | undefined;
  readonly #ofAll: readonly Seen[];
  /** The place of each addition among all additions. */
  readonly #ranks: ReadonlyMap<unknown, number>;
  readonly #sightings = new Map<bigint, Sighting[]>();
  /** Those of animals that a list showed. */
  readonly #listed = new Map<bigint, Sighting[]>();
  readonly #byName = new Map<string, Sighting[]>();

  constructor(exchanges: readonly Seen[]) {
    this.lists = exchanges.filter(
      ({ method, path, status, json }) =>
        method === 'GET' && /^\/pets\/?(?:\?|$)/.test(path) && status === 200 && Array.isArray(json),
    );
    this.#ofAll = this.lists.filter(isListOfAll);
    this.additions = exchanges.filter(
      ({ method, status, json }) => method === 'POST' && status === 201 && animalsIn(json)[0] !== undefined,
    );
    this.#ranks = new Map(this.additions.map((one, index) => [firstIdOf(one), index + 1]));
    const findLongest = (lists: readonly Seen[]) =>
      lists.reduce((most, { json }) => Math.max(most, animalsIn(json).length), 0);
    this.longest = findLongest(this.lists);
    this.longestOfAll = this.#ofAll.length > 0 ? findLongest(this.#ofAll) : undefined;
    for (const seen of exchanges.toSorted((one, other) => one.end - other.end)) this.#note(seen);
  }

  #note(seen: Seen): void {
    if (seen.status !== 200 && seen.status !== 201) return;
    const isList = Array.isArray(seen.json);
    const shown = animalsIn(seen.json).flatMap((one) => toPet(one) ?? []);
    const listed = isList ? seen.end : Number.POSITIVE_INFINITY;
    for (const pet of shown) {
      const all = this.#sightings.get(pet.id) ?? [];
      this.#sightings.set(pet.id, all);
      if (isList) this.#listed.set(pet.id, all);
      const last = all.at(-1);
      if (last !== undefined && last.gone === Number.POSITIVE_INFINITY && isEqual(last.pet, pet)) {
        last.listed = Math.min(last.listed, listed);
        last.shown = Math.max(last.shown, seen.at);
        continue;
      }
      if (last !== undefined) last.gone = Math.min(last.gone, seen.at);
      const sighting = { pet, known: seen.end, listed, shown: seen.at, gone: Number.POSITIVE_INFINITY };
      all.push(sighting);
      const name = pet.name.toLowerCase();
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), sighting]);
    }
    if (!isList || !isListOfAll(seen) || shown.length >= this.mostOf(seen)) return;
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, all] of this.#listed) {
      const last = all.at(-1);
      if (last !== undefined && !ids.has(id) && last.listed < seen.at)
        last.gone = Math.min(last.gone, seen.at);
    }
  }

  /** Returns the animals that the service certainly had when it received a request, because earlier responses showed them. */
  knownBefore({ at }: Seen): Pet[] {
    return findPets(this.#sightings, (one) => one.known < at && one.gone > at);
  }

  /** Returns the animals that the service certainly listed when it received a request: it may list new animals late. */
  listedBefore({ at }: Seen): Pet[] {
    return findPets(this.#listed, (one) => one.listed < at && one.gone > at);
  }

  /** Returns the animals that earlier lists and later responses showed alike, so that nobody removed or changed them meanwhile. */
  listedAround({ at, end }: Seen): Pet[] {
    return findPets(this.#listed, (one) => one.listed < at && one.shown > end);
  }

  firstShown(id: unknown): number {
    return this.#sightings.get(id as bigint)?.[0]?.known ?? Number.POSITIVE_INFINITY;
  }

  /** Returns whether an animal certainly had the name that a request sends, also in another case. */
  isTaken({ at, sent: { name } }: Seen): boolean {
    if (typeof name !== 'string') return false;
    const all = this.#byName.get(name.toLowerCase()) ?? [];
    return all.some(({ known, gone }) => known < at && gone > at);
  }

  /** Returns whether a request sends the name of an animal that another one may just have added. */
  isContested({ at, sent: { name } }: Seen): boolean {
    return this.additions.some((one) => one.at < at && one.end > at && one.sent.name === name);
  }

  /** Returns the animals that a list, or else an animal, shows. */
  shownBy({ json, status }: Seen): Pet[] {
    return status === 200 ? animalsIn(json).flatMap((one) => toPet(one) ?? []) : [];
  }

  /** Returns the last list of all animals before a request that is long enough to show an order. */
  #referenceOf(seen: Seen): Seen | undefined {
    return this.#ofAll.findLast(({ end, json }) => end <= seen.at && animalsIn(json).length >= LONG_LIST);
  }

  /** Returns whether it is known which animals come first in a list. */
  isOrdered(seen: Seen): boolean {
    return this.order !== undefined && this.order !== 'random' && this.#referenceOf(seen) !== undefined;
  }

  /** Returns whether the last list of all animals shows the order of a list exactly, because no animal can have come into it since. */
  isSteady(seen: Seen): boolean {
    const reference = this.#referenceOf(seen);
    if (reference === undefined || !this.isOrdered(seen)) return false;
    const ids = new Set(animalsIn(reference.json).map(({ id }) => id));
    const isAdded = this.additions.some(({ at, end }) => end > reference.at + ROUNDING && at <= seen.end);
    return !isAdded && !this.#mayBeLate(reference) && this.shownBy(seen).every(({ id }) => ids.has(id));
  }

  /** Returns whether an animal may come into lists after a list, since it was added before and was not listed yet. */
  #mayBeLate({ at, end }: Seen): boolean {
    const newest = this.additions.findLast((one) => one.end <= at);
    // New animals come after the oldest ones.
    if (newest === undefined || this.order === 'oldest') return false;
    const [sighting] = this.#listed.get(firstIdOf(newest) as bigint) ?? [];
    return sighting === undefined || sighting.listed > end;
  }

  /** Returns how many animals a list can have: a list with fewer has all that match. */
  mostOf({ path }: Seen): number {
    return Math.min(readListQuery(path)?.limit ?? limit.usual, this.longest);
  }

  /** Returns a store whose newest animals are the first ones of lists. */
  storeOfLists(seen: Seen): Contents {
    const { order } = this;
    const shown = this.shownBy(seen);
    const ids = new Set(shown.map(({ id }) => id));
    const pets = [...this.listedBefore(seen).filter(({ id }) => !ids.has(id)), ...shown];
    const reference = this.#referenceOf(seen);
    const places = new Map(animalsIn(reference?.json).map(({ id }, index) => [id, index]));
    const placeOf = ({ id }: Pet) => {
      const rank = this.#ranks.get(id);
      const place = places.get(id);
      if (place !== undefined) return place;
      // Animals that the list lacks were added since, or are too far from its beginning.
      if (rank === undefined) return order === 'oldest' ? places.size : Number.MAX_SAFE_INTEGER;
      return order === 'oldest' ? places.size + rank : -rank;
    };
    return createContents(pets.toSorted((one, other) => placeOf(other) - placeOf(one)));
  }
}

const firstIdOf = ({ json }: Seen) => animalsIn(json)[0]?.id;
