import { expect, onTestFinished, test } from 'vitest';
import { failOnLevels } from '../../common/cli/fail-on-levels.ts';
import { exchangeRaw } from '../../tools/testing/exchange-raw.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { startCheckedProxy } from '../index.ts';
import { answerJson, startUpstream } from '../testing/start-upstream.ts';
import { gateExitCodes, readGate } from './fail-on.ts';
import { printFindings } from './print-run.ts';

const startMock = async () => (await startTestMock()).url;
const startNowhere = () => startUpstream((_request, response) => response.writeHead(404).end('not here'));
const startPage = (status: number) =>
  startUpstream((_request, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>It is down.</h1>'),
  );
const startError = (status: number) =>
  startUpstream((_request, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ code: 'code', message: 'A message.', status })),
  );
const twin = '{"id":1,"name":"Rex","categoryId":2}';
const startTwins = () => startUpstream(answerJson(`[${twin},${twin}]`));
const startFaultyMock = async () => {
  const mock = await startTestMock();
  mock.faults.add({ status: 503 });
  return mock.url;
};
const startNothing = async () => 'http://127.0.0.1:9/v1';

/** Requests with the exit code of each level: error, warning, the same of requests, of responses, and never. */
test.for<[title: string, start: () => Promise<string>, line: string, codes: number[], note?: string]>([
  ['a conforming exchange', startMock, 'GET /pets', [0, 0, 0, 0, 0, 0, 0]],
  ['only an animal that does not exist', startMock, 'GET /pets/999', [0, 0, 0, 0, 0, 0, 0]],
  ['an error in a request', startMock, 'GET /pets?limit=0', [1, 1, 1, 1, 0, 0, 0]],
  ['a broken rule for one exchange', startTwins, 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['a warning of a request', startMock, 'GET /pets?staus=sold', [0, 1, 0, 1, 0, 0, 0]],
  ['an error in a response', () => startUpstream(answerJson('{}')), 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a path that is not in the contract', startMock, 'GET /nothing', [2, 1, 2, 1, 2, 2, 0]],
  ['no exchange', startMock, '', [2, 2, 2, 2, 2, 2, 0], 'no exchange was checked'],
  ['only a wrong key', startMock, 'GET /pets', [2, 2, 2, 2, 2, 2, 0]],
  ['only a wrong base URL', startNowhere, 'GET /pets', [1, 1, 2, 2, 1, 1, 0]],
  ['only a wrong base URL of another service', () => startError(404), 'GET /pets', [2, 1, 2, 2, 2, 1, 0]],
  ['only a page with 500', () => startPage(500), 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a page with 500 to HEAD', () => startPage(500), 'HEAD /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a page with 403', () => startPage(403), 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only an Error with 503', () => startError(503), 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only an Error with 429', () => startError(429), 'GET /pets', [0, 1, 0, 0, 0, 1, 0]],
  ['only a fault of a mock in another process', startFaultyMock, 'GET /pets', [1, 1, 0, 0, 1, 1, 0]],
  ['only a preflight', startMock, 'OPTIONS /pets', [2, 2, 2, 2, 2, 2, 0]],
  ['only an upstream that is down', startNothing, 'GET /pets', [2, 2, 2, 2, 2, 2, 0], 'without a response'],
])('the gate after %s', async ([title, start, line, codes, expected]) => {
  const proxy = await startCheckedProxy({ upstream: await start() });
  onTestFinished(proxy.close);
  const [method = '', path] = line.split(' ');
  const preflight = ['Origin', 'http://app.test', 'Access-Control-Request-Method', 'GET'];
  const key = title === 'only a wrong key' ? 'wrong-key' : 'test-key';
  const headers = method === 'OPTIONS' ? preflight : ['Authorization', `Bearer ${key}`];
  if (line !== '') await exchangeRaw(proxy.url, method, `/v1${path}`, headers);
  const findings = proxy.readFindings();
  expect(failOnLevels.map((level) => gateExitCodes[readGate(findings, { failOn: level })])).toEqual(codes);
  const sentences = ['Passed.', 'Failed: violations found (--fail-on error)', 'No verdict: '];
  expect(printFindings(findings, { failOn: 'error' })).toContain(sentences[codes[0] ?? -1]);
  const note = /no exchange was checked|without a response/.exec(
    printFindings(findings, { failOn: 'never' }),
  );
  expect(note?.[0]).toBe(expected);
  expect(printFindings(findings, { failOn: 'never' })).not.toMatch(/Passed|Failed|No verdict/);
});

const noSuccess = '\nno request of the contract succeeded\n';
const noPath =
  '\nno request of the contract succeeded: each response is a 404. If the paths of the service begin with /v1, the base URL ends with it\n';
const hint =
  'every response of the service was a 401 or a 404. Check the API key and the base URL, which ends with /v1.';

test.for<[title: string, start: () => Promise<string>, said: string, end: string]>([
  ['a page with 404', startNowhere, noPath, `Failed: violations found (--fail-on error), and ${hint}\n`],
  ['an Error with 404', () => startError(404), noPath, `No verdict: ${hint}\n`],
  ['an Error with 401', () => startError(401), noSuccess, `No verdict: ${hint}\n`],
  ['an Error with 429', () => startError(429), noSuccess, 'Passed.\n'],
  ['a page with 500', () => startPage(500), noSuccess, 'Failed: violations found (--fail-on error).\n'],
  ['nothing', startNothing, noSuccess, 'No verdict: no request of the contract got a response.\n'],
  ['a list', startMock, '', 'Passed.\n'],
])('the summary says whether no request succeeded: the upstream answers %s', async ([, start, said, end]) => {
  const proxy = await startCheckedProxy({ upstream: await start() });
  onTestFinished(proxy.close);
  await fetch(`${proxy.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  const printed = printFindings(proxy.readFindings(), { failOn: 'error' });
  expect(/\nno request of the contract succeeded.*\n/.exec(printed)?.[0] ?? '').toBe(said);
  expect(printed.endsWith(`\n${end}`)).toBe(true);
});

test('the summary of a base URL without /v1 says so, also if the contract has the 404 of an animal', async () => {
  const proxy = await startCheckedProxy({ upstream: new URL(await startMock()).origin });
  onTestFinished(proxy.close);
  for (const path of ['/pets', '/pets/1'])
    await fetch(`${proxy.url}${path}`, { headers: { Authorization: 'Bearer test-key' } });
  expect(printFindings(proxy.readFindings(), { failOn: 'never' })).toContain(noPath);
});

test.for([
  'limit=05',
  'limit=500',
  'limit=',
  'limit=5&limit=x',
  'status=',
  'status=lost',
  'status=sold&status=lost',
])('an invalid value is no coverage of the parameter: %s', async (query) => {
  const proxy = await startCheckedProxy({ upstream: await startMock() });
  onTestFinished(proxy.close);
  const headers = { Authorization: 'Bearer test-key' };
  const [name = ''] = query.split('=');
  const readReached = () =>
    Object.entries(proxy.readFindings().coverage).filter(
      ([point, times]) => point.startsWith(`listPets?${name}`) && times > 0,
    );
  await fetch(`${proxy.url}/pets?${query}`, { headers });
  expect(readReached()).toEqual([]);
  await fetch(`${proxy.url}/pets?limit=5&status=sold`, { headers });
  expect(readReached().length).toBeGreaterThan(0);
});

test('an invalid member of the request is no coverage of the member', async () => {
  const proxy = await startCheckedProxy({ upstream: await startMock() });
  onTestFinished(proxy.close);
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1,"status":"lost"}';
  await fetch(`${proxy.url}/pets`, { method: 'POST', headers, body });
  expect(proxy.readFindings().coverage).toMatchObject({ 'createPet:400': 1, 'createPet.status': 0 });
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
  expect(coverage).toMatchObject({ 'listPets?limit': 1, 'listPets?status=sold': 1, 'getPet:401': 1 });
  expect(coverage).toMatchObject({ 'listPets?status=pending': 0, 'listPets:200.status': 1 });
  expect(coverage).toMatchObject({ 'createPet.status=sold': 1, 'createPet:201.status=sold': 1 });
  const printed = printFindings(findings, { failOn: 'never', require: ['listPets', 'getPet'] });
  expect(printed).toMatch(/\n {2}createPet: 1 \(.*:201 1.*\), without .*:400.*\n {2}getPet: 1 /);
  expect(printed).toMatch(/\nFailed: not reached: getPet \(--require\)\.\n$/);
  expect(readGate(findings, { failOn: 'never', require: ['getPet:200'] })).toBe('failed');
  expect(readGate(findings, { failOn: 'never', require: ['createPet:201'] })).toBe('passed');
});
