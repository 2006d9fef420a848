import { describe, expect, test } from 'vitest';
import type { Operation } from '../common/contract.ts';
import { edgeCaseNames } from '../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import { httpCases } from './testing/cases/http-cases.ts';
import { get, type HttpCase } from './testing/http-case.ts';
import { createJudge } from './testing/judge.ts';
import { sampleAnimals } from './testing/sample-animals.ts';
import { send } from './testing/send.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const judge = createJudge();

/** The operation that a request of the table is meant for, if it is one of the contract's. */
function findOperation({ request }: HttpCase): Operation | undefined {
  const path = request.path.replace(/\?.*/, '');
  return judge.operations.find(
    (operation) =>
      operation.method === request.method &&
      new RegExp(`^/v1${operation.path.replace('{petId}', '[^/]+')}$`).test(path),
  );
}

const cases = httpCases
  .map((row) => ({ ...row, operation: findOperation(row) }))
  .filter((row) => row.operation !== undefined);

test.for(cases)('openapi.yaml allows the answer: $title', async ({ operation, request, options }) => {
  const { url } = await startTestMock({ data: sampleAnimals, ...options });
  const { status, headers, text } = await send(url, request);
  const documented = operation?.responses[status];
  if (documented === undefined) {
    expect(status, 'the only answer that the contract does not know').toBe(413);
    return;
  }
  const [mediaType, content] = Object.entries(documented.content)[0] ?? [];
  expect(headers['content-type']).toBe(mediaType);
  expect(judge.validate(content?.schema ?? {}, JSON.parse(text))).toEqual([]);
});

test('every documented response is among the answers', () => {
  const documented = judge.operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const given = new Set(cases.map(({ operation, answer }) => `${operation?.operationId} ${answer.status}`));
  expect(documented.filter((response) => !given.has(response))).toEqual([]);
});

test.for(Object.keys(profiles) as Profile[])(
  'openapi.yaml allows the list of the profile %s',
  async (profile) => {
    const { url, animals } = await startTestMock({ profile });
    const { body } = await send(url, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(animals, 100));
    expect(judge.validate({ $ref: '#/components/schemas/Pets' }, body)).toEqual([]);
  },
);

describe('the examples of openapi.yaml', () => {
  const contents = judge.operations.flatMap(({ operationId, requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}).map((content) => ({
      title: `${operationId} request`,
      content,
    })),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content).map((content) => ({ title: `${operationId} ${status}`, content })),
    ),
  ]);

  test.for(contents)('$title conforms to its schema', ({ content }) => {
    expect(content.example).toBeDefined();
    expect(judge.validate(content.schema, content.example)).toEqual([]);
  });
});

test('the judge refuses what is not of a schema', () => {
  const pet = { $ref: '#/components/schemas/Pet' };
  expect(judge.validate(pet, { id: 1, name: 'Rex' })).toEqual([" must have required property 'categoryId'"]);
  expect(
    judge.validate(pet, { id: 1.5, name: edgeCaseNames[0], categoryId: 1, status: 'lost' }),
  ).toHaveLength(3);
});

/** A double cannot tell these from an int64: they are integers to ajv. */
const isBeyondInt64 = (json: string) => Number.isInteger(JSON.parse(json).categoryId);

test.for(invalidAnimals.filter(({ fields, json }) => fields.join() !== 'categoryId' || !isBeyondInt64(json)))(
  'openapi.yaml refuses a body with $why',
  ({ json }) => {
    expect(judge.validate({ $ref: '#/components/schemas/NewPet' }, JSON.parse(json))).not.toEqual([]);
  },
);

describe('the bounds of the parameters are those of openapi.yaml', () => {
  const parameters = judge.operations.find(({ operationId }) => operationId === 'listPets')?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema ?? {};

  test('limit', async () => {
    const { minimum = NaN, maximum = NaN, default: usual = NaN } = schemaOf('limit');
    const { url } = await startTestMock({ animals: maximum + 1 });
    const lengthOf = async (query: string) => (await send(url, get(`/v1/pets${query}`))).body.length;
    expect(await lengthOf('')).toBe(usual);
    expect(await lengthOf(`?limit=${minimum}`)).toBe(minimum);
    expect(await lengthOf(`?limit=${maximum}`)).toBe(maximum);
    for (const limit of [minimum - 1, maximum + 1]) {
      expect((await send(url, get(`/v1/pets?limit=${limit}`))).status).toBe(400);
    }
  });

  test('status', async () => {
    const { url } = await startTestMock();
    const values = schemaOf('status').enum ?? [];
    expect(values).toHaveLength(3);
    for (const status of values) {
      const { body } = await send(url, get(`/v1/pets?status=${status}`));
      expect(body.length).toBeGreaterThan(0);
      expect(body.filter((pet: { status?: string }) => pet.status !== status)).toEqual([]);
    }
  });
});
