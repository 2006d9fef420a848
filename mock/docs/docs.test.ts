import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sendRaw } from '../../bench/send-raw.ts';
import { contractFile } from '../../common/contract-file.ts';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { startMock } from '../index.ts';

const written = parse(readFileSync(contractFile, 'utf8'));
const mock = await startMock({ port: 0, log: 'silent', apiKeys: ['a-key-of-my-own'] });
const { url } = mock;
const { origin } = new URL(url);
beforeEach(mock.reset);
afterAll(mock.close);

/** Returns a GET without a key. */
const getFreely = (path: string, headers = {}) => get(path, { Authorization: undefined, ...headers });
const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.for([
  ['/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ['/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
] as const)('%s is the contract, without a key, and its server is the mock', async ([path, type, read]) => {
  const answer = await fetch(origin + path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(read(await answer.text())).toEqual({ ...written, servers: [{ url, description: 'This mock.' }] });
  const { status, headers } = await send(url, { ...getFreely(path), method: 'PUT' });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  expect((await send(url, getFreely(path, { Host: 'evil.test' }))).status).toBe(403);
});

test.for([
  ['mock.localhost:8080', 'http://mock.localhost:8080/v1'],
  ['[::1]:4010', 'http://[::1]:4010/v1'],
  ...[`a'b"c.localhost`, '$&.localhost', '{x}.localhost', 'a;b.localhost'].map(
    (host) => [host, expect.stringMatching(/\/v1$/)] as const,
  ),
])('asked at %s, the contract has this server and nothing else', async ([Host, server]) => {
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    const { servers, ...rest } = parse((await send(url, getFreely(path, { Host }))).text);
    expect({ ...rest, servers: written.servers }).toEqual(written);
    expect(servers).toEqual([{ url: server, description: 'This mock.' }]);
  }
});

test('a client that names no host gets the contract as it is written', async () => {
  const bytes = 'GET /openapi.yaml HTTP/1.0\r\n\r\n';
  const { answers } = await sendRaw(url, { bytes, expected: '200 close' });
  expect(answers[0]?.body).toBe(readFileSync(contractFile, 'utf8'));
});

test.for(['/docs', '/docs/page.js', '/docs/openapi.json', '/sessions/w1/docs'])(
  '%s needs no key, for this machine only, and no other site may read it',
  async (path) => {
    mock.faults.add({ status: 500 });
    const { status, headers, text } = await send(url, getFreely(path));
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(text).not.toContain('my-own');
    expect((await send(url, get(path, { Host: 'evil.test' }))).status).toBe(403);
    const refused = await send(url, post(path, '{}'));
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    // To look is not to use.
    expect([mock.requests({ status: 200 }), mock.sessions()]).toEqual([[], []]);
  },
);

test('/docs/ leads to /docs, and the folder of the page has nothing else', async () => {
  const { status, headers } = await send(url, getFreely('/docs/'));
  expect([status, new URL(headers.location ?? '', `${origin}/docs/`).pathname]).toEqual([308, '/docs']);
  for (const path of ['/docs/nothing.js', '/docs/..%2Fpackage.json', '/docsx', '/docs/page.js/x'])
    expect((await send(url, get(path))).status, path).toBe(404);
});

test.for(['/', '/?from=chat', '/sessions/w1/'])('a browser gets the console at %s', async (path) => {
  const request = getFreely(path, { ...asBrowser, 'Sec-Fetch-Site': 'cross-site' });
  const { status, headers, text } = await send(url, request);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<title>Animal Store</title>');
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(/^default-src 'none';.* require-trusted-types-for 'script'/);
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'Accept',
  });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect([mock.sessions(), mock.requests()]).toEqual([[], []]);
});

test('a browser is led to the slash after a session; a program finds nothing there', async () => {
  const { status, headers } = await send(url, getFreely('/sessions/w1?from=chat', asBrowser));
  expect([status, headers.location]).toEqual([308, '/sessions/w1/?from=chat']);
  for (const path of ['/sessions/w1', '/']) {
    for (const Accept of ['*/*', 'application/json', undefined]) {
      const { status, body } = await send(url, getFreely(path, { Accept }));
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
  }
});

test.for([
  [404, 'with --no-admin', { admin: false }],
  [404, 'if other machines reach the mock, without a token', { host: '0.0.0.0' }],
  [200, 'if other machines reach the mock, with a token', { host: '0.0.0.0', adminToken: 'secret' }],
] as const)('the console is answered with %i %s', async ([expected, , options]) => {
  const { port } = new URL((await startTestMock(options)).url);
  const local = `http://127.0.0.1:${port}/v1`;
  expect((await send(local, getFreely('/', asBrowser))).status).toBe(expected);
  expect((await send(local, getFreely('/docs'))).text.includes('Console')).toBe(expected === 200);
});

test('neither another name nor another file gets a part of the console', async () => {
  expect((await send(url, getFreely('/', { ...asBrowser, Host: 'evil.test' }))).status).toBe(403);
  for (const path of ['console/nothing.js', 'console/console.test.ts/..', '../package.json', 'mock/cli.ts'])
    expect((await send(url, getFreely(`/__console/${path}`, asBrowser))).status, path).toBe(404);
});
