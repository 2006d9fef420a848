import { expect, test } from 'vitest';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../../fixtures/profiles.ts';
import { expectAnswer, get, type HttpCase, type HttpRequest, send } from '../../testing/http-case.ts';
import { sampleAnimals, startTestMock } from '../../testing/start-test-mock.ts';
import { httpCases } from '../testing/cases/http-cases.ts';
import { createJudge } from '../testing/judge.ts';

const judge = createJudge();

const readableAnywhere = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** The operation of openapi.yaml that a request is meant for, if there is one. */
function findOperation({ request: { method, path } }: HttpCase) {
  const isPath = (template: string) =>
    new RegExp(`^/v1${template.replace('{petId}', '[^/?]+')}(?:\\?|$)`).test(path);
  return judge.operations.find((operation) => operation.method === method && isPath(operation.path));
}

test.for(httpCases)('$title, as openapi.yaml allows', async (row) => {
  const { options, request, answer } = row;
  const { url } = await startTestMock({ data: sampleAnimals, ...options });
  const response = await send(url, request);
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

const fetched = httpCases.filter(({ request, answer }) => request.method === 'GET' && answer.status !== 405);

test.for(fetched)('HEAD is answered with the same status and headers: $title', async (row) => {
  const { url } = await startTestMock({ data: sampleAnimals, ...row.options });
  const { status, headers } = await send(url, row.request);
  const { date, ...lasting } = headers;
  const answer = await send(url, { ...row.request, method: 'HEAD' });
  expect([answer.status, answer.text ?? '']).toEqual([status, '']);
  expect(answer.headers).toMatchObject(lasting);
});

test('the titles of the cases differ', () => {
  const titles = httpCases.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test.for(Object.keys(profiles) as Profile[])(
  'openapi.yaml allows the list of the profile %s',
  async (profile) => {
    const { url, animals } = await startTestMock({ profile });
    const { body } = await send(url, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(animals.size, 100));
    expect(judge.validate({ $ref: '#/components/schemas/Pets' }, body)).toEqual([]);
  },
);

/** A double cannot tell these from an int64: they are integers to ajv. */
const isBeyondInt64 = (json: string) => Number.isInteger(JSON.parse(json).categoryId);

test.for(invalidAnimals.filter(({ fields, json }) => fields.join() !== 'categoryId' || !isBeyondInt64(json)))(
  'openapi.yaml refuses a body with $why',
  ({ json }) => {
    expect(judge.validate({ $ref: '#/components/schemas/NewPet' }, JSON.parse(json))).not.toEqual([]);
  },
);

const Origin = 'http://localhost:5173';

/** What a browser asks before it sends a request with an Authorization header; it adds no key of its own. */
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
  ['/v1/pets', 'GET'],
  ['/v1/pets', 'POST'],
  ['/v1/pets/1', 'DELETE'],
  ['/messages', 'POST'],
  ['/nowhere', 'GET'],
] as const)('a preflight of %s is granted %s with its headers, without a key', async ([path, method]) => {
  const { url } = await startTestMock();
  const { status, headers, text } = await send(url, preflight(path, method));
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
