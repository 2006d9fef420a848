import { expect, test } from 'vitest';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import { loadContract } from '../../common/load-contract.ts';
import { isValidList, listInvalidParameters, queryOf, readFilters, readLimit } from './list-parameters.ts';

const facts = readAnimalFacts(loadContract());

test.for([
  '/pets',
  '/pets?limit=1',
  '/pets?limit=100',
  '/pets?status=sold',
  '/pets?limit=20&status=available',
  '/pets?status=pending&limit=9',
])('%s is a valid list', (path) => {
  expect(isValidList(path, facts)).toBe(true);
  expect(listInvalidParameters(queryOf(path), facts)).toEqual([]);
});

test.for([
  ['/pets?limit=0', ['limit']],
  ['/pets?limit=101', ['limit']],
  ['/pets?limit=08', ['limit']],
  ['/pets?limit=%2B5', ['limit']],
  ['/pets?limit=1.0', ['limit']],
  ['/pets?limit=', ['limit']],
  ['/pets?limit=9223372036854775808', ['limit']],
  ['/pets?limit=1&limit=2', ['limit']],
  ['/pets?status=SOLD', ['status']],
  ['/pets?status=', ['status']],
  ['/pets?status=sold&status=sold', ['status']],
  ['/pets?limit=abc&status=lost', ['limit', 'status']],
] as const)('%s is no valid list, because of its %j', ([path, invalid]) => {
  expect(isValidList(path, facts)).toBe(false);
  expect(listInvalidParameters(queryOf(path), facts)).toEqual(invalid);
});

test('other paths and other parameters are no valid lists', () => {
  expect(
    ['/pets/1', '/petshop', '/pets?page=2', '/pets?limit[]=2'].filter((path) => isValidList(path, facts)),
  ).toEqual([]);
});

test('a parameter is read if it is valid', () => {
  const query = queryOf('/pets?limit=5&status=lost');
  expect(readLimit(query)).toBe(5);
  expect(readFilters(query, facts)).toEqual([]);
  expect(readFilters(queryOf('/pets?status=sold'), facts)).toMatchObject([{ value: 'sold' }]);
});
