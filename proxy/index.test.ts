import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as proxyPackage from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

test('its only export starts with only an upstream, and returns its findings', async () => {
  expect(Object.keys(proxyPackage)).toEqual(['startCheckedProxy']);
  const upstream = await startUpstream(answerJson());
  const proxy = await proxyPackage.startCheckedProxy({ upstream, allowHosts: [] });
  onTestFinished(proxy.close);
  const answer = await fetch(`${proxy.url}/pets?limit=0`, { headers: { Authorization: 'Bearer x' } });
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([200, true]);
  const finding = { operationId: 'listPets', place: 'request.query.limit', rule: 'minimum', count: 1 };
  expect(proxy.readFindings()).toMatchObject({ exchanges: 1, violations: [finding] });
});

test.for<[options: object, message: string]>([
  [{ port: '4011' }, 'port must be an integer from 0 to 65535, not "4011"'],
  [{ upstraem: 'http://127.0.0.1:9/v1' }, 'there is no option upstraem; did you mean upstream?'],
  [{ apiKeys: 'a-key' }, 'apiKeys must be an array of strings'],
  [{ ca: 5 }, 'ca must be certificates in PEM'],
  [{ upstream: 'http://me:hunter2@a/v1' }, 'upstream must not contain credentials: leave out the part'],
  [{ upstream: 'http://me:hunter2@a:x/v1' }, 'upstream must be a URL such as https://staging.example/v1'],
])('%j is refused, without passwords and keys', async ([options, message]) => {
  const upstream = 'http://127.0.0.1:9/v1';
  const error = await proxyPackage.startCheckedProxy({ upstream, ...options }).catch((failure) => failure);
  expect(error.message).toContain(message);
  expect(inspect(error)).not.toMatch(/hunter2|a-key/);
});
