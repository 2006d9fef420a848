import type { NewPet, Pet, PetStatus } from '../../common/pet.ts';

/** Which animals a list has. */
export interface ListFilter {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/** The animals, in the order in which they were added. No call takes longer because there are more of them. */
export interface PetStore {
  readonly size: number;
  /** Another number after every change. */
  readonly version: number;
  /** Adds an animal under an id of its own and returns it. */
  add(pet: NewPet): Pet;
  get(id: bigint): Pet | undefined;
  list(filter: ListFilter): readonly Pet[];
}

/** Creates a store that holds `pets`, whose ids must differ. */
export function createPetStore(pets: Iterable<Pet> = []): PetStore {
  const byId = new Map<number | bigint, Pet>();
  const byStatus: Record<PetStatus, Pet[]> = { available: [], pending: [], sold: [] };
  let version = 0;
  const insert = (pet: Pet): Pet => {
    version += 1;
    byId.set(toKey(pet.id), pet);
    if (pet.status !== undefined) byStatus[pet.status].push(pet);
    return pet;
  };
  for (const pet of pets) insert(pet);
  let nextId = firstNewId(byId.values());

  return {
    get size() {
      return byId.size;
    },
    get version() {
      return version;
    },
    add({ name, categoryId, status }) {
      while (byId.has(toKey(nextId))) nextId += 1n;
      const id = nextId;
      nextId += 1n;
      return insert(status === undefined ? { id, name, categoryId } : { id, name, categoryId, status });
    },
    get: (id) => byId.get(toKey(id)),
    list: ({ limit, status }) =>
      status === undefined ? byId.values().take(limit).toArray() : byStatus[status].slice(0, limit),
  };
}

const ordinary = BigInt(Number.MAX_SAFE_INTEGER);

/** An id as a map finds it sooner: by a number where that is the same. */
function toKey(id: bigint): number | bigint {
  return id < ordinary && id > -ordinary ? Number(id) : id;
}

/** One more than the largest id that a double holds exactly: new ids stay ordinary beside extraordinary ones. */
function firstNewId(pets: Iterable<Pet>): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id < ordinary) largest = id;
  return largest + 1n;
}
