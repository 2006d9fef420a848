import { expect, test } from 'vitest';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import { addCreatedAt, changeContract } from '../../tools/testing/change-contract.ts';
import { createServiceContract } from './contract.ts';

// A whole mock with such a contract is judged by the suite, in contract-tests/deployments/changed-contract.test.ts.

/** Returns what the service knows of the member createdAt, which these schemas have more. */
function findCreatedAt(...schemas: string[]) {
  const contract = changeContract((written) => addCreatedAt(written, schemas));
  const { members } = createServiceContract(readAnimalFacts(contract));
  return members.find(({ name }) => name === 'createdAt');
}

test('a member that NewPet has more is one that a request may give, and one that only Pet has is not', () => {
  expect(findCreatedAt('Pet', 'NewPet')).toMatchObject({ isGiven: true, isRequired: false });
  expect(findCreatedAt('Pet')).toMatchObject({ isGiven: false });
});

test('a member that is a time has no other values', () => {
  const values = ['2028-01-31T12:00:00Z', '2028-01-31', 'today', 5n, null];
  const isValid = values.map((value) => findCreatedAt('Pet')?.isValid(value));
  expect(isValid).toEqual([true, false, false, false, false]);
});
