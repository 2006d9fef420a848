import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../../common/contract-file.ts';
import { createFileApp, createTestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';

const written = parse(readFileSync(contractFile, 'utf8'));
const mock = await createFileApp({ apiKeys: ['a-key-of-my-own'] });
const { app } = mock;
beforeEach(mock.reset);

/** Sends a GET without a key. */
const ask = (path: string, headers = {}, asked = app) =>
  send(asked, get(path, { Authorization: undefined, ...headers }));
const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('the contract needs no key, and its server is the mock', async () => {
  const path = '/openapi.yaml';
  const answer = await ask(path, { Host: '127.0.0.1:4010' });
  expect(answer.status).toBe(200);
  const headers = { 'content-type': 'application/yaml', 'access-control-allow-origin': '*' };
  expect(answer.headers).toMatchObject(headers);
  const servers = [{ url: 'http://127.0.0.1:4010/v1', description: 'This mock.' }];
  expect(parse(answer.text)).toEqual({ ...written, servers });
  expect((await ask(path, { Host: 'evil.test' })).status).toBe(403);
  const refused = await send(app, post(path, '{}'));
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.for([
  ['mock.localhost:8080', 'http://mock.localhost:8080/v1'],
  ['[::1]:4010', 'http://[::1]:4010/v1'],
  [`a'b"c.localhost`, expect.stringMatching(/\/v1$/)],
  ['$&.localhost', expect.stringMatching(/\/v1$/)],
] as const)('for the Host %s, the contract has this server and nothing else', async ([Host, server]) => {
  const { servers, ...rest } = parse((await ask('/openapi.yaml', { Host })).text);
  expect({ ...rest, servers: written.servers }).toEqual(written);
  expect(servers).toEqual([{ url: server, description: 'This mock.' }]);
});

test.for(['/', '/?from=chat', '/sessions/w1/'])('a browser gets the console at %s', async (path) => {
  const { status, headers, text } = await ask(path, { ...asBrowser, 'Sec-Fetch-Site': 'cross-site' });
  expect([status, text]).toEqual([200, expect.stringContaining('<title>Animal Store</title>')]);
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(/^default-src 'none';.* require-trusted-types-for 'script'/);
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  expect(headers).toMatchObject({ vary: 'Accept', 'x-content-type-options': 'nosniff' });
  expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect([mock.sessions(), mock.requests()]).toEqual([[], []]);
});

test('the slash after a session is added for a browser; other paths and programs find nothing', async () => {
  const { status, headers } = await ask('/sessions/w1?from=chat', asBrowser);
  expect([status, headers.location]).toEqual([308, '/sessions/w1/?from=chat']);
  for (const path of ['/sessions/w1', '/'])
    for (const Accept of ['*/*', 'application/json', undefined])
      expect(await ask(path, { Accept })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const outside = ['nothing.js', '../package.json', '..%2Fpackage.json', 'page.js/x', 'mock/cli.ts'];
  for (const file of outside)
    expect((await send(app, get(`/__console/${file}`, asBrowser))).status, file).toBe(404);
  expect((await ask('/', { ...asBrowser, Host: 'evil.test' })).status).toBe(403);
});

test.for([
  [
    404,
    'with --no-admin',
    { admin: false },
    'The console is off, because the mock was started with --no-admin.',
  ],
  [
    404,
    'if other machines reach the mock, without a token',
    { host: '0.0.0.0' },
    'The console is off, because other machines can reach this mock. Turn it on with --admin-token <token>, or adminToken in code.',
  ],
  [200, 'if other machines reach the mock, with a token', { host: '0.0.0.0', adminToken: 'secret' }],
] as const)('the response of the console is %i %s', async ([expected, , options, message]) => {
  const { app } = await createTestApp(options);
  for (const path of ['/', '/sessions/w1/']) {
    const answer = await ask(path, asBrowser, app);
    expect(answer.status).toBe(expected);
    if (message !== undefined) expect(answer.body).toEqual({ code: 'not_found', message, status: 404 });
  }
});
