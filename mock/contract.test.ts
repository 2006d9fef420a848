import { expect, test } from 'vitest';
import { petStatuses } from '../common/pet.ts';
import { invalidAnimals } from '../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import { get } from './testing/http-case.ts';
import { createJudge } from './testing/judge.ts';
import { send } from './testing/send.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const judge = createJudge();
const limit = judge.operations[0]?.parameters.find(({ name }) => name === 'limit');

test.for(Object.keys(profiles) as Profile[])(
  'openapi.yaml allows the list of the profile %s',
  async (profile) => {
    const { url, animals } = await startTestMock({ profile });
    const { body } = await send(url, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(animals, 100));
    expect(judge.validate({ $ref: '#/components/schemas/Pets' }, body)).toEqual([]);
  },
);

const contents = judge.operations.flatMap(({ operationId, requestBody, responses }) =>
  Object.entries({ request: requestBody, ...responses }).flatMap(([what, body]) =>
    Object.values(body?.content ?? {}).map((content) => ({ title: `${operationId} ${what}`, content })),
  ),
);

test.for(contents)('the example of openapi.yaml for $title conforms to its schema', ({ content }) => {
  expect(content.example).toBeDefined();
  expect(judge.validate(content.schema, content.example)).toEqual([]);
});

test('the judge refuses a Pet that breaks its schema', () => {
  const pet = { $ref: '#/components/schemas/Pet' };
  expect(judge.validate(pet, { id: 1, name: 'Rex' })).toEqual([" must have required property 'categoryId'"]);
  expect(judge.validate(pet, { id: 1.5, name: '', categoryId: 1, status: 'lost' })).toHaveLength(3);
});

/** A double cannot tell these from an int64: they are integers to ajv. */
const isBeyondInt64 = (json: string) => Number.isInteger(JSON.parse(json).categoryId);

test.for(invalidAnimals.filter(({ fields, json }) => fields.join() !== 'categoryId' || !isBeyondInt64(json)))(
  'openapi.yaml refuses a body with $why',
  ({ json }) => {
    expect(judge.validate({ $ref: '#/components/schemas/NewPet' }, JSON.parse(json))).not.toEqual([]);
  },
);

test('the bounds of limit are those of openapi.yaml', async () => {
  const { minimum = NaN, maximum = NaN, default: usual = NaN } = limit?.schema ?? {};
  const { url } = await startTestMock({ animals: maximum + 1 });
  const lengthOf = async (query: string) => (await send(url, get(`/v1/pets${query}`))).body.length;
  expect(await lengthOf('')).toBe(usual);
  expect(await lengthOf(`?limit=${minimum}`)).toBe(minimum);
  expect(await lengthOf(`?limit=${maximum}`)).toBe(maximum);
  for (const beyond of [minimum - 1, maximum + 1]) {
    expect((await send(url, get(`/v1/pets?limit=${beyond}`))).status).toBe(400);
  }
});

test.for(petStatuses)('the status %s filters the list', async (status) => {
  const { url } = await startTestMock();
  const { body } = await send(url, get(`/v1/pets?status=${status}`));
  expect(body.length).toBeGreaterThan(0);
  expect(body.filter((pet: { status?: string }) => pet.status !== status)).toEqual([]);
});
