import { expect, test } from 'vitest';
import { findUnknownMembers, findUnknownParameters } from './find-unknown-names.ts';

const pet = { properties: { id: {}, name: {}, categoryId: {}, status: {} } };

const findIn = {
  'query of listPets': (text: string) =>
    findUnknownParameters('listPets', new URLSearchParams(text), ['limit', 'status']),
  'request body of createPet': (text: string) =>
    findUnknownMembers('createPet', JSON.parse(text), pet, ['request', 'body']),
  'response body of listPets': (text: string) =>
    findUnknownMembers('listPets', JSON.parse(text), { items: pet }, ['response', 'body']),
};

test.for<[part: keyof typeof findIn, text: string, ...found: string[]]>([
  ['query of listPets', 'staus=sold&limit=1&l%69mit=2&status=sold&', 'staus; did you mean status?'],
  ['query of listPets', 'Limit=0', 'Limit; did you mean limit?'],
  ['query of listPets', 'limit%5B%5D=0&limit%5B%5D=1', 'limit[]; did you mean limit?'],
  ['query of listPets', 'page=2&__proto__', 'page', '__proto__'],
  ['query of listPets', '=2', ''],
  ['request body of createPet', '{"name":"Rex","staus":"sold"}', 'staus; did you mean status?'],
  ['request body of createPet', '{"status":"sold","Status":"sold"}', 'Status'],
  ['request body of createPet', '{"__proto__":1}', '__proto__'],
  ...['{"name":"Rex"}', '[{"staus":1}]', '"staus"', 'null'].map(
    (text): ['request body of createPet', string] => ['request body of createPet', text],
  ),
  ['response body of listPets', '[{"id":1},{"staus":"sold"}]', '1.staus; did you mean status?'],
  ['response body of listPets', '[{"status":"sold","staus":"sold"},null,5,[]]'],
  [
    'response body of listPets',
    '[{"color":"red","tags":[],"xy":1,"statistics":2}]',
    '0.xy; did you mean id?',
  ],
])('in the %s %s these names are warnings: %s', ([part, text, ...found]) => {
  const warnings = findIn[part](text);
  const subject = expect.stringContaining(part.replace('query', 'parameter'));
  for (const warning of warnings) expect(warning).toMatchObject({ severity: 'warning', message: subject });
  const hints = warnings.map(({ message }) => message.replace(/^[^;]*/, ''));
  expect(warnings.map(({ location }, index) => location.slice(2).join('.') + hints[index])).toEqual(found);
});
