import { expect, test } from 'vitest';
import { invalidAnimals } from '../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import { get, send } from './testing/http-case.ts';
import { createJudge } from './testing/judge.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const judge = createJudge();

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
