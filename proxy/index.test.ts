import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as proxyPackage from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

test('it starts with only an upstream, and returns its findings', async () => {
  const upstream = await startUpstream(answerJson());
  const proxy = await proxyPackage.startCheckedProxy({ upstream, allowHosts: [] });
  onTestFinished(proxy.close);
  const answer = await fetch(`${proxy.url}/pets?limit=0`, { headers: { Authorization: 'Bearer x' } });
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([200, true]);
  const finding = { operationId: 'listPets', place: 'request.query.limit', rule: 'minimum', count: 1 };
  expect(proxy.readFindings()).toMatchObject({ exchanges: 1, violations: [finding] });
});

test.for<[options: object, message: string | RegExp]>([
  [{ port: '4011' }, 'port must be an integer from 0 to 65535, not "4011"'],
  [{ upstraem: 'http://127.0.0.1:9/v1' }, 'there is no option upstraem; did you mean upstream?'],
  [{ apiKeys: 'a-key' }, /^apiKeys must be an array of strings$/],
  [{ ca: 5 }, 'ca must be certificates in PEM'],
])('%j is refused', async ([options, message]) => {
  const started = proxyPackage.startCheckedProxy({ upstream: 'http://127.0.0.1:9/v1', ...options });
  await expect(started).rejects.toThrow(message);
});

test.for<[upstream: string, message: string]>([
  [
    'http://me:hunter2@127.0.0.1:9/v1',
    'upstream must not contain credentials: leave out the part before the @',
  ],
  ['http://me:hunter2@nowhere:x/v1', 'upstream must be a URL such as https://staging.example/v1'],
])('the upstream %s is refused, and the error does not print the password', async ([upstream, message]) => {
  const error = await proxyPackage.startCheckedProxy({ upstream }).catch((failure) => failure);
  expect(error.message).toContain(message);
  expect(inspect(error)).not.toContain('hunter2');
});

test('the package exports nothing else', () => {
  expect(Object.keys(proxyPackage)).toEqual(['startCheckedProxy']);
});
