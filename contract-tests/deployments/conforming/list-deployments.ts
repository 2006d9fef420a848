import type { JsonObject } from '../../../common/json/exact-json.ts';
import { type Deployment, forEach } from '../deployment.ts';
import { drop } from '../members.ts';
import { createAnimals, type StorePolicy, statuses, stores } from './store-behaviour.ts';

function byText(text: (animal: JsonObject) => string) {
  return (animals: readonly JsonObject[]) =>
    animals.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** Creates an order that is another one each time. */
function shuffle(): StorePolicy['arrange'] & object {
  let turn = 0n;
  return (animals) => {
    turn += 1n;
    const toPlace = ({ id }: JsonObject) => spread(turn * (id as bigint));
    return animals.toSorted((one, other) => (toPlace(one) < toPlace(other) ? -1 : 1));
  };
}

/** Spreads small integers over all of int64, each to another one. */
function spread(integer: number | bigint): bigint {
  return BigInt.asIntN(64, (BigInt(integer) + 1n) * 0x9e3779b97f4a7c15n);
}

const orders: Readonly<Record<string, StorePolicy['arrange'] & object>> = {
  ', newest first': (animals) => animals.toReversed(),
  ' in a new order each time': shuffle(),
  ' by status': byText(({ status }) => String(status)),
  ' as their ids read backwards': byText(({ id }) => String(id).split('').toReversed().join('')),
};

const strange = [
  ...['', 'x'.repeat(5000), '\u0000\ud800"\\/', '__proto__'],
  ...['name', 'categoryId', 'status', 'sold', 'lost', '1'],
];

const largest = 2n ** 63n - 1n;

const many = { animals: createAnimals(130) };
const allSold = { animals: createAnimals(60, () => ({ status: 'sold' })) };

const fewSold: StorePolicy = {
  animals: createAnimals(120, (index) => ({ status: index < 3 ? 'sold' : 'available' })),
  arrange: (animals) => animals.toReversed(),
};

/** What is taken for an invalid limit, and what for an invalid status; no request has both. */
const lenient: Readonly<Record<string, Pick<StorePolicy, 'readInvalidLimit' | 'readInvalidStatus'>>> = {
  'takes an invalid limit for 20, and ignores an invalid status': {
    readInvalidLimit: () => 20,
    readInvalidStatus: () => [...statuses, 'undefined'],
  },
  'takes an invalid limit for 100, and a status in any case': {
    readInvalidLimit: () => 100,
    readInvalidStatus: (value) => statuses.filter((status) => status === value.toLowerCase()),
  },
  'takes an invalid limit for the next that is valid, and several statuses with commas between': {
    readInvalidLimit: (value) => Math.min(100, Math.max(1, Math.trunc(Number(value)) || 20)),
    readInvalidStatus: (value) => value.split(',').filter((part) => statuses.includes(part)),
  },
  'lists nothing for an invalid limit or status': {
    readInvalidLimit: () => 0,
    readInvalidStatus: () => [],
  },
  'refuses each invalid limit but the empty one, and lists animals without a status for the empty one': {
    readInvalidLimit: (value) => (value === '' ? 20 : undefined),
    readInvalidStatus: (value) => (value === '' ? ['undefined'] : undefined),
  },
};

/** Conforming deployments that differ in their animals and ids, and take invalid queries and ids in their own way. */
export const listDeployments: readonly Deployment[] = stores({
  ...forEach([0, 1, 20, 101, 5000], (count) => [`has ${count} animals`, { animals: createAnimals(count) }]),
  'has 150 animals, all sold': { animals: createAnimals(150, () => ({ status: 'sold' })) },
  'has 300 animals without a status': { animals: createAnimals(300).map(drop('status')) },
  'lists animals without a status as available ones': { unshown: ['available'] },
  'gives all animals the same name': { animals: createAnimals(50, () => ({ name: 'Rex' })) },
  'has animals of an earlier run': {
    animals: createAnimals(50, (index) => ({ name: `contract-test refused ${index}` })),
  },
  'has names that are empty, long or strange, or those of fields': {
    animals: createAnimals(50, (index) => ({ name: strange[index % strange.length] ?? '' })),
  },
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
  'gives ids from anywhere in int64, and has categories of any int64': {
    animals: createAnimals(150, (index) => ({
      id: spread(index),
      categoryId: [0n, -1n, largest, -largest - 1n][index % 4] ?? 0n,
    })),
    toId: (added) => spread(1_000n + added),
  },
  ...forEach([404, 422], (status) => [
    `refuses an invalid query, and an id that is not an integer, with ${status}`,
    { ...many, queryRefusal: status, idRefusal: status },
  ]),
  ...forEach(Object.entries(lenient), ([name, policy]) => [name, { ...many, ...policy }]),
  'lists 20 of its animals by their last update, and sells one now and then': {
    ...many,
    pageSize: 20,
    disturb: (animals, _, requests) => {
      const index = requests % 60 === 0 ? animals.findIndex(({ status }) => status === 'available') : -1;
      const [sold] = index === -1 ? [] : animals.splice(index, 1);
      if (sold !== undefined) animals.push({ ...sold, status: 'sold' });
    },
  },
  ...forEach([1, 20, 25], (pageSize) => [
    `lists no more than ${pageSize} animals, whatever limit says`,
    { ...many, pageSize },
  ]),
  ...forEach([19, 25], (pageSize) => [
    `lists no more than ${pageSize} of its animals, which are all sold`,
    { ...allSold, pageSize },
  ]),
  ...forEach([3, 20], (pageSize) => [
    `lists no more than ${pageSize} animals, few of which are sold`,
    { ...fewSold, pageSize },
  ]),
});
