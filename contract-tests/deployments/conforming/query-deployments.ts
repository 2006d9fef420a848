import type { Deployment } from '../deployment.ts';
import { forEach } from '../rows.ts';
import { createAnimals, type StorePolicy, statuses, stores } from './store-behaviour.ts';

const many = { animals: createAnimals(130) };
const allSold = { animals: createAnimals(60, () => ({ status: 'sold' })) };
const pageSizes = [1, 3, 10, 19, 20, 25, 50];

/** Has few sold animals, the last that it lists. */
const fewSold: StorePolicy = {
  animals: createAnimals(120, (index) => ({ status: index < 3 ? 'sold' : 'available' })),
  arrange: (animals) => animals.toReversed(),
};

/** Takes an invalid limit for another one, or refuses it. */
function takeLimit(readInvalidLimit: StorePolicy['readInvalidLimit'] & object): StorePolicy {
  return { ...many, readInvalidLimit };
}

/** Takes an invalid status for others, or refuses it. */
function takeStatus(readInvalidStatus: StorePolicy['readInvalidStatus'] & object): StorePolicy {
  return { ...many, readInvalidStatus };
}

/** Conforming deployments that take what is not said about queries and ids in their own way. */
export const queryDeployments: readonly Deployment[] = stores({
  ...forEach([400, 404, 406, 422], (queryRefusal) => [
    `refuses an invalid query with ${queryRefusal}`,
    { ...many, queryRefusal },
  ]),
  ...forEach([400, 404, 406, 422], (idRefusal) => [
    `refuses an id that is not an integer with ${idRefusal}`,
    { ...many, idRefusal },
  ]),
  'takes an invalid limit for 20': takeLimit(() => 20),
  'takes an invalid limit for 100': takeLimit(() => 100),
  'takes an invalid limit for the next that is valid': takeLimit((value) =>
    Math.min(100, Math.max(1, Math.trunc(Number(value)) || 20)),
  ),
  'lists nothing for an invalid limit': takeLimit(() => 0),
  'refuses each invalid limit but the empty one': takeLimit((value) => (value === '' ? 20 : undefined)),
  'ignores an invalid status': takeStatus(() => [...statuses, 'undefined']),
  'lists nothing for an invalid status': takeStatus(() => []),
  'takes a status in any case': takeStatus((value) =>
    statuses.filter((status) => status === value.toLowerCase()),
  ),
  'takes several statuses with commas between': takeStatus((value) =>
    value.split(',').filter((part) => statuses.includes(part)),
  ),
  'lists animals without a status for the empty one': takeStatus((value) =>
    value === '' ? ['undefined'] : undefined,
  ),
  ...forEach(pageSizes, (pageSize) => [
    `lists no more than ${pageSize} animals, whatever limit says`,
    { ...many, pageSize },
  ]),
  ...forEach(pageSizes, (pageSize) => [
    `lists no more than ${pageSize} of its animals, which are all sold`,
    { ...allSold, pageSize },
  ]),
  ...forEach(pageSizes, (pageSize) => [
    `lists no more than ${pageSize} animals, few of which are sold`,
    { ...fewSold, pageSize },
  ]),
});
