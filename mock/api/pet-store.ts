import type { NewPet, Pet } from '../../common/json/pet.ts';

/** Animals of a store at one time. Several stores may share them, so they are copied before a change. */
export interface Contents {
  readonly byId: Map<bigint, Pet>;
  readonly all: Pet[];
  nextId: bigint;
}

/**
 * The animals, in the order in which they were added. To find, add or list animals takes no longer if there are more of them,
 * unless few of them match. `set`, `remove` and `replace`, which no operation calls, copy all animals.
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

  /** Returns the oldest animals that match, or the newest, in this order. */
  list(limit: number, isMatch: (pet: Pet) => boolean, isNewestFirst = false): readonly Pet[] {
    const { all } = this.#contents;
    const found: Pet[] = [];
    for (let count = 1; count <= all.length && found.length < limit; count += 1) {
      const pet = all[isNewestFirst ? all.length - count : count - 1] as Pet;
      if (isMatch(pet)) found.push(pet);
    }
    return found;
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
      const { all, byId, nextId } = this.#contents;
      this.#contents = { all: [...all], byId: new Map(byId), nextId };
      this.#isShared = false;
    }
    this.version += 1;
    return this.#contents;
  }
}

/** @param pets Their ids must differ. @param nextId @default one more than the largest id */
export function createContents(pets: Iterable<Pet> = [], nextId?: bigint): Contents {
  const contents: Contents = { byId: new Map(), all: [], nextId: 1n };
  for (const pet of pets) insert(contents, pet);
  contents.nextId = nextId ?? firstNewId(contents.all);
  return contents;
}

function insert({ byId, all }: Contents, pet: Pet): Pet {
  byId.set(pet.id, pet);
  all.push(pet);
  return pet;
}

/** Returns one more than the largest id that a double holds exactly, so that larger ids do not make new ones large. */
export function firstNewId(pets: Iterable<Pick<Pet, 'id'>>): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id < Number.MAX_SAFE_INTEGER) largest = id;
  return largest + 1n;
}
