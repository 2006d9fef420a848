import { ApiError, describeValue } from '../../common/api-error.ts';
import { type ExactJson, isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import type { Pet, PetStatus } from '../../common/pet.ts';
import { firstNewId, type PetStore } from '../api/pet-store.ts';
import { findProblems } from '../api/validation.ts';

/** An int64: a number up to 2^53 − 1, or a bigint. */
export type Int64 = number | bigint;

/** An animal as a test writes it down. */
export interface AnimalInput {
  /** @default the next one that is not in use */
  readonly id?: Int64;
  readonly name: string;
  readonly categoryId: Int64;
  readonly status?: PetStatus;
}

/**
 * The animals behind the API's back. What is given is checked as a request is.
 * @throws Error with the `code` `invalid_request` or `not_found`, naming what was wrong.
 */
export interface Animals {
  /** How many there are. */
  readonly size: number;
  /** All of them, in the order in which they were added. */
  all(): Pet[];
  /** The animal with this id. @throws `not_found` */
  get(id: Int64): Pet;
  /** Adds an animal behind all others. @throws `invalid_request` when its id is in use */
  add(animal: AnimalInput): Pet;
  /** Puts an animal in the place of the one with this id; behind all others, when there is none. */
  set(id: Int64, animal: AnimalInput): Pet;
  /** Removes the animal with this id. @throws `not_found` */
  remove(id: Int64): void;
  /** Puts these in the place of all, and returns them. */
  replace(animals: readonly AnimalInput[]): Pet[];
}

const fields = ['id', 'name', 'categoryId', 'status'] as const;

/** Creates what changes the animals of the store that there is. What it returns are copies: to change them changes nothing. */
export function createAnimals(storeOf: () => PetStore): Animals {
  const find = (given: Int64): Pet => {
    const { id } = readFields({ id: given }, ['id']);
    const pet = storeOf().get(id);
    if (pet === undefined) throw new ApiError('not_found', `No animal has the id ${id}.`);
    return { ...pet };
  };
  const all = () =>
    storeOf()
      .list({ limit: storeOf().size, status: undefined })
      .map((pet) => ({ ...pet }));
  return {
    get size() {
      return storeOf().size;
    },
    all,
    get: find,
    add(animal) {
      const { id, ...pet } = readAnimal(animal);
      if (id === undefined) return { ...storeOf().add(pet) };
      if (storeOf().get(id) !== undefined) {
        throw new ApiError('invalid_request', `An animal with the id ${id} is there already.`);
      }
      storeOf().set({ id, ...pet });
      return find(id);
    },
    set(given, animal) {
      const { id } = readFields({ id: given }, ['id']);
      const { id: own = id, ...pet } = readAnimal(animal);
      if (own !== id) throw new ApiError('invalid_request', `The animal's own id is ${own}, not ${id}.`);
      storeOf().set({ id, ...pet });
      return find(id);
    },
    remove: (id) => storeOf().remove(find(id).id),
    replace(animals) {
      storeOf().replace(toPets(animals));
      return all();
    },
  };
}

/**
 * The animals as the store keeps them, each with an id.
 * @param name what they are called in a message.
 * @throws ApiError `invalid_request`, naming what is wrong.
 */
export function toPets(animals: readonly AnimalInput[], name = 'animals'): Pet[] {
  return withIds(readAnimals(animals, name));
}

type ReadAnimal = Omit<Pet, 'id'> & { readonly id?: bigint };

/** @param where what the animal is, in a message. */
function readAnimal(animal: unknown, where = 'The animal'): ReadAnimal {
  const value = animal as ExactJson;
  if (!isJsonObject(value)) {
    throw new ApiError('invalid_request', `${where} must be an object, not ${describeValue(value)}.`);
  }
  const unknown = Object.keys(value).filter((name) => !fields.some((field) => field === name));
  if (unknown.length > 0) {
    const named = unknown.map((name) => describeValue(name)).join(', ');
    throw new ApiError('invalid_request', `${where} has only id, name, categoryId and status, not ${named}.`);
  }
  const { id, name, categoryId, status } = readFields(
    value,
    fields.filter((field) => field !== 'id' || value.id !== undefined),
    `${where}: `,
  );
  // In the order in which the API prints them.
  const pet = { ...(id === undefined ? {} : { id }), name, categoryId };
  return status === undefined ? pet : { ...pet, status };
}

function readAnimals(animals: unknown, name: string): ReadAnimal[] {
  if (!Array.isArray(animals)) {
    const given = describeValue(animals as ExactJson);
    throw new ApiError('invalid_request', `The animals must be an array, not ${given}.`);
  }
  const ids = new Map<bigint, number>();
  return animals.map((animal, index) => {
    const read = readAnimal(animal, `${name}[${index}]`);
    const twin = read.id === undefined ? undefined : ids.get(read.id);
    if (twin !== undefined) {
      const message = `${name}[${twin}] and ${name}[${index}] have the same id, ${read.id}.`;
      throw new ApiError('invalid_request', message);
    }
    if (read.id !== undefined) ids.set(read.id, index);
    return read;
  });
}

/** Gives an id to each animal that has none. */
function withIds(animals: readonly ReadAnimal[]): Pet[] {
  const given = animals.flatMap(({ id }) => (id === undefined ? [] : [{ id }]));
  const used = new Set(given.map(({ id }) => id));
  let next = firstNewId(given);
  return animals.map(({ id, ...pet }) => {
    if (id !== undefined) return { id, ...pet };
    while (used.has(next)) next += 1n;
    next += 1n;
    return { id: next - 1n, ...pet };
  });
}

/** The fields as the store keeps them. @throws ApiError `invalid_request`, naming each that is wrong */
function readFields(given: object, names: readonly (typeof fields)[number][], where = ''): Pet {
  const exact = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toExact(value)]));
  const inexact = names.filter((name) => isInexact(exact[name]));
  const problems = [
    ...inexact.map((name) => `${name} is beyond 2^53, where a number is not exact: give a bigint`),
    ...findProblems(
      exact as JsonObject,
      names.filter((name) => !inexact.includes(name)),
    ),
  ];
  if (problems.length > 0) throw new ApiError('invalid_request', `${where}${problems.join('; ')}.`);
  return exact as unknown as Pet;
}

function toExact(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** An integer of a program's that it could not write down exactly. */
function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
