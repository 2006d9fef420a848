import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRule } from './find-rule.ts';

test.for([
  ['listPets', 'request.query.limit', 'minimum', 400, '/pets get parameters limit schema minimum'],
  ['listPets', 'request.query.sort', 'unknown-parameter', 200, '/pets get parameters'],
  ['getPet', 'request.path.petid', 'maximum', 404, '/pets/{petId} get parameters petId schema format'],
  ['createPet', 'request', 'required', 400, '/pets post requestBody required'],
  ['createPet', 'request', '401', 401, '/pets post security'],
  ['createPet', 'request', '415', 400, '/pets post requestBody content'],
  ['getPet', 'response', 'undefined', 500, '/pets/{petId} get responses'],
  [
    ...(['listPets', 'response.body.*.name', 'required', 200] as const),
    '/pets get responses 200 content application/json schema Pets items Pet required name',
  ],
] as const)('the rule of %s, %s, %s is found in the contract', ([operation, place, rule, status, path]) => {
  const contract = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');
  const found = findRule(contract, { operation, place, rule, status });
  expect(found?.path.join(' ')).toBe(path);
  expect(contract.split('\n')[(found?.line ?? 0) - 1]).toContain(path.split(' ').at(-1));
  expect(findRule(contract, { place: 'request', rule: 'unknown-route' })).toBeUndefined();
});
