import { expect, test } from 'vitest';
import { findUnknownMembers, findUnknownParameters } from './find-unknown-names.ts';

const documented = ['limit', 'status'];
const find = (query: string) => findUnknownParameters('listPets', new URLSearchParams(query), documented);

test.for<[string, string, string]>([
  ['staus=sold', 'staus', '; did you mean status?'],
  ['Limit=0', 'Limit', '; did you mean limit?'],
  ['limit%5B%5D=0', 'limit[]', '; did you mean limit?'],
  ['lmiit=0', 'lmiit', '; did you mean limit?'],
  ['xlimits=0', 'xlimits', '; did you mean limit?'],
  ['page=2', 'page', ''],
  ['=2', '', ''],
  ['__proto__', '__proto__', ''],
])('%s is a warning', ([query, name, hint]) => {
  const message = `${name} is not a parameter of listPets${hint}`;
  const violation = { severity: 'warning', code: 'unknown-parameter', message };
  expect(find(query)).toEqual([{ location: ['request', 'query', name], ...violation }]);
});

test('documented names are no finding, and a repeated name is reported once', () => {
  expect(find('limit=1&l%69mit=2&status=sold&')).toEqual([]);
  expect(find('a=1&b=1&a=2')).toHaveLength(2);
});

const pet = { properties: { id: {}, name: {}, categoryId: {}, status: {} } };

test.for<[string, string, string]>([
  ['{"name":"Rex","staus":"sold"}', 'staus', '; did you mean status?'],
  ['{"Name":"Rex"}', 'Name', '; did you mean name?'],
  ['{"status":"sold","Status":"sold"}', 'Status', ''],
  ['{"name":"a","categoryId":1,"age":3}', 'age', ''],
  ['{"__proto__":1}', '__proto__', ''],
])('in the request body %s one member is a warning', ([body, name, hint]) => {
  const message = `${name} is not a member of the request body of createPet${hint}`;
  const violation = { severity: 'warning', code: 'unknown-member', message };
  expect(findUnknownMembers('createPet', JSON.parse(body), pet, ['request', 'body'])).toEqual([
    { location: ['request', 'body', name], ...violation },
  ]);
});

test.for(['{"name":"Rex","status":"sold"}', '[{"staus":1}]', '"staus"', 'null'])(
  'the request body %s has no unknown member',
  (body) => {
    expect(findUnknownMembers('createPet', JSON.parse(body), pet, ['request', 'body'])).toEqual([]);
  },
);

test.for<[string, string[]]>([
  ['[{"name":"Rex"},{"name":"Rex","staus":"sold"}]', ['1.staus']],
  ['[{"id":1,"nmae":"Rex","categoryid":2}]', ['0.nmae', '0.categoryid']],
  ['[{"id":1,"name":"Rex","status":"sold","staus":"sold"}]', []],
  ['[{"name":"Rex","color":"red","tags":[],"xy":1,"statistics":2}]', ['0.xy']],
  ['[null,5,[]]', []],
])('in the response body %s these members are warnings: %j', ([body, places]) => {
  const found = findUnknownMembers('listPets', JSON.parse(body), { items: pet }, ['response', 'body']);
  expect(found.map(({ location }) => location.slice(2).join('.'))).toEqual(places);
});
