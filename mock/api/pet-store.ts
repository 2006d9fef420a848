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
  const all: Pet[] = [];
  // Only those whose id is not their place in `all`, counted from 1: a map of all is what takes longest in filling a store.
  const others = new Map<bigint, Pet>();
  const byStatus: Record<PetStatus, Pet[]> = { available: [], pending: [], sold: [] };
  let version = 0;
  const insert = (pet: Pet): Pet => {
    version += 1;
    if (all.push(pet) !== Number(pet.id)) others.set(pet.id, pet);
    if (pet.status !== undefined) byStatus[pet.status].push(pet);
    return pet;
  };
  const get = (id: bigint): Pet | undefined => {
    const pet = all[Number(id) - 1];
    return pet?.id === id ? pet : others.get(id);
  };
  for (const pet of pets) insert(pet);
  let nextId = firstNewId(all);

  return {
    get size() {
      return all.length;
    },
    get version() {
      return version;
    },
    add({ name, categoryId, status }) {
      while (get(nextId) !== undefined) nextId += 1n;
      const id = nextId;
      nextId += 1n;
      return insert(status === undefined ? { id, name, categoryId } : { id, name, categoryId, status });
    },
    get,
    list: ({ limit, status }) => (status === undefined ? all : byStatus[status]).slice(0, limit),
  };
}

const ordinary = BigInt(Number.MAX_SAFE_INTEGER);

/** One more than the largest id that a double holds exactly: new ids stay ordinary beside extraordinary ones. */
function firstNewId(pets: Iterable<Pet>): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id < ordinary) largest = id;
  return largest + 1n;
}
