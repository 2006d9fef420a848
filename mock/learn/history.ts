import type { JsonObject } from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { type Pet, petStatuses } from '../../common/json/pet.ts';
import type { Behaviour } from '../choices/choices.ts';
import { type Contents, createContents } from '../service/pet-store.ts';
import { animalsIn } from './describe-reply.ts';
import type { Seen } from './read-recording.ts';

/** An animal, and when responses showed it, in ms. */
interface Sighting {
  readonly pet: Pet;
  /** When the first response that showed it was read. */
  readonly known: number;
  /** When the first list that showed it was read. Infinite if none did. */
  listed: number;
  /** When a list that should have shown it was requested. */
  gone: number;
}

const DEFAULT_LIMIT = 20;

/** Recorders round down when a request was sent, in ms. */
const ROUNDING = 1;

/** Number of animals of a list that shows an order. */
const LONG_LIST = 5;

/** A list of all animals up to a valid limit. @returns undefined for another request */
function limitOf({ method, path }: Seen): number | undefined {
  const [, limit] = /^\/pets(?:\?limit=([1-9]\d?|100))?$/.exec(path) ?? [undefined, ''];
  if (method !== 'GET' || limit === '' || !path.startsWith('/pets')) return undefined;
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

/** Returns an animal of a response, without further members. @returns undefined if the contract has no such animal */
function toPet({ id, name, categoryId, status }: JsonObject): Pet | undefined {
  if (!isInt64(id ?? null) || typeof name !== 'string' || !isInt64(categoryId ?? null)) return undefined;
  const isStatus = petStatuses.some((one) => one === status);
  if (status !== undefined && !isStatus) return undefined;
  return { id, name, categoryId, ...(isStatus && { status }) } as Pet;
}

/** Which animals a recording shows that the service had, and when. */
export class History {
  readonly lists: readonly Seen[];
  readonly additions: readonly Seen[];
  /** The longest list. */
  readonly longest: number;
  readonly #unfiltered: readonly Seen[];
  readonly #references = new Map<Seen, Seen | undefined>();
  /** The place of each addition among all additions. */
  readonly #ranks: ReadonlyMap<unknown, number>;
  readonly #sightings = new Map<bigint, Sighting[]>();

  constructor(exchanges: readonly Seen[]) {
    const isList = ({ method, path, status, json }: Seen) =>
      method === 'GET' && /^\/pets\/?(?:\?|$)/.test(path) && status === 200 && Array.isArray(json);
    this.lists = exchanges.filter(isList);
    this.#unfiltered = this.lists.filter((one) => limitOf(one) !== undefined);
    this.additions = exchanges.filter(
      ({ method, status, json }) => method === 'POST' && status === 201 && animalsIn(json)[0] !== undefined,
    );
    this.#ranks = rankAdditions(this.additions);
    this.longest = Math.max(0, ...this.lists.map(({ json }) => animalsIn(json).length));
    for (const seen of exchanges.toSorted((one, other) => one.end - other.end)) this.#note(seen);
  }

  #note(seen: Seen): void {
    const isList = Array.isArray(seen.json);
    if (seen.status !== 200 && seen.status !== 201) return;
    const shown = animalsIn(seen.json).flatMap((one) => toPet(one) ?? []);
    for (const pet of shown) {
      const all = this.#sightings.get(pet.id) ?? [];
      const last = all.at(-1);
      const isSame = last !== undefined && last.gone === Number.POSITIVE_INFINITY && isEqual(last.pet, pet);
      if (isSame) {
        if (isList) last.listed = Math.min(last.listed, seen.end);
        continue;
      }
      if (last !== undefined) last.gone = Math.min(last.gone, seen.at);
      const listed = isList ? seen.end : Number.POSITIVE_INFINITY;
      this.#sightings.set(pet.id, [...all, { pet, known: seen.end, listed, gone: Number.POSITIVE_INFINITY }]);
    }
    const limit = limitOf(seen);
    if (limit === undefined || !isList || shown.length >= Math.min(limit, this.longest)) return;
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, all] of this.#sightings) {
      const last = all.at(-1);
      if (last !== undefined && !ids.has(id) && last.listed < seen.at)
        last.gone = Math.min(last.gone, seen.at);
    }
  }

  /** Returns the animals that the service certainly had when it received a request, because earlier responses showed them. */
  knownBefore({ at }: Seen): Pet[] {
    return this.#find((one) => one.known < at && one.gone > at);
  }

  /** Returns the animals that the service certainly listed when it received a request: it may list new animals late. */
  listedBefore({ at }: Seen): Pet[] {
    return this.#find((one) => one.listed < at && one.gone > at);
  }

  #find(isMeant: (one: Sighting) => boolean): Pet[] {
    return [...this.#sightings.values()].flatMap((all) =>
      all
        .filter(isMeant)
        .slice(-1)
        .map(({ pet }) => pet),
    );
  }

  /** Returns the animals at the end of the recording, the oldest first as far as lists show their age. */
  allAtEnd(order: Behaviour['order'] | undefined): readonly Pet[] {
    const end = { at: Number.MAX_VALUE, json: undefined, status: 0 } as unknown as Seen;
    const pets = this.storeOfLists(end, order).all;
    return order === 'oldest' ? pets.toReversed() : pets;
  }

  /** Returns whether an animal certainly had the name that a request sends, also in another case. */
  isTaken(seen: Seen): boolean {
    const { name } = seen.sent;
    if (typeof name !== 'string') return false;
    return this.knownBefore(seen).some((pet) => pet.name.toLowerCase() === name.toLowerCase());
  }

  /** Returns the animals that a list, or else an animal, shows. */
  shownBy({ json, status }: Seen): Pet[] {
    return status === 200 ? animalsIn(json).flatMap((one) => toPet(one) ?? []) : [];
  }

  /** Returns the longest of the lists of all animals before a request: of those since the last addition, if there are long ones. */
  #referenceOf(seen: Seen): Seen | undefined {
    if (this.#references.has(seen)) return this.#references.get(seen);
    const before = this.#unfiltered.filter((one) => one.end <= seen.at);
    const added = this.additions.filter(({ at }) => at <= seen.at).map(({ end }) => end);
    const last = Math.max(Number.NEGATIVE_INFINITY, ...added);
    const lengthOf = ({ json }: Seen) => animalsIn(json).length;
    const since = before.filter((one) => one.at + ROUNDING >= last && lengthOf(one) >= LONG_LIST);
    const lists = since.length > 0 ? since : before;
    const longest = Math.max(0, ...lists.map(lengthOf));
    const reference = lists.findLast((one) => lengthOf(one) === longest);
    this.#references.set(seen, reference);
    return reference;
  }

  /** Returns whether it is known which animals come first in a list. */
  isOrdered(seen: Seen, order: Behaviour['order'] | undefined): boolean {
    return order !== undefined && order !== 'random' && this.#referenceOf(seen) !== undefined;
  }

  /** Returns whether the last list of all animals shows the order of a list exactly, because no animal was added since. */
  isSteady(seen: Seen, order: Behaviour['order'] | undefined): boolean {
    const reference = this.#referenceOf(seen);
    if (reference === undefined || order === undefined || order === 'random') return false;
    const ids = new Set(animalsIn(reference.json).map(({ id }) => id));
    const isAdded = this.additions.some(({ at, end }) => end > reference.at + ROUNDING && at <= seen.end);
    return !isAdded && this.shownBy(seen).every(({ id }) => ids.has(id));
  }

  /** Returns how many animals a list can have: a list with fewer has all that match. */
  mostOf({ path }: Seen): number {
    const [, limit] = /[?&]limit=([1-9]\d?|100)(?:&|$)/.exec(path) ?? [];
    return Math.min(Number(limit ?? DEFAULT_LIMIT), this.longest);
  }

  /** Returns a store whose newest animals are the first ones of lists. @param order of the lists, if it is known */
  storeOfLists(seen: Seen, order: Behaviour['order'] | undefined): Contents {
    const shown = this.shownBy(seen);
    const ids = new Set(shown.map(({ id }) => id));
    const pets = [...this.listedBefore(seen).filter(({ id }) => !ids.has(id)), ...shown];
    const reference = this.#referenceOf(seen);
    const places = new Map(animalsIn(reference?.json).map(({ id }, index) => [id, index]));
    const since = new Set(this.additions.filter(({ end }) => end > (reference?.at ?? 0)).map(firstIdOf));
    const placeOf = ({ id }: Pet) => {
      const rank = this.#ranks.get(id);
      const place = places.get(id);
      if (place !== undefined) return place;
      // Animals that the list lacks were added since, or are too far from its beginning.
      if (rank === undefined) return order === 'oldest' ? places.size : Number.MAX_SAFE_INTEGER;
      if (order === 'oldest') return places.size + rank;
      return since.has(id) ? -rank : places.size + this.#ranks.size - rank;
    };
    const isNew = ({ id }: Pet) => !places.has(id);
    const compare = (one: Pet, other: Pet) =>
      order === 'name' && (isNew(one) || isNew(other))
        ? one.name > other.name
          ? -1
          : 1
        : placeOf(other) - placeOf(one);
    return createContents(pets.toSorted(compare));
  }
}

const firstIdOf = ({ json }: Seen) => animalsIn(json)[0]?.id;

function isEqual(one: Pet, other: Pet): boolean {
  return one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;
}

/** Ranks additions by their ids where these grow, because several at once may be answered in any order, and else by time. */
function rankAdditions(additions: readonly Seen[]): ReadonlyMap<unknown, number> {
  const sizeOf = ({ json }: Seen) => Math.abs(Number(animalsIn(json)[0]?.id));
  const grow = additions.every((one, index) => {
    const before = additions[index - 1];
    return before === undefined || before.end > one.at || sizeOf(before) < sizeOf(one);
  });
  const ranked = grow ? additions.toSorted((one, other) => sizeOf(one) - sizeOf(other)) : additions;
  return new Map(ranked.map((one, index) => [firstIdOf(one), index + 1]));
}
