import type { Deployment } from '../deployment.ts';
import { createAnimals } from './create-animals.ts';
import { createStoreBehaviour, type StorePolicy } from './store-behaviour.ts';

const STATUSES = ['available', 'pending', 'sold'];

function createDeployment(name: string, policy: StorePolicy): Deployment {
  const animals = createAnimals(130);
  return { name, breaks: [], createBehaviour: () => createStoreBehaviour({ animals, ...policy }) };
}

/** Lawful deployments that take what is not said about queries and ids in their own way. */
export const queryDeployments: readonly Deployment[] = [
  ...[400, 404, 406, 422].map((queryRefusal) =>
    createDeployment(`refuses an invalid query with ${queryRefusal}`, { queryRefusal }),
  ),
  ...[400, 404, 406, 422].map((idRefusal) =>
    createDeployment(`refuses an id that is no integer with ${idRefusal}`, { idRefusal }),
  ),
  createDeployment('takes an invalid limit for 20', { readInvalidLimit: () => 20 }),
  createDeployment('takes an invalid limit for 100', { readInvalidLimit: () => 100 }),
  createDeployment('takes an invalid limit for the next that is valid', {
    readInvalidLimit: (value) => Math.min(100, Math.max(1, Math.trunc(Number(value)) || 20)),
  }),
  createDeployment('lists nothing for an invalid limit', { readInvalidLimit: () => 0 }),
  createDeployment('refuses each invalid limit but the empty one', {
    readInvalidLimit: (value) => (value === '' ? 20 : undefined),
  }),
  createDeployment('ignores an invalid status', { readInvalidStatus: () => [...STATUSES, 'undefined'] }),
  createDeployment('lists nothing for an invalid status', { readInvalidStatus: () => [] }),
  createDeployment('takes a status in any case', {
    readInvalidStatus: (value) => STATUSES.filter((status) => status === value.toLowerCase()),
  }),
  createDeployment('takes several statuses with commas between', {
    readInvalidStatus: (value) => value.split(',').filter((part) => STATUSES.includes(part)),
  }),
  createDeployment('lists animals without a status for the empty one', {
    readInvalidStatus: (value) => (value === '' ? ['undefined'] : undefined),
  }),
  ...[1, 3, 10, 19, 20, 25, 50].flatMap((pageSize) => [
    createDeployment(`lists no more than ${pageSize} animals, whatever limit says`, { pageSize }),
    createDeployment(`lists no more than ${pageSize} of its animals, which are all sold`, {
      animals: createAnimals(60, () => ({ status: 'sold' })),
      pageSize,
    }),
    createDeployment(`lists no more than ${pageSize} animals, few of which are sold`, {
      animals: createAnimals(120, (index) => ({ status: index < 3 ? 'sold' : 'available' })),
      pageSize,
      arrange: (animals) => animals.toReversed(),
    }),
  ]),
];
