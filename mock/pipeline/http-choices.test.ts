import { expect, test } from 'vitest';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Difference } from '../choices/choices.ts';

const data = [{ id: 7, name: 'Rex', categoryId: 1 }];

/** Starts a mock, and returns a function that sends it a request without a body, such as `GET /v1/pets`, with the key. */
async function startWith(behaviour: Difference) {
  const mock = await startTestMock({ data, behaviour });
  const send = (line: string, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const all = { Authorization: 'Bearer test-key', ...headers };
    return fetch(new URL(path, mock.url), { method, headers: all, redirect: 'manual' });
  };
  return { mock, send };
}

test.for<[line: string, status: number, allow: string | null]>([
  ['HEAD /v1/pets', 405, 'GET, POST'],
  ['HEAD /v1/pets/7', 405, 'GET'],
  ['HEAD /v1/pets/8', 405, 'GET'],
  ['HEAD /v1/pets/%ff', 405, 'GET'],
  ['HEAD /v1/nothing', 404, null],
  ['HEAD /sessions/a/v1/pets', 405, 'GET, POST'],
  ['DELETE /v1/pets', 405, 'GET, POST'],
  ['DELETE /messages', 405, 'POST'],
  ['GET /v1/pets/7', 200, null],
])('without HEAD, the response to %s is %s', async ([line, status, allow]) => {
  const { send } = await startWith({ head: 405 });
  const response = await send(line);
  expect([response.status, response.headers.get('Allow')]).toEqual([status, allow]);
});

test('a HEAD that is refused is no operation, and its key is checked first', async () => {
  const { mock, send } = await startWith({ head: 405 });
  await send('HEAD /v1/pets');
  expect((await send('HEAD /v1/pets', { Authorization: 'Bearer wrong' })).status).toBe(401);
  const recorded = mock.requests().map(({ operation, status }) => [operation, status]);
  expect(recorded).toEqual([
    [undefined, 405],
    [undefined, 401],
  ]);
});

test.for(['DELETE /v1/pets', 'POST /v1/pets/7', 'OPTIONS /v1/pets', 'GET /messages'])(
  'where other methods are not found, the response to %s is an Error without Allow',
  async (line) => {
    const { send } = await startWith({ otherMethods: 404 });
    const response = await send(line);
    const { code } = (await response.json()) as { code: string };
    expect([response.status, code, response.headers.get('Allow')]).toEqual([404, 'not_found', null]);
  },
);

test.for<[line: string, status: number]>([
  ['GET /v1/nothing', 404],
  ['DELETE /v1/nothing', 404],
  ['GET /v1/pets/7/', 404],
  ['GET /messages/nothing', 404],
  ['GET /v1/pets', 401],
  ['GET /v1/pets/999', 401],
  ['GET /v1/pets/abc', 401],
  ['DELETE /v1/pets', 401],
])('where unknown paths need no key, %s without one is a %s', async ([line, status]) => {
  const { send } = await startWith({ unknownPathWithoutKey: 404 });
  expect((await send(line, { Authorization: '' })).status).toBe(status);
});

test('HEAD has its own status, also where other methods are not found', async () => {
  const { send } = await startWith({ otherMethods: 404, head: 405 });
  expect([(await send('HEAD /v1/pets')).status, (await send('DELETE /v1/pets')).status]).toEqual([405, 404]);
});

test.for(['DELETE /v1/pets', 'POST /v1/pets/7', 'OPTIONS /v1/pets', 'GET /messages'])(
  'without Allow, the response to %s has none',
  async (line) => {
    const { send } = await startWith({ allow: 'absent' });
    const response = await send(line);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, null]);
  },
);

const ETAG = /^W\/"[\da-f-]+"$/;

test('with ETags, a GET has one that changes with the animals, and the same one gets a 304 without a body', async () => {
  const { mock, send } = await startWith({ etag: 'all' });
  const first = await send('GET /v1/pets');
  const tag = first.headers.get('ETag') ?? '';
  expect(tag).toMatch(ETAG);
  const again = await send('GET /v1/pets', { 'If-None-Match': tag });
  const { headers } = again;
  expect([again.status, headers.get('ETag'), headers.get('Content-Type'), await again.text()]).toEqual([
    304,
    tag,
    null,
    '',
  ]);
  mock.animals.add({ name: 'Max', categoryId: 1 });
  const changed = await send('GET /v1/pets', { 'If-None-Match': tag });
  expect([changed.status, await changed.json()]).toEqual([200, expect.any(Array)]);
  expect(changed.headers.get('ETag')).not.toBe(tag);
});

test.for<[line: string, header: (tag: string) => string, status: number]>([
  ['GET /v1/pets/7', (tag) => tag, 304],
  ['HEAD /v1/pets/7', (tag) => tag, 304],
  ['GET /v1/pets/7', (tag) => tag.replace('W/', ''), 304],
  ['GET /v1/pets/7', (tag) => `"other", ${tag}`, 304],
  ['GET /v1/pets/7', () => '*', 304],
  ['GET /v1/pets/7', () => '"other"', 200],
  ['GET /v1/pets/7', () => '', 200],
  ['GET /v1/pets/8', () => '*', 404],
  ['GET /openapi.yaml', () => '*', 200],
])('with ETags, %s has the status that If-None-Match deserves', async ([line, toHeader, status]) => {
  const { send } = await startWith({ etag: 'all' });
  const tag = (await send('GET /v1/pets/7')).headers.get('ETag') ?? '';
  const response = await send(line, { 'If-None-Match': toHeader(tag) });
  expect(response.status).toBe(status);
  const withoutKey = await send(line, { 'If-None-Match': '*', Authorization: '' });
  expect(withoutKey.status).toBe(line.includes('/v1') ? 401 : 200);
});

test('without ETags, a GET has none and ignores If-None-Match', async () => {
  const { send } = await startWith({});
  const response = await send('GET /v1/pets', { 'If-None-Match': '*' });
  expect([response.status, response.headers.get('ETag')]).toEqual([200, null]);
});
