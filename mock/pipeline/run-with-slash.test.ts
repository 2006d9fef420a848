import { expect, test } from 'vitest';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Difference } from '../choices/choices.ts';
import { createPageMock } from '../testing/create-page-mock.ts';

const data = [{ id: 7, name: 'Rex', categoryId: 1 }];
const newPet = JSON.stringify({ name: 'Max', categoryId: 1 });
const usualHeaders = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

/** Starts a mock, and returns a function that sends it a request and returns status, Location and Allow of the response. */
async function startWith(behaviour: Difference, now?: string) {
  const { url } = await startTestMock({ data, behaviour, ...(now !== undefined && { now }) });
  return async (line: string, headers: Readonly<Record<string, string>> = usualHeaders) => {
    const [method = '', path = ''] = line.split(' ');
    const body = method === 'POST' ? { body: newPet } : {};
    const init: RequestInit = { method, headers, redirect: 'manual', ...body };
    const response = await fetch(new URL(path, url), init);
    return [response.status, response.headers.get('Location') ?? response.headers.get('Allow')];
  };
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
  ['GET /sessions/a/v1/pets/', 200],
])('%s is answered as without the slash', async ([line, status, allow = null]) => {
  const send = await startWith({ trailingSlash: 'same' });
  expect(await send(line)).toEqual([status, allow]);
});

test.for<[line: string, location: string]>([
  ['GET /v1/pets/', '/v1/pets'],
  ['GET /v1/pets/?limit=2&status=sold', '/v1/pets?limit=2&status=sold'],
  ['POST /v1/pets/', '/v1/pets'],
  ['DELETE /v1/pets/7/', '/v1/pets/7'],
  ['GET /v1/pets/%ff/', '/v1/pets/%ff'],
  ['GET /sessions/a/v1/pets/7/?x=1', '/sessions/a/v1/pets/7?x=1'],
])('%s is redirected', async ([line, location]) => {
  const send = await startWith({ trailingSlash: 'redirect' });
  expect(await send(line)).toEqual([307, location]);
  expect(await send(line, {})).toEqual([401, null]);
});

test('an operation that was removed is neither redirected nor served with a slash', async () => {
  for (const trailingSlash of ['same', 'redirect'] as const) {
    const send = await startWith({ trailingSlash }, '2031-01-01');
    expect(await send('GET /v1/pets/7/')).toEqual([404, null]);
  }
});

test('a redirect in a page names the whole URL, since the response of a worker has none', async () => {
  const behaviour = { trailingSlash: 'redirect' } as const;
  const { ask } = createPageMock({ data, behaviour }, 'https://api.example/shop');
  const response = await ask('GET', '/shop/v1/pets/?limit=2');
  expect(response?.headers.get('Location')).toBe('https://api.example/shop/v1/pets?limit=2');
});

test('a client that follows the redirect adds an animal', async () => {
  const { url, animals } = await startTestMock({ data: [], behaviour: { trailingSlash: 'redirect' } });
  const response = await fetch(`${url}/pets/`, { method: 'POST', headers: usualHeaders, body: newPet });
  expect([response.status, animals.all().length]).toEqual([201, 1]);
});
