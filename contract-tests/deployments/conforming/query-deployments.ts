import type { Deployment } from '../deployment.ts';
import { forEach } from '../rows.ts';
import { createAnimals, type StorePolicy, statuses, stores } from './store-behaviour.ts';

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

/** Conforming deployments that take what is not said about queries and ids in their own way. */
export const queryDeployments: readonly Deployment[] = stores({
  ...forEach([400, 404, 422], (status) => [
    `refuses an invalid query, and an id that is not an integer, with ${status}`,
    { ...many, queryRefusal: status, idRefusal: status },
  ]),
  ...forEach(Object.entries(lenient), ([name, policy]) => [name, { ...many, ...policy }]),
  ...forEach([1, 3, 20, 25], (pageSize) => [
    `lists no more than ${pageSize} animals, whatever limit says`,
    { ...many, pageSize },
  ]),
  ...forEach([1, 19, 20, 25], (pageSize) => [
    `lists no more than ${pageSize} of its animals, which are all sold`,
    { ...allSold, pageSize },
  ]),
  ...forEach([1, 3, 10, 20], (pageSize) => [
    `lists no more than ${pageSize} animals, few of which are sold`,
    { ...fewSold, pageSize },
  ]),
});
