import { afterAll, expect, test } from 'vitest';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../../fixtures/profiles.ts';
import { expectAnswer, get, type HttpCase, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { sampleAnimals, startTestMock } from '../../testing/start-test-mock.ts';
import { type SettingChanges, startMock } from '../index.ts';
import { httpCases } from '../testing/cases/http-cases.ts';
import { createJudge } from '../testing/judge.ts';

const judge = createJudge();
const mock = await startMock({ port: 0, log: 'silent', data: sampleAnimals });
afterAll(mock.close);

const readableAnywhere = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** Returns the operation of openapi.yaml that a request is meant for, if there is one. */
function findOperation({ request: { method, path } }: HttpCase) {
  const isPath = (template: string) =>
    new RegExp(`^/v1${template.replace('{petId}', '[^/?]+')}(?:\\?|$)`).test(path);
  return judge.operations.find((operation) => operation.method === method && isPath(operation.path));
}

test.for(httpCases)('$title, as openapi.yaml allows', async (row) => {
  const { options, request, answer } = row;
  mock.reset();
  mock.configure({ ...options } as SettingChanges);
  const response = await send(mock.url, request);
  expectAnswer(response, request.method, answer);
  expect(response.headers).toMatchObject(readableAnywhere);
  expect(response.headers).not.toHaveProperty('x-powered-by');
  const operation = findOperation(row);
  // The one status that the contract does not have.
  if (operation === undefined || answer.status === 413) return;
  const { content = {} } = operation.responses[answer.status] ?? {};
  expect(Object.keys(content)).toEqual([response.headers['content-type']]);
  for (const { schema } of Object.values(content)) {
    expect(judge.validate(schema, JSON.parse(response.text))).toEqual([]);
  }
});

test('every documented response is among the answers', () => {
  const documented = judge.operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const given = httpCases.map((row) => `${findOperation(row)?.operationId} ${row.answer.status}`);
  expect(documented.filter((response) => !given.includes(response))).toEqual([]);
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
] as const)('HEAD %s is answered with %i and the headers of GET', async ([path, expected]) => {
  mock.reset();
  const request = get(path, expected === 401 ? { Authorization: undefined } : {});
  const { status, headers } = await send(mock.url, request);
  const { date, ...lasting } = headers;
  const answer = await send(mock.url, { ...request, method: 'HEAD' });
  expect([status, answer.status, answer.text ?? '']).toEqual([expected, expected, '']);
  expect(answer.headers).toMatchObject(lasting);
});

test('openapi.yaml allows the list of each profile', async () => {
  for (const profile of Object.keys(profiles) as Profile[]) {
    await mock.fill(profile);
    const { body } = await send(mock.url, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(mock.animals.size, 100));
    expect(judge.validate({ $ref: '#/components/schemas/Pets' }, body)).toEqual([]);
  }
});

/** A double cannot tell these from an int64: they are integers to ajv. */
const isBeyondInt64 = (json: string) => Number.isInteger(JSON.parse(json).categoryId);

test('openapi.yaml refuses the bodies that the mock refuses', () => {
  for (const { why, fields, json } of invalidAnimals) {
    if (fields.join() === 'categoryId' && isBeyondInt64(json)) continue;
    const problems = judge.validate({ $ref: '#/components/schemas/NewPet' }, JSON.parse(json));
    expect(problems, why).not.toEqual([]);
  }
});

const Origin = 'http://localhost:5173';

/** Returns what a browser asks before a request with an Authorization header, without a key. */
function preflight(path: string, method: string): HttpRequest {
  const headers = {
    Origin,
    Authorization: undefined,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return { method: 'OPTIONS', path, headers };
}

test.for([
  ['/v1/pets', 'POST'],
  ['/v1/pets/1', 'DELETE'],
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

test('without CORS a preflight is a request like any other, and no answer may be read', async () => {
  const { url } = await startTestMock({ cors: false });
  for (const [request, expected] of [
    [preflight('/v1/pets', 'GET'), 401],
    [get('/v1/pets', { Origin }), 200],
  ] as const) {
    const { status, headers } = await send(url, request);
    expect([status, headers['access-control-allow-origin']]).toEqual([expected, undefined]);
  }
});

test('lists of very long names are answered again and again', async () => {
  mock.animals.replace([]);
  const name = 'x'.repeat(100_000);
  await send(mock.url, post('/v1/pets', JSON.stringify({ name, categoryId: 1 })));
  for (const limit of [1, 2, 1]) {
    const { body } = await send(mock.url, get(`/v1/pets?limit=${limit}`));
    expect(body).toEqual([{ id: 1, name, categoryId: 1 }]);
  }
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
