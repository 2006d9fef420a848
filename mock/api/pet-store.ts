import type { NewPet, Pet, PetStatus } from '../../common/json/pet.ts';

export interface ListFilter {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/** Animals of a store at one time. Several stores may share them, so they are copied before a change. */
export interface Contents {
  readonly byId: Map<bigint, Pet>;
  readonly all: Pet[];
  readonly byStatus: Record<PetStatus, Pet[]>;
  nextId: bigint;
}

/**
 * The animals, in the order in which they were added. The time of an operation does not depend on their number. Only
 * `set`, `remove` and `replace`, which no operation calls, take longer if there are more animals.
 */
export class PetStore {
  version: number;
  /** Number of animals that requests have added. */
  added = 0;
  #contents: Contents;
  #isShared = true;

  constructor(contents: Contents, version = 0) {
    this.#contents = contents;
    this.version = version + 1;
  }

  get size(): number {
    return this.#contents.all.length;
  }

  /** Adds an animal and returns it. @param toId makes an id from the next integer, which follows if the id is in use. */
  add(pet: NewPet, toId = (next: bigint) => next): Pet {
    const contents = this.#change();
    for (;;) {
      const id = toId(contents.nextId);
      contents.nextId += 1n;
      if (!contents.byId.has(id)) return insert(contents, { id, ...pet });
    }
  }

  get(id: bigint): Pet | undefined {
    return this.#contents.byId.get(id);
  }

  /** Returns the oldest animals, or the newest, in this order. */
  list({ limit, status }: ListFilter, isNewestFirst = false): readonly Pet[] {
    const { all, byStatus } = this.#contents;
    const matching = status === undefined ? all : byStatus[status];
    if (!isNewestFirst) return matching.slice(0, limit);
    return matching.slice(Math.max(matching.length - limit, 0)).reverse();
  }

  all(): Pet[] {
    return [...this.#contents.all];
  }

  /** Replaces the animal with the same id, or adds one after all others. */
  set(pet: Pet): void {
    const { all, nextId } = this.#contents;
    const old = this.get(pet.id);
    if (old === undefined) insert(this.#change(), pet);
    else this.#replace(createContents(all.with(all.indexOf(old), pet), nextId));
  }

  remove(id: bigint): void {
    const { all, nextId } = this.#contents;
    const left = all.filter((pet) => pet.id !== id);
    this.#replace(createContents(left, nextId));
  }

  replace(pets: Iterable<Pet>): void {
    this.#replace(createContents(pets));
  }

  /** Returns the contents, which are copied before the next change. */
  snapshot(): Contents {
    this.#isShared = true;
    return this.#contents;
  }

  #replace(contents: Contents): void {
    this.version += 1;
    this.#contents = contents;
    this.#isShared = false;
  }

  #change(): Contents {
    if (this.#isShared) {
      const { all, byId, byStatus, nextId } = this.#contents;
      const { available, pending, sold } = byStatus;
      const copies = { available: [...available], pending: [...pending], sold: [...sold] };
      this.#contents = { all: [...all], byId: new Map(byId), byStatus: copies, nextId };
      this.#isShared = false;
    }
    this.version += 1;
    return this.#contents;
  }
}

/** @param pets Their ids must differ. @param nextId @default one more than the largest id */
export function createContents(pets: Iterable<Pet> = [], nextId?: bigint): Contents {
  const byStatus = { available: [], pending: [], sold: [] };
  const contents: Contents = { byId: new Map(), all: [], byStatus, nextId: 1n };
  for (const pet of pets) insert(contents, pet);
  contents.nextId = nextId ?? firstNewId(contents.all);
  return contents;
}

function insert({ byId, all, byStatus }: Contents, pet: Pet): Pet {
  byId.set(pet.id, pet);
  all.push(pet);
  if (pet.status !== undefined) byStatus[pet.status].push(pet);
  return pet;
}

/** Returns one more than the largest id that a double holds exactly, so that larger ids do not make new ones large. */
export function firstNewId(pets: Iterable<Pick<Pet, 'id'>>): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id < Number.MAX_SAFE_INTEGER) largest = id;
  return largest + 1n;
}
