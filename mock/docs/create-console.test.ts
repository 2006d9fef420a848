import { expect, test } from 'vitest';
import { get, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

const browser = { Authorization: undefined, Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.for(['/', '/?from=chat', '/sessions/w1/'])(
  'a browser gets the console at %s, and strict headers',
  async (path) => {
    const mock = await startTestMock();
    const { status, headers, text } = await send(
      mock.url,
      get(path, { ...browser, 'Sec-Fetch-Site': 'cross-site' }),
    );
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Animal Store</title>');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';.* require-trusted-types-for 'script'/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      vary: 'Accept',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    // To look is not to use.
    expect([mock.sessions(), mock.requests()]).toEqual([[], []]);
  },
);

test('a browser that leaves out the slash behind a session is led to it, a program is not', async () => {
  const mock = await startTestMock();
  const { status, headers } = await send(mock.url, get('/sessions/w1?from=chat', browser));
  expect([status, headers.location]).toEqual([308, '/sessions/w1/?from=chat']);
  expect((await send(mock.url, get('/sessions/w1'))).status).toBe(404);
  expect((await send(mock.url, get('/sessions', browser))).status).toBe(404);
});

test.for(['*/*', 'application/json', undefined])(
  'a program that accepts %s is told that there is nothing at /',
  async (Accept) => {
    const { url } = await startTestMock();
    const { status, body } = await send(url, get('/', { Accept }));
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test.for([
  [404, 'with --no-admin', { admin: false }],
  [404, 'where other machines reach the mock, and there is no token', { host: '0.0.0.0' }],
  [200, 'where other machines reach the mock, with a token', { host: '0.0.0.0', adminToken: 'secret' }],
] as const)('the answer is %i %s', async ([expected, , options]) => {
  const { port } = new URL((await startTestMock(options)).url);
  expect((await send(`http://127.0.0.1:${port}/v1`, get('/', browser))).status).toBe(expected);
});

test('a page of another site whose name leads here gets no console', async () => {
  const { url } = await startTestMock();
  expect((await send(url, get('/', { ...browser, Host: 'evil.test' }))).status).toBe(403);
});

test.for([
  'console/nothing.js',
  'console/smoke.test.ts/..',
  '../package.json',
  'mock/cli.ts',
  'common/../package.json',
])('nothing but the parts of the page is served: %s', async (path) => {
  const { url } = await startTestMock();
  expect((await send(url, get(`/__console/${path}`, browser))).status).toBe(404);
});
