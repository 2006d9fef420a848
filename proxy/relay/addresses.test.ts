import { expect, test } from 'vitest';
import { expectError, talk } from '../../testing/exchange-raw.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const get = (target: string, host: string) =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

test.for(['127.0.0.1', '0.0.0.0'])(
  'on %s a page of another site whose name leads here gets nothing of the upstream',
  async (host) => {
    const { url, received, exchanges } = await startProxyBefore(answerJson(), { host });
    const answer = await talk(url.replace('0.0.0.0', '127.0.0.1'), get('/v1/pets', 'evil.test:4011'));
    expect(answer).toMatch(/^HTTP\/1.1 403 .*"code":"host_not_allowed".*evil\.test:4011.*--allow-host/s);
    expect([received, exchanges]).toEqual([[], []]);
  },
);

test.for<[string, object]>([
  ['localhost', {}],
  ['app.test', { allowHosts: ['app.test'] }],
  ['10.0.2.2', {}],
  ['10.0.2.2', { host: '0.0.0.0' }],
])('a request for %s is forwarded with %j', async ([host, options]) => {
  const { url, received } = await startProxyBefore(answerJson(), options);
  expect(await talk(url.replace('0.0.0.0', '127.0.0.1'), get('/v1/pets', host))).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toHaveLength(1);
});

test.for([
  ...['/admin/delete', '/', '/v1x', '/V1/pets', '//v1/pets', '*'],
  ...['/v1/../admin', '/v1/%2e%2E/admin', '/v1/..%2fadmin', '/v1/..\\admin', '/v1/..', '/v1/.;x/admin'],
  ...['/v1/x#/../../admin', '/v1/..#/admin', '/v1/..%00/admin', '/v1/..%3bx/admin', '/v1/%252e%252e/admin'],
  ...['/v1/x%252f..%25252f../admin', '/v1/a%5cb', '/v1/%u002e%u002e/admin'],
])('%s is refused and reported, because it is not under the base path', async (target) => {
  const { url, received, exchanges } = await startProxyBefore(answerJson());
  const answer = await talk(url, get(target, 'localhost'));
  expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"not_found".*\/v1.*--all-paths/s);
  expect(received).toEqual([]);
  const violations = [{ message: 'Selected route not found' }];
  expect(exchanges).toMatchObject([{ violations, response: undefined, refusal: { code: 'not_found' } }]);
  const other = await startProxyBefore(answerJson(), { allPaths: true });
  expect(await talk(other.url, get(target, 'localhost'))).toMatch(/^HTTP\/1.1 200 /);
});

test.for(['/v1', '/v1/', '/v1?x', '/v1/pets/a%20b..%00', '/v1/pets/%252e.x', '/v1/pets/...', '/v1/%zz'])(
  '%s is forwarded',
  async (target) => {
    const { url, received } = await startProxyBefore(answerJson());
    await talk(url, get(target, 'localhost'));
    expect(received).toMatchObject([{ url: target }]);
  },
);

test('in front of an upstream without a path every path is forwarded', async () => {
  const { upstream, received } = await startProxyBefore(answerJson());
  const { url } = await startTestProxy(new URL(upstream).origin);
  await talk(url, get('/x/../y', 'localhost'));
  expect(received).toMatchObject([{ url: '/x/../y' }]);
});

test('a POST to a refused path is answered, and so is the next request', async () => {
  const { url } = await startProxyBefore(answerJson());
  const { origin } = new URL(url);
  const body = 'x'.repeat(3 * 1024 * 1024);
  await expectError(await fetch(`${origin}/admin/delete`, { method: 'POST', body }), 404, 'not_found');
  expect((await fetch(`${url}/pets`)).status).toBe(200);
});
