import { expect, test } from 'vitest';
import { talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

/** Sends a request for a target to a proxy. */
const get = (url: string, target: string, host = 'localhost') =>
  talk(url.replace('0.0.0.0', '127.0.0.1'), printRequest(`GET ${target}`).replace('localhost', host));

test.for(['127.0.0.1', '0.0.0.0'])('on %s a page of another site gets nothing from here', async (host) => {
  const { url, received, exchanges } = await startProxyBefore(answerJson(), { host });
  const answer = await get(url, '/v1/pets', 'evil.test:4011');
  expect(answer).toMatch(/^HTTP\/1.1 403 .*"code":"host_not_allowed".*evil\.test:4011.*--allow-host/s);
  expect([received, exchanges]).toEqual([[], []]);
});

test.for(['localhost', 'evil.test'])('two Hosts, %s the second, are a 400', async (second) => {
  const { url, received } = await startProxyBefore(answerJson());
  const answer = await talk(url, printRequest('GET /v1/pets', [`host: ${second}`, 'Connection: close']));
  expect(answer).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request".*more than one Host/s);
  expect(received).toEqual([]);
});

test.for([
  ...['/admin/delete', '/', '/v1x', '/V1/pets', '//v1/pets', '*', '/v1/../admin', '/v1/..', '/v1/.;x/admin'],
  ...[
    '/v1/%2e%2E/admin',
    '/v1/%2E%2E',
    '/v1/..%2fadmin',
    '/v1/..\\admin',
    '/v1/x#/../../admin',
    '/v1/..%00/admin',
  ],
  ...['/v1/%252e%252E/admin', '/v1/x%252f..%25252F../admin', '/v1/a%5Cb', '/v1/%u002e%u002e/admin'],
])('%s is refused and reported, because it is not under the base path', async (target) => {
  const { upstream, url, received, exchanges } = await startProxyBefore(answerJson());
  expect(await get(url, target)).toMatch(/^HTTP\/1.1 404 .*"code":"not_found".*not under \/v1/s);
  expect(received).toEqual([]);
  const violations = [{ rule: 'unknown-path', received: expect.stringMatching(/^GET /) }];
  expect(exchanges).toMatchObject([{ violations, response: undefined, refusal: { code: 'not_found' } }]);
  const other = await startTestProxy(upstream, { allPaths: true });
  expect(await get(other.url, target)).toMatch(/^HTTP\/1.1 200 /);
});

test('a path that is only outside the base path has a message that says so', async () => {
  const { url, exchanges } = await startProxyBefore(answerJson());
  await get(url, '/pets/1');
  const message = 'The contract has no such path: the base URL ends with /v1, and this path is not under it';
  expect(exchanges).toMatchObject([{ violations: [{ message }] }]);
});

test('other paths are forwarded as they are, and all paths to an upstream without a path', async () => {
  const { upstream, url, received } = await startProxyBefore(answerJson());
  const targets = '/v1 /v1/ /v1?x /v1/pets/a%20b..%00 /v1/pets/%252e.x /v1/pets/... /v1/%zz'.split(' ');
  for (const target of targets) await get(url, target);
  await get((await startTestProxy(new URL(upstream).origin)).url, '/x/../y');
  expect(received.map(({ url }) => url)).toEqual([...targets, '/x/../y']);
});
