import { ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { inWords } from '../../common/text/in-words.ts';
import type { Member, ServiceContract } from '../service/contract.ts';
import { firstNewId, type PetStore } from '../service/pet-store.ts';
import { findProblems, pickMembers } from '../service/read-request.ts';
import { invalidMembers } from '../service/refusals.ts';

/** An int64: a number up to 2^53 − 1, or a bigint. */
export type Int64 = number | bigint;

/** An animal to add. */
export interface AnimalInput extends Omit<Pet<Int64>, 'id'> {
  /** @default the next one that is not in use */
  readonly id?: Int64;
}

/**
 * The animals of a store, without the API. They are checked as a request is.
 * @throws Error with the `code` `invalid_request` or `not_found`, naming what is wrong.
 */
export type Animals = ReturnType<typeof createAnimals>;

/** Creates the animals of the store that `store` returns. Callers get copies. */
export function createAnimals(store: () => PetStore, { members }: ServiceContract) {
  const ofId = members.filter(({ name }) => name === 'id');
  const readId = (id: Int64) => readFields({ id }, ofId).id;
  // A behaviour may keep members that the contract does not have, which could not be put back.
  const copy = (pet: Pet) => pickMembers(pet, members) as Pet;
  const all = (): Pet[] => store().all().map(copy);
  const get = (given: Int64): Pet => {
    const id = readId(given);
    const pet = store().get(id);
    if (pet === undefined) throw new ApiError('not_found', `No animal has the id ${id}.`);
    return copy(pet);
  };
  return {
    /** Number of animals. */
    get size(): number {
      return store().size;
    },
    /** Returns all of them, in the order in which they were added. */
    all,
    /** Returns the animal with this id. @throws `not_found` */
    get,
    /** Adds an animal after all others. @throws `invalid_request` if its id is in use */
    add(animal: AnimalInput): Pet {
      const { id, ...pet } = readAnimal(animal, members);
      if (id === undefined) return { ...store().add(pet) };
      if (store().get(id) !== undefined) throw invalidRequest(`An animal with the id ${id} exists already.`);
      store().set({ id, ...pet });
      return get(id);
    },
    /** Replaces the animal with this id. If there is none, adds it after all others. */
    set(given: Int64, animal: AnimalInput): Pet {
      const id = readId(given);
      const { id: own = id, ...pet } = readAnimal(animal, members);
      if (own !== id) throw invalidRequest(`The animal's own id is ${own}, not ${id}.`);
      store().set({ id, ...pet });
      return get(id);
    },
    /** Removes the animal with this id. @throws `not_found` */
    remove: (id: Int64): void => store().remove(get(id).id),
    /** Replaces all animals, and returns the new ones. */
    replace(animals: readonly AnimalInput[]): Pet[] {
      store().replace(toPets(animals, { members }));
      return all();
    },
  };
}

/**
 * Checks animals, and gives an id to each that has none.
 * @param name of the array, in a message.
 * @param unknownNames receives the names of unknown properties, which are then no problem.
 * @throws ApiError `invalid_request`, naming what is wrong.
 */
export function toPets(
  animals: unknown,
  { members }: Pick<ServiceContract, 'members'>,
  name = 'animals',
  unknownNames?: Set<string>,
): Pet[] {
  if (!Array.isArray(animals))
    throw invalidRequest(`The animals must be an array, not ${describeValue(animals)}.`);
  const indexOfId = new Map<bigint, number>();
  const read = animals.map((animal, index) => {
    const pet = readAnimal(animal, members, `${name}[${index}]`, unknownNames);
    if (pet.id === undefined) return pet;
    const twin = indexOfId.get(pet.id);
    if (twin !== undefined)
      throw invalidRequest(`${name}[${twin}] and ${name}[${index}] have the same id, ${pet.id}.`);
    indexOfId.set(pet.id, index);
    return pet;
  });
  let next = firstNewId([...indexOfId.keys()].map((id) => ({ id })));
  return read.map(({ id, ...pet }) => {
    if (id !== undefined) return { id, ...pet };
    while (indexOfId.has(next)) next += 1n;
    const free = next;
    next += 1n;
    return { id: free, ...pet };
  });
}

function readAnimal(
  animal: unknown,
  members: readonly Member[],
  where = 'The animal',
  unknownNames?: Set<string>,
): Omit<Pet, 'id'> & { readonly id?: bigint } {
  const value = animal as ExactJson;
  if (!isJsonObject(value)) throw invalidRequest(`${where} must be an object, not ${describeValue(value)}.`);
  const knownNames = members.map(({ name }) => name);
  const unknown = Object.keys(value).filter((name) => !knownNames.includes(name));
  for (const name of unknown) unknownNames?.add(name);
  if (unknown.length > 0 && unknownNames === undefined) {
    const named = unknown.map((name) => describeValue(name)).join(', ');
    throw invalidRequest(`${where} has only ${inWords(knownNames, 'and')}, not ${named}.`);
  }
  const given = members.filter(({ name }) => name !== 'id' || value.id !== undefined);
  return pickMembers(readFields(value, given, `${where}: `), given) as Pet;
}

/** Reads fields as the store keeps them. @throws ApiError `invalid_request`, naming each that is wrong */
function readFields(given: object, members: readonly Member[], where = ''): Pet {
  const exact = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Number.isSafeInteger(value) ? BigInt(value) : value]),
  );
  const isInexact = ({ name }: Member) => Number.isInteger(exact[name]);
  const others = members.filter((one) => !isInexact(one));
  const problems = [
    ...members.filter(isInexact).map(({ name: member }) => {
      return { member, message: `${member} is beyond 2^53, where a number is not exact. Use a bigint.` };
    }),
    ...findProblems(exact, others),
  ];
  if (problems.length > 0) throw invalidMembers(problems, where);
  return exact as unknown as Pet;
}
