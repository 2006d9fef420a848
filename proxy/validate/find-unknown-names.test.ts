import { expect, test } from 'vitest';
import { findUnknownMembers, findUnknownParameters } from './find-unknown-names.ts';

const find = (query: string) =>
  findUnknownParameters('listPets', new URLSearchParams(query), ['limit', 'status']);

test.for<[query: string, name: string, hint: string]>([
  ['staus=sold&limit=1&l%69mit=2&status=sold&', 'staus', '; did you mean status?'],
  ['Limit=0', 'Limit', '; did you mean limit?'],
  ['limit%5B%5D=0&limit%5B%5D=1', 'limit[]', '; did you mean limit?'],
  ['xlimits=0', 'xlimits', '; did you mean limit?'],
  ['page=2', 'page', ''],
  ['=2', '', ''],
  ['__proto__', '__proto__', ''],
])('the query %s has one warning', ([query, name, hint]) => {
  const message = `${name} is not a parameter of listPets${hint}`;
  const violation = { severity: 'warning', code: 'unknown-parameter', message };
  expect(find(query)).toEqual([{ location: ['request', 'query', name], ...violation }]);
});

const pet = { properties: { id: {}, name: {}, categoryId: {}, status: {} } };

test.for<[body: string, name: string | undefined, hint?: string]>([
  ['{"name":"Rex","staus":"sold"}', 'staus', '; did you mean status?'],
  ['{"Name":"Rex"}', 'Name', '; did you mean name?'],
  ['{"status":"sold","Status":"sold"}', 'Status'],
  ['{"__proto__":1}', '__proto__'],
  ['{"name":"Rex","status":"sold"}', undefined],
  ['[{"staus":1}]', undefined],
  ['"staus"', undefined],
  ['null', undefined],
])('in the request body %s the member %s is a warning', ([body, name, hint = '']) => {
  const found = findUnknownMembers('createPet', JSON.parse(body), pet, ['request', 'body']);
  const message = `${name} is not a member of the request body of createPet${hint}`;
  const violation = { severity: 'warning', code: 'unknown-member', message };
  expect(found).toEqual(name === undefined ? [] : [{ location: ['request', 'body', name], ...violation }]);
});

test.for<[body: string, places: string[]]>([
  ['[{"name":"Rex"},{"name":"Rex","staus":"sold"}]', ['1.staus']],
  ['[{"id":1,"nmae":"Rex","categoryid":2}]', ['0.nmae', '0.categoryid']],
  ['[{"id":1,"name":"Rex","status":"sold","staus":"sold"}]', []],
  ['[{"name":"Rex","color":"red","tags":[],"xy":1,"statistics":2}]', ['0.xy']],
  ['[null,5,[]]', []],
])('in the response body %s these members are warnings: %j', ([body, places]) => {
  const found = findUnknownMembers('listPets', JSON.parse(body), { items: pet }, ['response', 'body']);
  expect(found.map(({ location }) => location.slice(2).join('.'))).toEqual(places);
});
