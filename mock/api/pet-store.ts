import type { NewPet, Pet, PetStatus } from '../../common/pet.ts';

/** Which animals a list has. */
export interface ListFilter {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/**
 * The animals, in the order in which they were added. No call that an operation makes takes longer because there are more
 * of them; `set`, `remove` and `replace`, which no operation makes, take time in proportion.
 */
export interface PetStore {
  readonly size: number;
  /** Another number after every change. */
  readonly version: number;
  /** The id from which on `add` looks for one that is not in use. */
  readonly nextId: bigint;
  /** Adds an animal under an id of its own and returns it. */
  add(pet: NewPet): Pet;
  get(id: bigint): Pet | undefined;
  /** The oldest come first. @param isNewestFirst @default false */
  list(filter: ListFilter, isNewestFirst?: boolean): readonly Pet[];
  /** All of them, in a copy. */
  all(): Pet[];
  /** Puts an animal in the place of the one with its id, or behind all others. */
  set(pet: Pet): void;
  /** Removes an animal, if there is one with this id; whatever is left keeps its order. */
  remove(id: bigint): void;
  /** Puts these animals, whose ids must differ, in the place of all. @param nextId @default as for a new store */
  replace(pets: Iterable<Pet>, nextId?: bigint): void;
  /** What it holds now. That takes no time: it is copied with the next change. */
  snapshot(): Contents;
  /** Puts what any store held in the place of all, in no time either. */
  restore(contents: Contents): void;
}

/** What a store held at one time; never changed, since several stores may share it. */
export interface Contents {
  readonly all: Pet[];
  readonly others: Map<bigint, Pet>;
  readonly byStatus: Record<PetStatus, Pet[]>;
  readonly nextId: bigint;
}

/** Creates a store that holds `pets`, whose ids must differ. @param firstVersion its version before that. @default 0 */
export function createPetStore(pets: Iterable<Pet> = [], firstVersion = 0): PetStore {
  let all: Pet[] = [];
  // Only those whose id is not their place in `all`, counted from 1: a map of all is what takes longest in filling a store.
  let others = new Map<bigint, Pet>();
  let byStatus: Record<PetStatus, Pet[]> = { available: [], pending: [], sold: [] };
  let version = firstVersion;
  let nextId = 1n;
  let isShared = false;
  const copyShared = () => {
    if (!isShared) return;
    all = [...all];
    others = new Map(others);
    const { available, pending, sold } = byStatus;
    byStatus = { available: [...available], pending: [...pending], sold: [...sold] };
    isShared = false;
  };
  const insert = (pet: Pet): Pet => {
    version += 1;
    copyShared();
    if (all.push(pet) !== Number(pet.id)) others.set(pet.id, pet);
    if (pet.status !== undefined) byStatus[pet.status].push(pet);
    return pet;
  };
  const get = (id: bigint): Pet | undefined => {
    const pet = all[Number(id) - 1];
    return pet?.id === id ? pet : others.get(id);
  };
  const replace = (pets: Iterable<Pet>, next?: bigint) => {
    version += 1;
    isShared = false;
    all = [];
    others = new Map();
    byStatus = { available: [], pending: [], sold: [] };
    for (const pet of pets) insert(pet);
    nextId = next ?? firstNewId(all);
  };
  replace(pets);

  return {
    get size() {
      return all.length;
    },
    get version() {
      return version;
    },
    get nextId() {
      return nextId;
    },
    add({ name, categoryId, status }) {
      while (get(nextId) !== undefined) nextId += 1n;
      const id = nextId;
      nextId += 1n;
      return insert(status === undefined ? { id, name, categoryId } : { id, name, categoryId, status });
    },
    get,
    list({ limit, status }, isNewestFirst = false) {
      const matching = status === undefined ? all : byStatus[status];
      if (!isNewestFirst) return matching.slice(0, limit);
      return matching.slice(Math.max(matching.length - limit, 0)).reverse();
    },
    all: () => [...all],
    set(pet) {
      const old = get(pet.id);
      if (old === undefined) insert(pet);
      else replace(all.with(all.indexOf(old), pet), nextId);
    },
    remove(id) {
      const old = get(id);
      if (old !== undefined)
        replace(
          all.filter((pet) => pet !== old),
          nextId,
        );
    },
    replace,
    snapshot() {
      isShared = true;
      return { all, others, byStatus, nextId };
    },
    restore(contents) {
      version += 1;
      isShared = true;
      ({ all, others, byStatus, nextId } = contents);
    },
  };
}

const ordinary = BigInt(Number.MAX_SAFE_INTEGER);

/** One more than the largest id that a double holds exactly: new ids stay ordinary beside extraordinary ones. */
export function firstNewId(pets: Iterable<Pick<Pet, 'id'>>): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id < ordinary) largest = id;
  return largest + 1n;
}
