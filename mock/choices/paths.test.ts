import { expect, test } from 'vitest';
import { post } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { createPageMock } from '../testing/create-page-mock.ts';
import type { Difference } from './choices.ts';

const data = [{ id: 7, name: 'Rex', categoryId: 1 }];
const newPet = JSON.stringify({ name: 'Max', categoryId: 1 });
const withoutKey = { Authorization: undefined };

/** Sends a request to a new mock, and returns the status, and the header Location or Allow of the response. */
async function ask(behaviour: Difference, line: string, { headers = {}, now = '2028-06-01' } = {}) {
  const { send } = createPageMock({ data, behaviour, now });
  const [method = '', path = ''] = line.split(' ');
  const response = await send(method === 'POST' ? post(path, newPet, headers) : { method, path, headers });
  return [response.status, response.headers.get('Location') ?? response.headers.get('Allow')];
}

test.for<[line: string, status: number, allow?: string]>([
  ['GET /v1/pets/', 200],
  ['GET /v1/pets/?limit=0', 400],
  ['HEAD /v1/pets/', 200],
  ['POST /v1/pets/', 201],
  ['DELETE /v1/pets/', 405, 'GET, HEAD, POST'],
  ['GET /v1/pets/7/', 200],
  ['GET /v1/pets/8/', 404],
  ['GET /v1/pets/%ff/', 404],
  ['POST /v1/pets/7/', 405, 'GET, HEAD'],
  ['GET /v1/pets//', 404],
  ['GET /v1/pets/7//', 404],
  ['GET /v1/nothing/', 404],
])('%s is answered as without the slash', async ([line, status, allow = null]) => {
  expect(await ask({ trailingSlash: 'same' }, line)).toEqual([status, allow]);
});

test.for([
  ['GET /v1/pets/', '/v1/pets'],
  ['GET /v1/pets/?limit=2&status=sold', '/v1/pets?limit=2&status=sold'],
  ['POST /v1/pets/', '/v1/pets'],
  ['DELETE /v1/pets/7/', '/v1/pets/7'],
  ['GET /v1/pets/%ff/', '/v1/pets/%ff'],
])('%s is redirected to %s, but not without a key', async ([line = '', target]) => {
  const redirect = { trailingSlash: 'redirect', unknownPathWithoutKey: 404 } as const;
  // The response of a worker has no URL, so that its Location is a whole one.
  expect(await ask(redirect, line)).toEqual([307, `https://api.example${target}`]);
  expect(await ask(redirect, line, { headers: withoutKey })).toEqual([401, null]);
});

test('a redirect has no body, and no media type', async () => {
  const { url } = await startTestMock({ data, behaviour: { trailingSlash: 'redirect', charset: 'utf-8' } });
  const headers = { Authorization: 'Bearer test-key' };
  const response = await fetch(`${url}/pets/`, { headers, redirect: 'manual' });
  expect([response.status, response.headers.get('Location')]).toEqual([307, '/v1/pets']);
  expect([await response.text(), response.headers.get('Content-Type')]).toEqual(['', null]);
});

test('an operation that was removed is neither redirected nor served with a slash', async () => {
  for (const trailingSlash of ['same', 'redirect'] as const)
    expect(await ask({ trailingSlash }, 'GET /v1/pets/7/', { now: '2031-01-01' })).toEqual([404, null]);
});

test('a HEAD that is refused is no operation, and its key is checked first', async () => {
  const { mock, send } = createPageMock({ data, behaviour: { head: 405 } });
  await send({ method: 'HEAD', path: '/v1/pets' });
  await send({ method: 'HEAD', path: '/v1/pets', headers: withoutKey });
  expect(mock.requests()).toMatchObject([
    { operation: undefined, status: 405 },
    { operation: undefined, status: 401 },
  ]);
});
