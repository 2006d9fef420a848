import { expect, test } from 'vitest';
import { createFindUnknownParameters } from './find-unknown-parameters.ts';

const documented = ['limit', 'status'];
const find = (query: string) =>
  createFindUnknownParameters()('listPets', new URLSearchParams(query), documented);

test.for<[string, string, string]>([
  ['staus=sold', 'staus', '; did you mean status?'],
  ['Limit=0', 'Limit', '; did you mean limit?'],
  ['limit%5B%5D=0', 'limit[]', '; did you mean limit?'],
  ['lmiit=0', 'lmiit', '; did you mean limit?'],
  ['xlimits=0', 'xlimits', '; did you mean limit?'],
  ['page=2', 'page', ''],
  ['l=2', 'l', ''],
  ['=2', '', ''],
  ['__proto__', '__proto__', ''],
])('%s is a warning', ([query, name, hint]) => {
  const message = `${name} is not a parameter of listPets${hint}`;
  const violation = { severity: 'warning', code: 'unknown-parameter', message };
  expect(find(query)).toEqual([{ location: ['request', 'query', name], ...violation }]);
});

test.for(['', 'limit=1&status=sold', 'l%69mit=1&limit=2', '&'])('"%s" has none', (query) => {
  expect(find(query)).toEqual([]);
});

test('a name that is there twice is told of once, and of very many the first', () => {
  expect(find('a=1&b=1&a=2')).toHaveLength(2);
  expect(find(Array.from({ length: 5_000 }, (_, index) => `x${index}`).join('&'))).toHaveLength(20);
  const [long] = find('x'.repeat(10_000));
  expect(long).toMatchObject({
    location: ['request', 'query'],
    message: 'A name of 10000 characters is not a parameter of listPets',
  });
});

test('names that a client makes up share a place after a while', () => {
  const findMore = createFindUnknownParameters();
  const places = Array.from({ length: 5_000 }, (_, index) =>
    findMore('listPets', new URLSearchParams(`x${index}`), documented).map(({ location }) =>
      location.join('.'),
    ),
  );
  expect(new Set(places.flat()).size).toBe(101);
});
