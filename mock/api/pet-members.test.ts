import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Schema } from '../../common/json/contract.ts';
import { parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { loadContract } from '../../common/load-contract.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { createTestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { petMemberNames, petMembers } from './pet-members.ts';

const { schemas } = loadContract();
const { Pet = {}, NewPet = {} } = schemas;

/** A valid value of each kind of member that the contract has. */
const valueOfKind: Readonly<Record<string, string | bigint>> = {
  string: 'some text',
  'integer int64': 9_007_199_254_740_993n,
  'string date-time': '2026-11-21T12:00:00.000Z',
};

function createValue({ $ref, type, format }: Schema): string | bigint {
  const values = $ref && schemas[$ref.replace('#/components/schemas/', '')]?.enum;
  const kind = [type, format].filter(Boolean).join(' ');
  const value = (values?.[0] as string | undefined) ?? valueOfKind[kind];
  if (value === undefined) throw new Error(`This test has no value of the kind ${kind}.`);
  return value;
}

const createAnimal = ({ properties = {} }: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, createValue(schema)]));

test('the mock has the members of an animal that the contract has', () => {
  expect(petMemberNames).toEqual(Object.keys(Pet.properties ?? {}));
  const required = petMemberNames.filter((name) => !petMembers[name].isOptional);
  expect(required).toEqual(Pet.required);
  const given = petMemberNames.filter((name) => petMembers[name].isGiven);
  expect(given).toEqual(Object.keys(NewPet.properties ?? {}));
});

test('an animal keeps every member that a request gives', async () => {
  const { app } = await createTestApp({ profile: 'empty' });
  const given = createAnimal(NewPet);
  const created = await send(app, post('/v1/pets', printExactJson(given)));
  expect([created.status, parseExactJson(created.text)]).toEqual([201, { ...given, id: 1n }]);
  const [one, all] = await Promise.all(['/v1/pets/1', '/v1/pets'].map((path) => send(app, get(path))));
  expect(parseExactJson(one?.text ?? '')).toEqual({ ...given, id: 1n });
  expect(parseExactJson(all?.text ?? '')).toEqual([{ ...given, id: 1n }]);
});

test('an animal keeps every member that a file or the control API gives', async () => {
  const animal = createAnimal(Pet);
  const folder = createFolder({ 'animals.json': printExactJson([animal]) });
  const { app, animals, unknownProperties } = await createTestApp({ data: join(folder, 'animals.json') });
  expect(unknownProperties).toEqual([]);
  expect(parseExactJson((await send(app, get('/v1/pets'))).text)).toEqual([animal]);
  expect(animals.replace([animal] as never)).toEqual([animal]);
});

test.for(petMemberNames)('a wrong %s is named', async (name) => {
  const { animals } = await createTestApp({ profile: 'empty' });
  const animal = { ...createAnimal(Pet), [name]: [] };
  expect(() => animals.add(animal as never)).toThrow(
    `${name} must be ${petMembers[name].expected}, not an array`,
  );
});
