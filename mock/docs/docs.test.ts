import { expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

test('it is there without a key, for this machine alone, and no other site gets anything of it', async () => {
  const { url } = await startTestMock({ adminToken: 's3cr-token', apiKeys: ['a-key-of-my-own'] });
  for (const path of ['/docs', '/docs/page.js', '/docs/openapi.json', '/sessions/w1/docs']) {
    const { status, headers, text } = await send(url, get(path, { Authorization: undefined }));
    expect([status, headers['content-security-policy']], path).toEqual([
      200,
      expect.stringMatching(/^default-src 'none'/),
    ]);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(text).not.toContain('my-own');
    expect((await send(url, get(path, { Host: 'evil.test' }))).status).toBe(403);
  }
  const { status, headers } = await send(url, get('/docs/'));
  expect([status, new URL(headers.location ?? '', `${new URL(url).origin}/docs/`).pathname]).toEqual([
    308,
    '/docs',
  ]);
  for (const path of ['/docs/nothing.js', '/docs/..%2Fpackage.json', '/docsx', '/docs/page.js/x']) {
    expect((await send(url, get(path))).status, path).toBe(404);
  }
});

test('it is read and nothing else, and leads to no console where there is none', async () => {
  const { url } = await startTestMock({ admin: false });
  expect((await send(url, get('/docs'))).text).not.toContain('Console');
  const { status, headers } = await send(url, post('/docs', '{}'));
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  expect((await send(url, post('/docs/nothing.js', '{}'))).status).toBe(404);
});

test('neither faults nor the journal meet the page, and no session is made to look at it', async () => {
  const mock = await startTestMock();
  mock.faults.add({ status: 500 });
  for (const path of ['/docs', '/docs/openapi.json', '/sessions/w1/docs/openapi.json']) {
    expect((await send(mock.url, get(path))).status).toBe(200);
  }
  expect([mock.requests(), mock.sessions()]).toEqual([[], []]);
});
