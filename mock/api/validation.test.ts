import { expect, test } from 'vitest';
import { type JsonObject, parseExactJson } from '../../common/exact-json.ts';
import { parseInt64 } from '../../common/int64.ts';
import { edgeCaseIntegers, edgeCaseNames } from '../../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { findPetProblems, parseListQuery, parseMessage, parseNewPet } from './validation.ts';

test.for(invalidAnimals)('a body with $why is refused for $fields', ({ fields, json }) => {
  const parse = () => parseNewPet(parseExactJson(json) as JsonObject);
  expect(parse).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  for (const field of fields) expect(parse).toThrow(field);
});

test('a message names each wrong field and what was expected of it', () => {
  expect(() => parseNewPet({ name: null, status: 'lost' })).toThrow(
    'name must be a string, not null; ' +
      'categoryId is missing; it must be an integer from -9223372036854775808 to 9223372036854775807; ' +
      'status must be available, pending or sold, not "lost".',
  );
});

test('a message stays short, whatever was sent', () => {
  expect(() => parseNewPet({ name: 'Rex', categoryId: 1n, status: 'x'.repeat(1e6) })).toThrow(/^.{1,150}$/);
});

test.for(edgeCaseNames.map((name) => ({ name })))('the name $name is taken as it is', ({ name }) => {
  expect(parseNewPet({ name, categoryId: 1n })).toEqual({ name, categoryId: 1n });
});

test.for(edgeCaseIntegers)('the categoryId %s is taken as it is', (categoryId) => {
  expect(parseNewPet({ name: 'Rex', categoryId, status: 'sold' })).toEqual({
    name: 'Rex',
    categoryId,
    status: 'sold',
  });
});

test('properties that are not of the schema are left out', () => {
  expect(parseNewPet({ id: 9n, name: 'Rex', categoryId: 1n, color: 'red' })).toEqual({
    name: 'Rex',
    categoryId: 1n,
  });
});

test('a Pet needs an id that is an int64', () => {
  expect(findPetProblems({ id: 1n, name: 'Rex', categoryId: 1n })).toEqual([]);
  expect(findPetProblems({ name: 'Rex', categoryId: 1n })).toEqual([
    expect.stringContaining('id is missing'),
  ]);
  expect(findPetProblems({ id: 2n ** 63n, name: 'Rex', categoryId: 1n })).toEqual([
    expect.stringContaining('not 9223372036854775808'),
  ]);
});

test.for([
  ['', 20],
  ['limit=1', 1],
  ['limit=20', 20],
  ['limit=100', 100],
] as const)('the query "%s" has the limit %i under either policy', ([query, limit]) => {
  for (const policy of ['reject', 'clamp'] as const) {
    expect(parseListQuery(new URLSearchParams(query), policy)).toEqual({ limit, status: undefined });
  }
});

test.for([
  ['limit=0', 1],
  ['limit=-7', 1],
  ['limit=101', 100],
  [`limit=${'9'.repeat(500)}`, 100],
] as const)('the query "%s" is clamped to %i or refused', ([query, limit]) => {
  expect(parseListQuery(new URLSearchParams(query), 'clamp').limit).toBe(limit);
  expect(() => parseListQuery(new URLSearchParams(query), 'reject')).toThrow(
    'limit must be an integer from 1 to 100',
  );
});

test.for(['available', 'pending', 'sold'])('the status %s is taken', (status) => {
  expect(parseListQuery(new URLSearchParams({ status }), 'reject').status).toBe(status);
});

test('a message is any string, the empty one included', () => {
  expect(parseMessage({ message: '' })).toBe('');
  expect(() => parseMessage({})).toThrow('message is missing; it must be a string.');
});

test.for([
  ['0', 0n],
  ['-1', -1n],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  ['00', undefined],
  ['-0', undefined],
  ['+1', undefined],
  ['1.0', undefined],
  ['1e0', undefined],
  ['', undefined],
  ['1\n', undefined],
  ['9'.repeat(100_000), undefined],
] as const)('the path segment %s is the int64 %s', ([text, value]) => {
  expect(parseInt64(text)).toBe(value);
});
