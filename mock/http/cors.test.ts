import { expect, test } from 'vitest';
import { get, type HttpRequest, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

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
