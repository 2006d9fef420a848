import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../contract-file.ts';
import { loadContract } from '../load-contract.ts';
import { createContract, findByPointer, flattenSchema, type Schema } from './contract.ts';

const { operations, schemas } = loadContract();

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');

/** Returns the cells of the tables under a heading, without their heads. */
function readRows(heading: string): string[][] {
  const [, section = ''] = specification.split(new RegExp(`^### .*${heading}.*$`, 'm'));
  const [own = ''] = section.split(/^##/m);
  const rows = own.replaceAll(/^\|.*\n\|[-|]+\|$/gm, '').match(/^\| .* \|$/gm) ?? [];
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

const isStatus = ([cell = '']: readonly string[]) => /^\d+$/.test(cell);

/** Prints the type of a member or a parameter as the specification does. */
function printType(schema: Schema): string {
  const { $ref = '', type, format } = schema;
  return $ref.split('/').at(-1) || [type, format].filter(Boolean).join(', ');
}

test('the operations, parameters and statuses are those of the specification', () => {
  const names = operations.map(({ operationId, method, path, deprecated }) => {
    return `${method} ${path} (operation ${operationId})${deprecated ? ' — deprecated' : ''}`;
  });
  expect(specification.match(/(?<=^### )[A-Z]+ \/.*operation.*/gm)).toEqual(names);
  for (const { operationId, parameters, responses } of operations) {
    const rows = readRows(`operation ${operationId}`);
    const statuses = rows.filter(isStatus).map(([status]) => status);
    // The 400 of listPets is the one addition.
    const isAdded = (status: string) => status === '400' && operationId === 'listPets';
    expect(Object.keys(responses).filter((status) => !isAdded(status))).toEqual(statuses);
    const described = rows.filter((row) => !isStatus(row)).map(([name, , isRequired]) => [name, isRequired]);
    expect(parameters.map(({ name, required }) => [name, required ? 'yes' : 'no'])).toEqual(described);
  }
});

test('limit has its bounds, status its three values, and petId is an int64', () => {
  const schemaOf = (name: string) =>
    operations.flatMap(({ parameters }) => parameters).find((parameter) => parameter.name === name)?.schema;
  expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  expect(schemaOf('status')).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] });
  expect(schemaOf('petId')).toEqual({ type: 'integer', format: 'int64' });
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } };
  expect(operations[1]?.requestBody).toMatchObject({ required: true, content });
  for (const { responses } of operations)
    expect(responses['401']?.content).toHaveProperty(['application/json', 'schema']);
});

test.for([
  ['Pet', 'Pet \\(an animal'],
  ['NewPet', 'NewPet \\('],
])('the members of %s are those of the specification', ([name = '', heading = '']) => {
  const { properties = {}, required = [] } = schemas[name] ?? {};
  const members = Object.entries(properties).map(([member, schema]) => {
    return [member, printType(schema), required.includes(member) ? 'yes' : 'no'];
  });
  expect(members).toEqual(readRows(heading).map((cells) => cells.slice(0, 3)));
});

test('every operation requires a bearer token, one response is added, and the one server has no host', () => {
  const written = parse(readFileSync(contractFile, 'utf8'));
  const description = expect.any(String);
  const bearerAuth = { type: 'http', scheme: 'bearer', description };
  expect(written.info.version).toBe('1.0.0');
  expect(written.components.securitySchemes).toEqual({ bearerAuth });
  expect(written.tags).toEqual([{ name: 'animals', description }]);
  // Generators would put a host into clients.
  expect(written.servers).toEqual([{ url: '/v1', description }]);
  expect(written.servers[0].description).toMatch(/\{base_url\}.*\{staging_base_url\}/);
  const required = { security: [{ bearerAuth: [] }], tags: ['animals'] };
  const added = { 'x-animal-store-mock-addition': { reason: expect.stringMatching(/\w/) } };
  const deprecation = expect.stringContaining('5 December 2030');
  expect(JSON.stringify(written).match(/x-animal-store-mock-addition/g)).toHaveLength(1);
  expect(written.paths).toMatchObject({
    '/pets': { get: { ...required, responses: { 400: added } }, post: required },
    '/pets/{petId}': { get: { ...required, 'x-sunset': '2030-12-05', description: deprecation } },
  });
});

test('a schema that is six parts of itself is read once', () => {
  const itself = { $ref: '#/components/schemas/Pet' };
  const Pet = { allOf: Array.from({ length: 6 }, () => itself), properties: { name: { type: 'string' } } };
  const contract = createContract({ paths: {}, components: { schemas: { Pet } } });
  expect(flattenSchema(contract, itself).properties).toEqual(Pet.properties);
});

test.for([
  ['#/a/0', 1],
  ['#/b~1c', 2],
  ['#/d~01e', 3],
  ['#/f%20g', 4],
  ['#/h', undefined],
  ['#/constructor', undefined],
])('%s points to %s', ([pointer, value]) => {
  expect(findByPointer({ a: [1], 'b/c': 2, 'd~1e': 3, 'f g': 4 }, `${pointer}`)).toBe(value);
});
