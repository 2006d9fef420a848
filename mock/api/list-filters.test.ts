import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { listPetsCases } from '../testing/cases/list-pets-cases.ts';
import { filterNames } from './list-filters.ts';

test('the mock has a filter for each query parameter of the contract, and the reference says what an invalid value does', () => {
  const { operations } = loadContract();
  const { parameters = [] } = operations.find(({ operationId }) => operationId === 'listPets') ?? {};
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  expect(['limit', ...filterNames]).toEqual(inQuery);
  const page = readFileSync(new URL('../../docs/reference/unspecified.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| An invalid '));
  expect(rows).toEqual(inQuery.map((name) => expect.stringMatching(`^\\| An invalid ${name}\\b`)));
});

test.for(filterNames)('the table of requests has a list by %s, and an invalid value', (name) => {
  const cases = listPetsCases.filter(({ request }) => request.path.includes(`?${name}=`));
  expect(new Set(cases.map(({ answer }) => answer.status))).toEqual(new Set([200, 400]));
});
