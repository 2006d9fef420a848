import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../contract-file.ts';
import { loadContract, type Schema } from './contract.ts';

const { operations, version } = loadContract();

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
  expect(described.flat()).toEqual([
    'listPets: GET /pets',
    'limit in query, optional: {"type":"integer","minimum":1,"maximum":100,"default":20}',
    'status in query, optional: {"type":"string","enum":["available","pending","sold"]}',
    '200 400 401',
    ...['createPet: POST /pets', '201 400 401'],
    'getPet: GET /pets/{petId}, deprecated',
    'petId in path, required: {"type":"integer","format":"int64"}',
    '200 401 404',
  ]);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } };
  expect(operations[1]?.requestBody).toMatchObject({ required: true, content });
  for (const { responses } of operations)
    expect(responses['401']?.content).toHaveProperty(['application/json', 'schema']);
});

test('every operation requires a bearer token, one response is added, and the one server has no host', () => {
  const written = parse(readFileSync(contractFile, 'utf8'));
  const description = expect.any(String);
  const bearerAuth = { type: 'http', scheme: 'bearer', description };
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
