import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../../testing/exchange-raw.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { startCheckedProxy } from '../index.ts';
import { answerJson, startUpstream } from '../testing/start-upstream.ts';
import { failOnLevels, gateExitCodes, readGate } from './fail-on.ts';
import { printFindings } from './print-findings.ts';

const startMockUpstream = async () => (await startTestMock()).url;
const startBrokenUpstream = () => startUpstream(answerJson('{}'));
const startNothing = async () => 'http://127.0.0.1:9/v1';
const preflight = ['Origin', 'http://app.test', 'Access-Control-Request-Method', 'GET'];

/** Requests with the exit code of each level: error, warning, the same of requests, of responses, and never. */
test.for<
  [string, upstream: () => Promise<string>, target: string | undefined, codes: number[], headers?: string[]]
>([
  ['a conforming exchange', startMockUpstream, '/pets', [0, 0, 0, 0, 0, 0, 0]],
  ['an error in a request', startMockUpstream, '/pets?limit=0', [1, 1, 1, 1, 0, 0, 0]],
  ['a warning of a request', startMockUpstream, '/pets?staus=sold', [0, 1, 0, 1, 0, 0, 0]],
  ['an error in a response', startBrokenUpstream, '/pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a path that is not in the contract', startMockUpstream, '/nothing', [2, 1, 2, 1, 2, 2, 0]],
  ['no exchange', startMockUpstream, undefined, [2, 2, 2, 2, 2, 2, 0]],
  ['only a preflight', startMockUpstream, '/pets', [2, 2, 2, 2, 2, 2, 0], preflight],
  ['only an upstream that is down', startNothing, '/pets', [2, 2, 2, 2, 2, 2, 0]],
])('the gate after %s', async ([, startUpstream, target, codes, headers]) => {
  const proxy = await startCheckedProxy({ upstream: await startUpstream() });
  onTestFinished(proxy.close);
  const method = headers === undefined ? 'GET' : 'OPTIONS';
  const all = headers ?? ['Authorization', 'Bearer test-key'];
  if (target !== undefined) await exchangeRaw(proxy.url, method, `/v1${target}`, all);
  const findings = proxy.readFindings();
  expect(failOnLevels.map((level) => gateExitCodes[readGate(findings, level)])).toEqual(codes);
  const sentences = ['is kept', 'is broken', 'has no verdict: no request of the contract got a response'];
  expect(printFindings(findings, 'error')).toContain(
    `the gate (--fail-on error) ${sentences[codes[0] ?? -1]}`,
  );
  expect(printFindings(findings, 'never')).not.toContain('gate');
});
