import type { NewPet, Pet, PetStatus } from '../../common/pet.ts';

/** The animals, in the order in which they were added. No call takes longer because there are more of them. */
export interface PetStore {
  /** How many animals there are. */
  readonly size: number;
  /** Adds an animal under an id of its own and returns it. */
  add(pet: NewPet): Pet;
  /** The animal of that id. */
  get(id: bigint): Pet | undefined;
  /** The first `limit` animals, of that status if one is given. */
  list(limit: number, status?: PetStatus): readonly Pet[];
}

/** Creates a store that holds `pets`, whose ids must differ. */
export function createPetStore(pets: Iterable<Pet> = []): PetStore {
  const byId = new Map<bigint, Pet>();
  const byStatus: Record<PetStatus, Pet[]> = { available: [], pending: [], sold: [] };
  const insert = (pet: Pet): Pet => {
    byId.set(pet.id, pet);
    if (pet.status !== undefined) byStatus[pet.status].push(pet);
    return pet;
  };
  for (const pet of pets) insert(pet);
  let nextId = firstNewId(byId.keys());

  return {
    get size() {
      return byId.size;
    },
    add({ name, categoryId, status }) {
      while (byId.has(nextId)) nextId += 1n;
      const pet = { id: nextId, name, categoryId };
      return insert(status === undefined ? pet : { ...pet, status });
    },
    get: (id) => byId.get(id),
    list: (limit, status) =>
      status === undefined ? byId.values().take(limit).toArray() : byStatus[status].slice(0, limit),
  };
}

/** One more than the largest id that a double holds exactly: new ids stay ordinary beside extraordinary ones. */
function firstNewId(ids: Iterable<bigint>): bigint {
  const ordinary = BigInt(Number.MAX_SAFE_INTEGER);
  let largest = 0n;
  for (const id of ids) if (id > largest && id < ordinary) largest = id;
  return largest + 1n;
}
