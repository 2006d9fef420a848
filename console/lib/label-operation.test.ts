import { expect, test } from 'vitest';
import { operations } from '../../common/journal/operation-name.ts';
import { labelledOperations } from './label-operation.ts';

test('people read the name of the contract for each operation, and quickstart for the request that it leaves out', () => {
  expect(labelledOperations.map(([, label]) => label)).toEqual([
    'listPets',
    'createPet',
    'getPet',
    'quickstart',
  ]);
  expect(labelledOperations.map(([operation]) => operation)).toEqual(operations);
});
