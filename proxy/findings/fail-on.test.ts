import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../../testing/exchange-raw.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { startCheckedProxy } from '../index.ts';
import { answerJson, startUpstream } from '../testing/start-upstream.ts';
import { failOnLevels, gateExitCodes, readGate } from './fail-on.ts';
import { printFindings } from './print-findings.ts';

const startMock = async () => (await startTestMock()).url;
const startNowhere = () => startUpstream((_request, response) => response.writeHead(404).end('not here'));
const startNothing = async () => 'http://127.0.0.1:9/v1';

/** Requests with the exit code of each level: error, warning, the same of requests, of responses, and never. */
test.for<[title: string, start: () => Promise<string>, line: string, codes: number[], note?: string]>([
  ['a conforming exchange', startMock, 'GET /pets', [0, 0, 0, 0, 0, 0, 0]],
  ['an error in a request', startMock, 'GET /pets?limit=0', [1, 1, 1, 1, 0, 0, 0]],
  ['a warning of a request', startMock, 'GET /pets?staus=sold', [0, 1, 0, 1, 0, 0, 0]],
  ['an error in a response', () => startUpstream(answerJson('{}')), 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a path that is not in the contract', startMock, 'GET /nothing', [2, 1, 2, 1, 2, 2, 0]],
  ['no exchange', startMock, '', [2, 2, 2, 2, 2, 2, 0], 'no exchange was checked'],
  ['only a wrong key', startMock, 'GET /pets', [2, 2, 2, 2, 2, 2, 0]],
  ['only a wrong base URL', startNowhere, 'GET /pets', [2, 1, 2, 2, 2, 1, 0]],
  ['only a preflight', startMock, 'OPTIONS /pets', [2, 2, 2, 2, 2, 2, 0]],
  ['only an upstream that is down', startNothing, 'GET /pets', [2, 2, 2, 2, 2, 2, 0], 'got no response'],
])('the gate after %s', async ([title, start, line, codes, expected]) => {
  const proxy = await startCheckedProxy({ upstream: await start() });
  onTestFinished(proxy.close);
  const [method = '', path] = line.split(' ');
  const preflight = ['Origin', 'http://app.test', 'Access-Control-Request-Method', 'GET'];
  const key = title === 'only a wrong key' ? 'wrong-key' : 'test-key';
  const headers = method === 'GET' ? ['Authorization', `Bearer ${key}`] : preflight;
  if (line !== '') await exchangeRaw(proxy.url, method, `/v1${path}`, headers);
  const findings = proxy.readFindings();
  expect(failOnLevels.map((level) => gateExitCodes[readGate(findings, { failOn: level })])).toEqual(codes);
  const sentences = ['Passed.', 'Failed: violations found (--fail-on error).', 'No verdict: '];
  expect(printFindings(findings, { failOn: 'error' })).toContain(sentences[codes[0] ?? -1]);
  const note = /no exchange was checked|got no response/.exec(printFindings(findings, { failOn: 'never' }));
  expect(note?.[0]).toBe(expected);
  expect(printFindings(findings, { failOn: 'never' })).not.toMatch(/Passed|Failed|No verdict/);
});

test('the coverage counts what exchanges reach, and the gate fails for a required point that none reaches', async () => {
  const proxy = await startCheckedProxy({ upstream: await startMock() });
  onTestFinished(proxy.close);
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1,"status":"sold"}';
  await fetch(`${proxy.url}/pets?status=sold&limit=100`, { headers });
  await fetch(`${proxy.url}/pets?limit=0`, { headers });
  await fetch(`${proxy.url}/pets`, { method: 'POST', headers, body });
  await fetch(`${proxy.url}/pets/1`);
  const findings = proxy.readFindings();
  const { coverage } = findings;
  expect(coverage).toMatchObject({ listPets: 2, 'listPets:200': 1, 'listPets:400': 1, 'listPets:401': 0 });
  expect(coverage).toMatchObject({ 'listPets?limit': 2, 'listPets?status=sold': 1, 'getPet:401': 1 });
  expect(coverage).toMatchObject({ 'listPets?status=pending': 0, 'listPets:200.status': 1 });
  expect(coverage).toMatchObject({ 'createPet.status=sold': 1, 'createPet:201.status=sold': 1 });
  const printed = printFindings(findings, { failOn: 'never', require: ['listPets', 'getPet'] });
  expect(printed).toMatch(/\n {2}createPet: 1 \(.*:201 1.*\), without .*:400.*\n {2}getPet: 1 /);
  expect(printed).toMatch(/\nFailed: not reached: getPet \(--require\)\.\n$/);
  expect(readGate(findings, { failOn: 'never', require: ['getPet:200'] })).toBe('failed');
  expect(readGate(findings, { failOn: 'never', require: ['createPet:201'] })).toBe('passed');
});
