import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract, type Parameter, type Schema } from './contract.ts';

const { operations, schemas, version } = loadContract();

test('the contract has the three operations of the specification', () => {
  expect(version).toBe('1.0.0');
  expect(operations.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`)).toEqual([
    'listPets: GET /pets',
    'createPet: POST /pets',
    'getPet: GET /pets/{petId}',
  ]);
  expect(operations.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId)).toEqual([
    'getPet',
  ]);
});

test('references are resolved', () => {
  const [listPets] = operations;
  expect(listPets?.parameters.map(({ name, schema }) => [name, schema.type])).toEqual([
    ['limit', 'integer'],
    ['status', 'string'],
  ]);
  expect(listPets?.responses['401']?.content).toHaveProperty(['application/json', 'schema']);
  expect(Object.keys(schemas)).toEqual(['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error']);
});

/** The file as it is written, for what no program reads. */
const written = parse(readFileSync(join(import.meta.dirname, '../openapi.yaml'), 'utf8'));

test('every operation wants a bearer token and is of the one tag', () => {
  expect(written.components.securitySchemes).toEqual({
    bearerAuth: { type: 'http', scheme: 'bearer', description: expect.any(String) },
  });
  expect(written.tags.map(({ name }: { name: string }) => name)).toEqual(['animals']);
  const methods = [
    written.paths['/pets'].get,
    written.paths['/pets'].post,
    written.paths['/pets/{petId}'].get,
  ];
  for (const { security, tags } of methods) {
    expect({ security, tags }).toEqual({ security: [{ bearerAuth: [] }], tags: ['animals'] });
  }
});

test('the parameters are those of the specification', () => {
  const described = operations.flatMap(({ operationId, parameters }) =>
    parameters.map(
      ({
        name,
        in: place,
        required,
        schema: { description, ...schema },
      }: Parameter & { schema: { description?: string } }) => ({
        operationId,
        name,
        place,
        required,
        schema,
      }),
    ),
  );
  expect(described).toEqual([
    {
      operationId: 'listPets',
      name: 'limit',
      place: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    {
      operationId: 'listPets',
      name: 'status',
      place: 'query',
      required: false,
      schema: { type: 'string', enum: ['available', 'pending', 'sold'] },
    },
    {
      operationId: 'getPet',
      name: 'petId',
      place: 'path',
      required: true,
      schema: { type: 'integer', format: 'int64' },
    },
  ]);
});

test('the responses are those of the specification, and the one of ours is marked', () => {
  expect(operations.map(({ responses }) => Object.keys(responses))).toEqual([
    ['200', '400', '401'],
    ['201', '400', '401'],
    ['200', '401', '404'],
  ]);
  const marked = JSON.stringify(written).match(/x-animal-store-mock-addition/g);
  expect(marked).toHaveLength(1);
  expect(written.paths['/pets'].get.responses['400']['x-animal-store-mock-addition'].reason).toMatch(/\w/);
});

test('createPet needs a body of application/json that is a NewPet', () => {
  const [, createPet] = operations;
  expect(createPet?.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
  });
});

test('the records have the fields of the specification', () => {
  const types = ({ properties = {} }: Schema) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, { type, format, $ref }]) => [
        name,
        [type, format, $ref].filter(Boolean).join(' '),
      ]),
    );
  const { NewPet = {}, Pet = {}, Pets = {}, Error: error = {} } = schemas;
  const newPet = { name: 'string', categoryId: 'integer int64', status: '#/components/schemas/PetStatus' };
  expect(types(NewPet)).toEqual(newPet);
  expect(types(Pet)).toEqual({ id: 'integer int64', ...newPet });
  expect(types(error)).toEqual({ code: 'string', message: 'string', status: 'integer' });
  expect(NewPet.required).toEqual(['name', 'categoryId']);
  expect(Pet.required).toEqual(['id', 'name', 'categoryId']);
  expect(error.required).toEqual(['code', 'message', 'status']);
  expect(Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
});

test('the removal of getPet is dated', () => {
  const { get: getPet } = written.paths['/pets/{petId}'];
  expect(getPet).toMatchObject({ deprecated: true, 'x-sunset': '2030-12-05' });
  expect(getPet.description).toContain('5 December 2030');
});

test('the servers are the local mock, production and staging', () => {
  expect(written.servers.map(({ url }: { url: string }) => url)).toEqual([
    'http://127.0.0.1:4010/v1',
    '{base_url}',
    '{staging_base_url}',
  ]);
});
