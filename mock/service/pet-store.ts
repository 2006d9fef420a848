import type { NewPet, Pet } from '../../common/json/pet.ts';

/** Animals of a store at one time. Several stores may share them, so they are copied before a change. */
export interface Contents {
  readonly byId: Map<bigint, Pet>;
  /** In the order in which they were added. */
  readonly all: Pet[];
  nextId: bigint;
}

type MakeId = (next: bigint) => bigint;

/** When a request has added an animal, in milliseconds. The same animal may be in several stores. */
const additions = new WeakMap<Pet, number>();

/**
 * The animals, in the order in which they were added. To find, add or list animals takes no longer if there are more of them,
 * unless few of them match. `set`, `remove` and `replace`, which no operation calls, copy all animals.
 */
export class PetStore {
  version: number;
  #contents: Contents;
  #isShared = true;

  constructor(contents: Contents, version = 0) {
    this.#contents = contents;
    this.version = version + 1;
  }

  get size(): number {
    return this.#contents.all.length;
  }

  /** Adds an animal and returns it. @param toId makes an id from the next integer, until one is not in use. */
  add(pet: NewPet, toId: MakeId = (next) => next): Pet {
    const contents = this.#change();
    for (;;) {
      const id = toId(contents.nextId);
      contents.nextId += 1n;
      if (!contents.byId.has(id)) return insert(contents, { id, ...pet });
    }
  }

  /** Adds the animal of a request. @param now in milliseconds. */
  create(pet: NewPet, now: number, toId?: MakeId): Pet {
    const added = this.add(pet, toId);
    additions.set(added, now);
    return added;
  }

  /** Returns when a request has added an animal, in milliseconds; undefined for one of the start. */
  addedAt(pet: Pet): number | undefined {
    return additions.get(pet);
  }

  /** Calls a function, and takes back what it has added. */
  attempt<Value>(run: () => Value): Value {
    const { nextId } = this.#contents;
    const { size, version } = this;
    try {
      return run();
    } finally {
      const { all, byId } = this.#contents;
      for (const { id } of all.splice(size)) byId.delete(id);
      this.#contents.nextId = nextId;
      this.version = version;
    }
  }

  get(id: bigint): Pet | undefined {
    return this.#contents.byId.get(id);
  }

  *newestFirst(): Generator<Pet> {
    const { all } = this.#contents;
    for (let index = all.length - 1; index >= 0; index -= 1) yield all[index] as Pet;
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
