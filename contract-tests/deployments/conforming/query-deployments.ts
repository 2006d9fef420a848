import type { Deployment } from '../deployment.ts';
import { createAnimals, statuses, stores } from './store-behaviour.ts';

const many = { animals: createAnimals(130) };
const allSold = createAnimals(60, () => ({ status: 'sold' }));
const fewSold = createAnimals(120, (index) => ({ status: index < 3 ? 'sold' : 'available' }));

/** Conforming deployments that take what is not said about queries and ids in their own way. */
export const queryDeployments: readonly Deployment[] = [
  ...[400, 404, 406, 422].flatMap((status) =>
    stores(
      {
        [`refuses an invalid query with ${status}`]: { queryRefusal: status },
        [`refuses an id that is not an integer with ${status}`]: { idRefusal: status },
      },
      many,
    ),
  ),
  ...stores(
    {
      'takes an invalid limit for 20': { readInvalidLimit: () => 20 },
      'takes an invalid limit for 100': { readInvalidLimit: () => 100 },
      'takes an invalid limit for the next that is valid': {
        readInvalidLimit: (value) => Math.min(100, Math.max(1, Math.trunc(Number(value)) || 20)),
      },
      'lists nothing for an invalid limit': { readInvalidLimit: () => 0 },
      'refuses each invalid limit but the empty one': {
        readInvalidLimit: (value) => (value === '' ? 20 : undefined),
      },
      'ignores an invalid status': { readInvalidStatus: () => [...statuses, 'undefined'] },
      'lists nothing for an invalid status': { readInvalidStatus: () => [] },
      'takes a status in any case': {
        readInvalidStatus: (value) => statuses.filter((status) => status === value.toLowerCase()),
      },
      'takes several statuses with commas between': {
        readInvalidStatus: (value) => value.split(',').filter((part) => statuses.includes(part)),
      },
      'lists animals without a status for the empty one': {
        readInvalidStatus: (value) => (value === '' ? ['undefined'] : undefined),
      },
    },
    many,
  ),
  ...[1, 3, 10, 19, 20, 25, 50].flatMap((pageSize) =>
    stores(
      {
        [`lists no more than ${pageSize} animals, whatever limit says`]: many,
        [`lists no more than ${pageSize} of its animals, which are all sold`]: { animals: allSold },
        [`lists no more than ${pageSize} animals, few of which are sold`]: {
          animals: fewSold,
          arrange: (animals) => animals.toReversed(),
        },
      },
      { pageSize },
    ),
  ),
];
