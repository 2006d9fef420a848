import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../common/exact-json.ts';
import type { Deployment } from '../deployment.ts';
import { createAnimals, createAnimalsWithoutStatus } from './create-animals.ts';
import { countFrom, createStoreBehaviour, type StorePolicy } from './store-behaviour.ts';

const COUNTS = [0, 1, 2, 19, 20, 21, 99, 100, 101, 5000];

function createDeployment(name: string, policy: StorePolicy): Deployment {
  return { name, breaks: [], createBehaviour: () => createStoreBehaviour(policy) };
}

function readId({ id }: JsonObject): bigint {
  return typeof id === 'bigint' ? id : 0n;
}

function byText(text: (animal: JsonObject) => string) {
  return (animals: readonly JsonObject[]) =>
    animals.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

function shuffle(animals: readonly JsonObject[]): readonly JsonObject[] {
  return animals
    .map((animal) => ({ animal, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ animal }) => animal);
}

/** Lawful deployments that differ in what animals they have, in what order, and in their ids. */
export const populationDeployments: readonly Deployment[] = [
  ...COUNTS.map((count) => createDeployment(`has ${count} animals`, { animals: createAnimals(count) })),
  ...['available', 'pending', 'sold'].flatMap((status) =>
    [60, 150].map((count) =>
      createDeployment(`has ${count} animals, all ${status}`, {
        animals: createAnimals(count, () => ({ status })),
      }),
    ),
  ),
  ...[30, 300].map((count) =>
    createDeployment(`has ${count} animals without a status`, { animals: createAnimalsWithoutStatus(count) }),
  ),
  createDeployment('has one sold animal among 300', {
    animals: createAnimals(300, (index) => ({ status: index === 299 ? 'sold' : 'available' })),
  }),
  createDeployment('gives all animals the same name', {
    animals: createAnimals(50, () => ({ name: 'Rex' })),
  }),
  createDeployment('has animals with the names of fields and of their values', {
    animals: createAnimals(50, (index) => ({
      name: ['name', 'categoryId', 'status', 'sold', 'lost', '1'][index % 6] ?? '',
    })),
  }),
  createDeployment('has animals of an earlier run', {
    animals: createAnimals(50, (index) => ({ name: `contract-test refused ${index}` })),
  }),
  createDeployment('has names that are empty, long or strange', {
    animals: createAnimals(50, (index) => ({
      name: ['', 'x'.repeat(5000), '\u0000\ud800"\\/', '__proto__'][index % 4] ?? '',
    })),
  }),
  ...[50, 250].flatMap((count) => [
    createDeployment(`lists ${count} animals, newest first`, {
      animals: createAnimals(count),
      arrange: (animals) => animals.toReversed(),
    }),
    createDeployment(`lists ${count} animals in a new order each time`, {
      animals: createAnimals(count),
      arrange: shuffle,
    }),
    createDeployment(`lists ${count} animals by name`, {
      animals: createAnimals(count),
      arrange: byText(({ name }) => String(name)),
    }),
    createDeployment(`lists ${count} animals by status`, {
      animals: createAnimals(count),
      arrange: byText(({ status }) => String(status)),
    }),
    createDeployment(`lists ${count} animals as their ids read backwards`, {
      animals: createAnimals(count),
      arrange: byText((animal) => String(readId(animal)).split('').toReversed().join('')),
    }),
  ]),
  createDeployment('has ids above 2^53', {
    animals: createAnimals(40, (index) => ({ id: 9_007_199_254_740_992n + BigInt(index) })),
    createIds: countFrom(9_223_372_036_854_700_001n, 2n),
  }),
  createDeployment('has negative ids', {
    animals: createAnimals(40, (index) => ({ id: BigInt(-index - 1) })),
    createIds: countFrom(-9_223_372_036_854_775_808n),
  }),
  createDeployment('gives the largest int64 as its first id, then counts down', {
    animals: createAnimals(3),
    createIds: countFrom(9_223_372_036_854_775_807n, -1n),
  }),
  createDeployment('begins its ids with 0', {
    animals: createAnimals(1, () => ({ id: 0n })),
    createIds: countFrom(1n),
  }),
  createDeployment('gives random ids', {
    animals: createAnimals(150, () => ({ id: randomBytes(8).readBigInt64BE() })),
    createIds: () => () => randomBytes(8).readBigInt64BE(),
  }),
  createDeployment('has categories of any int64', {
    animals: createAnimals(40, (index) => ({
      categoryId: [0n, -1n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n][index % 4] ?? 0n,
    })),
  }),
];
