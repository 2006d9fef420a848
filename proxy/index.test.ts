import { expect, onTestFinished, test } from 'vitest';
import * as proxyPackage from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

test('it is started with an upstream alone, and tells what it has found', async () => {
  const upstream = await startUpstream(answerJson());
  const proxy = await proxyPackage.startCheckedProxy({ upstream });
  onTestFinished(proxy.close);
  const answer = await fetch(`${proxy.url}/pets?limit=0`, { headers: { Authorization: 'Bearer x' } });
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([200, true]);
  const finding = { operationId: 'listPets', place: 'request.query.limit', rule: 'minimum', count: 1 };
  expect(proxy.readFindings()).toMatchObject({ exchanges: 1, violations: [finding] });
});

test('the package exports nothing else', () => {
  expect(Object.keys(proxyPackage)).toEqual(['startCheckedProxy']);
});
