import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../contract-file.ts';
import { loadContract, type Schema } from './contract.ts';

const { operations, schemas, version } = loadContract();

/** The file as it is written, for what no program reads. */
const written = parse(readFileSync(contractFile, 'utf8'));

test('the operations, parameters and responses are those of the specification', () => {
  expect(version).toBe('1.0.0');
  const described = operations.map(({ operationId, method, path, deprecated, parameters, responses }) => [
    `${operationId}: ${method} ${path}${deprecated ? ', deprecated' : ''}`,
    ...parameters.map(({ name, in: place, required, schema }) => {
      const { description, ...rest } = schema as Schema & { description?: string };
      return `${name} in ${place}, ${required ? 'required' : 'optional'}: ${JSON.stringify(rest)}`;
    }),
    Object.keys(responses).join(' '),
  ]);
  expect(described).toEqual([
    [
      'listPets: GET /pets',
      'limit in query, optional: {"type":"integer","minimum":1,"maximum":100,"default":20}',
      'status in query, optional: {"type":"string","enum":["available","pending","sold"]}',
      '200 400 401',
    ],
    ['createPet: POST /pets', '201 400 401'],
    [
      'getPet: GET /pets/{petId}, deprecated',
      'petId in path, required: {"type":"integer","format":"int64"}',
      '200 401 404',
    ],
  ]);
});

test('every operation wants a bearer token and is of the one tag; references are resolved', () => {
  expect(written.components.securitySchemes).toEqual({
    bearerAuth: { type: 'http', scheme: 'bearer', description: expect.any(String) },
  });
  expect(written.tags.map(({ name }: { name: string }) => name)).toEqual(['animals']);
  const { '/pets': pets, '/pets/{petId}': pet } = written.paths;
  const asked = { security: [{ bearerAuth: [] }], tags: ['animals'] };
  for (const operation of [pets.get, pets.post, pet.get]) expect(operation).toMatchObject(asked);
  for (const { responses } of operations) {
    expect(responses['401']?.content).toHaveProperty(['application/json', 'schema']);
  }
});

test('the one added response is marked, the removal of getPet has its date, and the one server has no host', () => {
  expect(JSON.stringify(written).match(/x-animal-store-mock-addition/g)).toHaveLength(1);
  const { '/pets': pets, '/pets/{petId}': pet } = written.paths;
  expect(pets.get.responses['400']['x-animal-store-mock-addition'].reason).toMatch(/\w/);
  expect(pet.get['x-sunset']).toBe('2030-12-05');
  expect(pet.get.description).toContain('5 December 2030');
  // Generators would put a host into clients.
  const description = expect.stringMatching(/\{base_url\}.*\{staging_base_url\}/);
  expect(written.servers).toEqual([{ url: '/v1', description }]);
});

test('createPet needs a body of application/json that is a NewPet', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } };
  expect(operations[1]?.requestBody).toMatchObject({ required: true, content });
});

test('the records have the fields of the specification', () => {
  const fields = ({ properties = {} }: Schema = {}) =>
    Object.entries(properties).map(([name, { type, format, $ref }]) =>
      [name, type, format, $ref].filter(Boolean).join(' '),
    );
  const { NewPet, Pet, Pets, Error: error, ...others } = schemas;
  const newPet = ['name string', 'categoryId integer int64', 'status #/components/schemas/PetStatus'];
  expect(Object.keys(others)).toEqual(['PetStatus']);
  expect(fields(NewPet)).toEqual(newPet);
  expect(fields(Pet)).toEqual(['id integer int64', ...newPet]);
  expect(fields(error)).toEqual(['code string', 'message string', 'status integer']);
  expect(NewPet?.required).toEqual(['name', 'categoryId']);
  expect(Pet?.required).toEqual(['id', 'name', 'categoryId']);
  expect(error?.required).toEqual(['code', 'message', 'status']);
  expect(Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
});
