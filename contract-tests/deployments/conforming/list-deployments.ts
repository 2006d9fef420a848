import type { Deployment } from '../deployment.ts';
import { drop } from '../messages.ts';
import { createAnimals, statuses, stores } from './store-behaviour.ts';

/** Spreads small integers over all of int64, each to another one. */
function spread(integer: number | bigint): bigint {
  return BigInt.asIntN(64, (BigInt(integer) + 1n) * 0x9e3779b97f4a7c15n);
}

const strange = [
  ...['', 'x'.repeat(5000), '\u0000\ud800"\\/', '__proto__'],
  ...['name', 'categoryId', 'status', 'sold', 'lost', '1'],
];

const largest = 2n ** 63n - 1n;
const categories = [0n, -1n, largest, -largest - 1n];

const one = { animals: createAnimals(1, () => ({ id: 0n })) };
const three = { animals: createAnimals(3) };
const many = { animals: createAnimals(130) };
const named = (toName: (index: number) => string | undefined) => ({
  animals: createAnimals(50, (index) => ({ name: toName(index) ?? '' })),
});
const allSold = { animals: createAnimals(60, () => ({ status: 'sold' })) };

/** Conforming deployments that differ in their animals and ids, and take invalid queries and ids in their own way. */
export const listDeployments: readonly Deployment[] = stores({
  'has 20 animals': { animals: createAnimals(20) },
  'has 5000 animals': { animals: createAnimals(5000) },
  'has 300 animals without a status': { animals: createAnimals(300).map(drop('status')) },
  'has animals of an earlier run': named((index) => `contract-test refused ${index}`),
  'has names that are empty, long, strange or names of fields': named((i) => strange[i % strange.length]),
  'has one sold animal among 300': {
    animals: createAnimals(300, (index) => ({ status: index === 299 ? 'sold' : 'available' })),
  },
  'gives the largest int64 as its first id, then counts down': { ...three, toId: (added) => largest - added },
  'begins its ids with 0': { ...one, toId: (added) => 2n * added + 1n },
  'gives ids from anywhere in int64, and has categories of any int64': {
    animals: createAnimals(150, (index) => ({ id: spread(index), categoryId: categories[index % 4] ?? 0n })),
    toId: (added) => spread(1_000n + added),
  },
  'refuses an invalid query, and an id that is not an integer, with 404': { ...many, refusal: 404 },
  'takes an invalid limit for 100, and a status in any case': {
    ...many,
    readInvalidLimit: () => 100,
    readInvalidStatus: (value) => statuses.filter((status) => status === value.toLowerCase()),
  },
  'lists nothing for an invalid limit': { ...many, readInvalidLimit: () => 0 },
  'lists 20 of its animals by their last update, and sells one now and then': {
    ...many,
    pageSize: 20,
    disturb: (animals, _, requests) => {
      const index = requests % 60 === 0 ? animals.findIndex(({ status }) => status === 'available') : -1;
      const [sold] = index === -1 ? [] : animals.splice(index, 1);
      if (sold !== undefined) animals.push({ ...sold, status: 'sold' });
    },
  },
  'lists no more than 19 of its animals, which are all sold': { ...allSold, pageSize: 19 },
});
