import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../../../common/contract-file.ts';
import { createFileApp, createTestApp } from '../../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../../tools/testing/http-case.ts';

const written = parse(readFileSync(contractFile, 'utf8'));
const mock = await createFileApp({ apiKeys: ['a-key-of-my-own'] });
const { app } = mock;
beforeEach(mock.reset);

/** Sends a GET without a key. */
const ask = (path: string, headers = {}, asked = app) =>
  send(asked, get(path, { Authorization: undefined, ...headers }));
const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.for([
  ['/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ['/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
] as const)('%s is the contract, without a key, and its server is the mock', async ([path, type, read]) => {
  const answer = await ask(path, { Host: '127.0.0.1:4010' });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({ 'content-type': type, 'access-control-allow-origin': '*' });
  const servers = [{ url: 'http://127.0.0.1:4010/v1', description: 'This mock.' }];
  expect(read(answer.text)).toEqual({ ...written, servers });
  expect((await ask(path, { Host: 'evil.test' })).status).toBe(403);
  const { status, headers } = await send(app, post(path, '{}'));
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.for([
  ['mock.localhost:8080', 'http://mock.localhost:8080/v1'],
  ['[::1]:4010', 'http://[::1]:4010/v1'],
  [`a'b"c.localhost`, expect.stringMatching(/\/v1$/)],
  ['$&.localhost', expect.stringMatching(/\/v1$/)],
] as const)('for the Host %s, the contract has this server and nothing else', async ([Host, server]) => {
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    const { servers, ...rest } = parse((await ask(path, { Host })).text);
    expect({ ...rest, servers: written.servers }).toEqual(written);
    expect(servers).toEqual([{ url: server, description: 'This mock.' }]);
  }
});

const docs = ['/docs', '/docs/page.js', '/docs/openapi.json', '/sessions/w1/docs'];

test.for(docs)('%s is for this machine only, needs no key, and creates no session', async (path) => {
  mock.faults.add({ status: 500 });
  const { status, headers, text } = await ask(path);
  expect(status).toBe(200);
  expect(text).not.toContain('my-own');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect((await ask(path, { Host: 'evil.test' })).status).toBe(403);
  const refused = await send(app, post(path, '{}'));
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
  expect([mock.requests({ status: 200 }), mock.sessions()]).toEqual([[], []]);
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

test('slashes at the end are corrected for a browser; other paths and programs find nothing', async () => {
  const corrected = [
    ['/docs/', 308, '/docs'],
    ['/sessions/w1?from=chat', 302, '/sessions/w1/'],
  ] as const;
  for (const [path, code, target] of corrected) {
    const { status, headers } = await ask(path, asBrowser);
    const { href } = new URL(headers.location ?? '', `http://mock${path}`);
    expect([status, href]).toEqual([code, `http://mock${target}`]);
  }
  for (const path of ['/sessions/w1', '/'])
    for (const Accept of ['*/*', 'application/json', undefined])
      expect(await ask(path, { Accept })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const outside = ['nothing.js', '../package.json', '..%2Fpackage.json', 'page.js/x', 'mock/cli.ts'];
  for (const path of ['/docsx', ...outside.flatMap((file) => [`/__console/${file}`, `/docs/${file}`])])
    expect((await send(app, get(path, asBrowser))).status, path).toBe(404);
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
