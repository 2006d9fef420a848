import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../../common/contract-file.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../../fixtures/profiles.ts';
import { expectAnswer, get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { sampleAnimals, startTestMock } from '../../testing/start-test-mock.ts';
import { type SettingChanges, startMock } from '../index.ts';
import { crossCuttingCases } from '../testing/cases/cross-cutting-cases.ts';
import { getPetCases } from '../testing/cases/get-pet-cases.ts';
import { listPetsCases } from '../testing/cases/list-pets-cases.ts';
import { createPetCases, messageCases } from '../testing/cases/post-cases.ts';
import { createDocumentCheck } from '../testing/document-check.ts';

const contract = createDocumentCheck(parse(readFileSync(contractFile, 'utf8')), '/v1');
const cases = [listPetsCases, createPetCases, getPetCases, messageCases, crossCuttingCases].flat();
const mock = await startMock({ port: 0, log: 'silent', data: sampleAnimals });
afterAll(mock.close);

test.for(cases)('$title, as openapi.yaml allows', async ({ options, request, answer }) => {
  mock.reset();
  mock.configure({ ...options } as SettingChanges);
  const response = await send(mock.url, request);
  const { status, headers, text } = response;
  expectAnswer(response, request.method, answer);
  const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
  expect(headers).toMatchObject(readable);
  expect(headers).not.toHaveProperty('x-powered-by');
  const call = [request.method, request.path] as const;
  // The contract does not have the status 413.
  if (contract.find(call) === undefined || status === 413) return;
  expect(contract.checkResponse(call, status, headers['content-type'], text)).toEqual([]);
});

test('every documented response is in a row', () => {
  const documented = contract.operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const given = cases.map(({ request: { method, path }, answer }) => {
    return `${contract.find([method, path])?.operationId} ${answer.status}`;
  });
  expect(given).toEqual(expect.arrayContaining(documented));
});

test.for([
  ['/v1/pets?status=sold', 200],
  ['/v1/pets?limit=0', 400],
  ['/v1/pets', 401],
  ['/v1/pets/1', 200],
  ['/v1/pets/999', 404],
  ['/v1/pets/%ZZ', 404],
  ['/v1/nothing', 404],
  ['/health', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
] as const)('the response to HEAD %s is %i with the headers of GET', async ([path, expected]) => {
  mock.reset();
  const request = get(path, expected === 401 ? { Authorization: undefined } : {});
  const { status, headers } = await send(mock.url, request);
  const { date, ...lasting } = headers;
  const answer = await send(mock.url, { ...request, method: 'HEAD' });
  expect([status, answer.status, answer.text ?? '']).toEqual([expected, expected, '']);
  expect(answer.headers).toMatchObject(lasting);
});

test('openapi.yaml allows the list of each profile, and refuses the bodies that the mock refuses', async () => {
  for (const profile of Object.keys(profiles) as Profile[]) {
    await mock.fill(profile);
    const { body } = await send(mock.url, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(mock.animals.size, 100));
    expect(contract.checkValue('Pets', body)).toEqual([]);
  }
  for (const { why, fields, json } of invalidAnimals) {
    // To ajv, integers beyond int64 are integers.
    if (fields.join() === 'categoryId' && Number.isInteger(JSON.parse(json).categoryId)) continue;
    expect(contract.checkValue('NewPet', JSON.parse(json)), why).not.toEqual([]);
  }
});

const Origin = 'http://localhost:5173';

/** Returns the preflight of a request with an Authorization header, without a key. */
function preflight(path: string, method: string): HttpRequest {
  const asked = { 'Access-Control-Request-Headers': 'authorization,content-type' };
  const headers = { Origin, Authorization: undefined, 'Access-Control-Request-Method': method, ...asked };
  return { method: 'OPTIONS', path, headers };
}

test.for([
  ['/v1/pets', 'POST'],
  ['/sessions/w1/v1/pets', 'PUT'],
  ['/nowhere', 'GET'],
] as const)('a preflight of %s is granted %s with its headers, without a key', async ([path, method]) => {
  const { status, headers, text } = await send(mock.url, preflight(path, method));
  expect([status, text]).toEqual([204, '']);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'authorization,content-type',
    'access-control-max-age': '600',
    vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
  });
});

test('without CORS a preflight is a request like any other, and no response may be read', async () => {
  const { url } = await startTestMock({ cors: false });
  for (const [request, expected] of [
    [preflight('/v1/pets', 'GET'), 401],
    [get('/v1/pets', { Origin }), 200],
  ] as const) {
    const { status, headers } = await send(url, request);
    expect([status, headers['access-control-allow-origin']]).toEqual([expected, undefined]);
  }
});

test('lists of very long names are returned again and again', async () => {
  mock.animals.replace([]);
  const pet = { id: 1, name: 'x'.repeat(100_000), categoryId: 1 };
  await send(mock.url, post('/v1/pets', JSON.stringify(pet)));
  for (const limit of [1, 2, 1])
    expect((await send(mock.url, get(`/v1/pets?limit=${limit}`))).body).toEqual([pet]);
});

test('every message has its own id and its time', async () => {
  mock.reset();
  const before = Date.now();
  const queue = () => send(mock.url, post('/messages', '{"message":"hi"}'));
  const [first, second] = await Promise.all([queue(), queue()]);
  expect(first.body.id).not.toBe(second.body.id);
  const createdAt = Date.parse(first.body.createdAt);
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
});
