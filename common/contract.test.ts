import { expect, test } from 'vitest';
import { loadContract } from './contract.ts';

const { operations, schemas, version } = loadContract();

test('the contract has the three operations of the specification', () => {
  expect(version).toBe('1.0.0');
  expect(operations.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`)).toEqual([
    'listPets: GET /pets',
    'createPet: POST /pets',
    'getPet: GET /pets/{petId}',
  ]);
  expect(operations.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId)).toEqual([
    'getPet',
  ]);
});

test('references are resolved', () => {
  const [listPets] = operations;
  expect(listPets?.parameters.map(({ name, schema }) => [name, schema.type])).toEqual([
    ['limit', 'integer'],
    ['status', 'string'],
  ]);
  expect(listPets?.responses['401']?.content).toHaveProperty(['application/json', 'schema']);
  expect(Object.keys(schemas)).toEqual(['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error']);
});
