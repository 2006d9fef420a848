import { expect, test } from 'vitest';
import { labelledOperations, operations } from './operation-name.ts';

test('people read the name of the contract for each operation, and quickstart for the request that it leaves out', () => {
  expect(labelledOperations.map(([, label]) => label)).toEqual([
    'listPets',
    'createPet',
    'getPet',
    'quickstart',
  ]);
  expect(labelledOperations.map(([operation]) => operation)).toEqual(operations);
});
