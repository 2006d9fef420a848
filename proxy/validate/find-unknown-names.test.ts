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

/** Warnings of a body as `<place> <hint>`. */
const findIn = (side: 'request' | 'response', body: string) =>
  findUnknownMembers('createPet', JSON.parse(body), side === 'request' ? pet : { items: pet }, [
    side,
    'body',
  ]).map(({ location, message }) => `${location.slice(2).join('.')}${message.replace(/^[^;]*/, '')}`);

test.for<[body: string, ...found: string[]]>([
  ['{"name":"Rex","staus":"sold"}', 'staus; did you mean status?'],
  ['{"Name":"Rex"}', 'Name; did you mean name?'],
  ['{"status":"sold","Status":"sold"}', 'Status'],
  ['{"__proto__":1}', '__proto__'],
  ['{"name":"Rex","status":"sold"}'],
  ...['[{"staus":1}]', '"staus"', 'null'].map((body): [string] => [body]),
])('the request body %s has the unknown member %s', ([body, ...found]) => {
  expect(findIn('request', body)).toEqual(found);
});

test.for<[body: string, ...found: string[]]>([
  ['[{"name":"Rex"},{"name":"Rex","staus":"sold"}]', '1.staus; did you mean status?'],
  ['[{"id":1,"name":"Rex","status":"sold","staus":"sold"}]'],
  ['[{"name":"Rex","color":"red","tags":[],"xy":1,"statistics":2}]', '0.xy; did you mean id?'],
  ['[null,5,[]]'],
])('the response body %s has the misspelt member %s', ([body, ...found]) => {
  expect(findIn('response', body)).toEqual(found);
});
