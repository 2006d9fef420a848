import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
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

/** Two lists in a random order hardly begin with so many animals that are the same. */
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
  readonly #ofAll: readonly Seen[];
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

  /** Returns how many animals a list can have: a list with fewer has all that match. */
  mostOf({ path }: Seen): number {
    return Math.min(readListQuery(path)?.limit ?? limit.usual, this.longest);
  }

  /** Returns the animals with which a list of all began when the service received a request, because those before and after it do. */
  #firstAt(seen: Seen): Pet[] {
    const isLong = ({ json }: Seen) => animalsIn(json).length >= LONG_LIST;
    const before = this.#ofAll.findLast((one) => one.end <= seen.at && isLong(one));
    const after = this.#ofAll.find((one) => one.at >= seen.end && isLong(one));
    if (before === undefined || after === undefined) return [];
    const [pets, later] = [this.shownBy(before), this.shownBy(after)];
    const isSame = (pet: Pet, other: Pet | undefined) => other !== undefined && isEqual(pet, other);
    const end = pets.findIndex((pet, index) => !isSame(pet, later[index]));
    const first = end === -1 ? pets : pets.slice(0, end);
    return first.length >= LONG_LIST ? first : [];
  }

  /** Returns a store whose newest animals are the first ones of lists, as far as those are known, and then the ones that this list shows. */
  storeOfLists(seen: Seen): Contents {
    const pets = [...this.#firstAt(seen), ...this.shownBy(seen), ...this.listedBefore(seen)];
    const byId = Map.groupBy(pets, ({ id }) => id);
    return createContents([...byId.values()].flatMap(([pet]) => pet ?? []).toReversed());
  }
}
