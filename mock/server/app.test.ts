import { expect, test, vi } from 'vitest';
import { createFileApp, createTestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { Journal } from '../journal/journal.ts';

const { app } = await createFileApp({ animals: 3 });

const free = { Authorization: undefined };

test.for([
  ...['/__admin', '/__admin/state', '/__admin/reset', '/__admin/nothing', '/sessions/w1/__admin/animals'],
  ...['/health', '/docs', '/docs/openapi.json'],
])('a preflight of %s is not granted', async (path) => {
  const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'content-type' };
  const headers = { ...free, Origin: 'http://localhost:5173', ...asked };
  const answer = await send(app, { method: 'OPTIONS', path, headers });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.for([
  ...['/v1/pets', '/v1/pets/1', '/v1/pets/999', '/v1/pets/%ff', '/v1/nowhere', '/messages', '/nowhere'],
  ...['/', '/__console/page.css', '/docs', '/docs/page.js', '/docs/openapi.json', '/openapi.yaml'],
  ...['/health', '/__admin/state', '/__admin/openapi.json', '/__admin/nothing', '/sessions/%ff/v1/pets'],
])('the response to GET %s has no header of Express', async (path) => {
  const { headers } = await send(app, get(path, { Accept: 'text/html' }));
  expect(headers).toHaveProperty('content-length');
  const ofExpress = ['etag', 'x-powered-by', 'last-modified', 'accept-ranges'];
  expect(Object.keys(headers).filter((name) => ofExpress.includes(name))).toEqual([]);
});

test.for(['/messages', '/sessions/w1/messages'])(
  'a fault of the mock at %s is one 500 with an Error, is recorded and printed, and the mock goes on',
  async (path) => {
    using report = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const now = new Date('2026-11-21T12:00:00Z');
    const mock = await createTestApp({ now });
    now.setTime(Number.NaN);
    const { status, headers, body } = await send(mock.app, post(path, '{"message":"hi"}'));
    const message = 'The mock failed. Its log has the error. Please report it.';
    expect([status, body]).toEqual([500, { code: 'internal_error', message, status: 500 }]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    const session = path === '/messages' ? mock : mock.session('w1');
    expect(session.requests()).toMatchObject([
      { operation: 'createMessage', status: 500, error: 'internal_error' },
    ]);
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('RangeError: Invalid time value'));
    expect((await send(mock.app, get('/health'))).status).toBe(200);
  },
);

test('a fault of the journal is a 500 with an Error too', async () => {
  using report = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  using record = vi.spyOn(Journal.prototype, 'arrived');
  record.mockImplementation(() => {
    throw new Error('the journal is broken');
  });
  const { status, body } = await send(app, get('/v1/pets'));
  expect([status, body]).toMatchObject([500, { code: 'internal_error', status: 500 }]);
  expect(report).toHaveBeenCalledWith(expect.stringContaining('the journal is broken'));
});
