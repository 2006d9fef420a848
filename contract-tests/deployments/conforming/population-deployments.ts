import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../common/exact-json.ts';
import type { Deployment } from '../deployment.ts';
import { drop } from '../members.ts';
import { forEach } from '../rows.ts';
import { createAnimals, type StorePolicy, stores } from './store-behaviour.ts';

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

const orders: Readonly<Record<string, StorePolicy['arrange'] & object>> = {
  ', newest first': (animals) => animals.toReversed(),
  ' in a new order each time': shuffle,
  ' by status': byText(({ status }) => String(status)),
  ' as their ids read backwards': byText(({ id }) => String(id).split('').toReversed().join('')),
};

const strange = [
  ...['', 'x'.repeat(5000), '\u0000\ud800"\\/', '__proto__'],
  ...['name', 'categoryId', 'status', 'sold', 'lost', '1'],
];

const largest = 2n ** 63n - 1n;

/** Conforming deployments that differ in what animals they have, in what order, and in their ids. */
export const populationDeployments: readonly Deployment[] = stores({
  ...forEach([0, 1, 20, 21, 100, 101, 5000], (count) => [
    `has ${count} animals`,
    { animals: createAnimals(count) },
  ]),
  'has 60 animals, all sold': { animals: createAnimals(60, () => ({ status: 'sold' })) },
  ...forEach(['available', 'sold'], (status) => [
    `has 150 animals, all ${status}`,
    { animals: createAnimals(150, () => ({ status })) },
  ]),
  ...forEach([30, 300], (count) => [
    `has ${count} animals without a status`,
    { animals: createAnimals(count).map(drop('status')) },
  ]),
  'gives all animals the same name': { animals: createAnimals(50, () => ({ name: 'Rex' })) },
  'has animals of an earlier run': {
    animals: createAnimals(50, (index) => ({ name: `contract-test refused ${index}` })),
  },
  'has names that are empty, long or strange, or those of fields': {
    animals: createAnimals(50, (index) => ({ name: strange[index % strange.length] ?? '' })),
  },
  ...forEach(Object.entries(orders), ([how, arrange]) => [
    `lists 50 animals${how}`,
    { animals: createAnimals(50), arrange },
  ]),
  ...forEach(Object.entries(orders), ([how, arrange]) => [
    `lists 250 animals${how}`,
    { animals: createAnimals(250), arrange },
  ]),
  'has one sold animal among 300': {
    animals: createAnimals(300, (index) => ({ status: index === 299 ? 'sold' : 'available' })),
  },
  'has ids above 2^53': {
    animals: createAnimals(40, (index) => ({ id: 2n ** 53n + BigInt(index) })),
    toId: (added) => 9_223_372_036_854_700_001n + 2n * added,
  },
  'has negative ids': {
    animals: createAnimals(40, (index) => ({ id: BigInt(-index - 1) })),
    toId: (added) => added - largest - 1n,
  },
  'gives the largest int64 as its first id, then counts down': {
    animals: createAnimals(3),
    toId: (added) => largest - added,
  },
  'begins its ids with 0': {
    animals: createAnimals(1, () => ({ id: 0n })),
    toId: (added) => added + 1n,
  },
  'gives random ids, and has categories of any int64': {
    animals: createAnimals(150, (index) => ({
      id: randomBytes(8).readBigInt64BE(),
      categoryId: [0n, -1n, largest, -largest - 1n][index % 4] ?? 0n,
    })),
    toId: () => randomBytes(8).readBigInt64BE(),
  },
});
