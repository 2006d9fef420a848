import { expect, onTestFinished, test } from 'vitest';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { printFindings } from './findings/print-run.ts';
import { type Gate, readVerdict } from './findings/verdict.ts';
import { type Findings, startCheckedProxy } from './index.ts';
import { startUpstream } from './testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key' };
const judge = (findings: Findings, gate: Gate) => readVerdict(findings, gate).verdict;

/** Starts a checked proxy in front of a mock. @param isInMock False as for a mock in another process. */
async function startBeforeMock(isInMock = true) {
  const mock = await startTestMock();
  const lines: string[] = [];
  const found: unknown[] = [];
  const write = (line: string) => void lines.push(line);
  const onViolation = (violation: unknown) => void found.push(violation);
  const proxy = await startCheckedProxy(
    { upstream: mock.url, log: 'pretty', write, onViolation },
    { isInMock },
  );
  onTestFinished(() => proxy.close());
  return { mock, proxy, lines, found };
}

test('the response of a fault is no violation in the log and for --fail-on', async () => {
  const { mock, proxy, lines, found } = await startBeforeMock();
  mock.faults.add({ operation: 'listPets', response: { body: [{ id: 'x' }, { id: 'x' }] }, times: 1 });
  mock.faults.add({ operation: 'getPet', status: 503, times: 1 });
  const list = await fetch(`${proxy.url}/pets`, { headers });
  expect(list.status).toBe(200);
  await fetch(`${proxy.url}/pets/1`, { headers });
  expect([lines, found]).toEqual([[], []]);
  const findings = proxy.readFindings();
  expect(findings).toMatchObject({ exchanges: 2, faults: 2, violations: [] });
  const printed = printFindings(findings, { failOn: 'warning' });
  expect(printed).toContain('responses by faults of the mock, which are neither violations nor coverage: 2');
});

test('of an unknown upstream, the header X-Fault excuses nothing', async () => {
  const upstream = await startUpstream((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/html', 'X-Fault': '7' }).end('<h1>Hello</h1>');
  });
  const proxy = await startCheckedProxy({ upstream });
  onTestFinished(() => proxy.close());
  await fetch(`${proxy.url}/pets`, { headers });
  const findings = proxy.readFindings();
  expect([findings.faults, judge(findings, { failOn: 'error' })]).toEqual([0, 'failed']);
});

test('the faults of a mock in another process are responses like any other', async () => {
  const { mock, proxy } = await startBeforeMock(false);
  mock.faults.add({ status: 503, times: 1 });
  await fetch(`${proxy.url}/pets`, { headers });
  mock.faults.add({ truncate: true });
  expect((await fetch(`${proxy.url}/pets`, { headers })).status).toBe(502);
  const violations = [{ rule: 'server-error', count: 2 }];
  expect(proxy.readFindings()).toMatchObject({ faults: 0, failures: [{ count: 1 }], violations });
});

test('a request that a fault answers is checked as usual', async () => {
  const { mock, proxy, found } = await startBeforeMock();
  mock.faults.add({ response: { body: 5 } });
  await fetch(`${proxy.url}/pets?limit=0`, { headers });
  expect(found).toMatchObject([{ place: 'request.query.limit', rule: 'minimum' }]);
});

/** Reads a list that breaks off: its status, its length, and what was received. */
async function readCut(url: string, method: string) {
  const response = await fetch(`${url}/pets`, { method, headers });
  const received: Uint8Array[] = [];
  const read = async () => {
    for await (const part of response.body ?? []) received.push(part);
    return 'complete';
  };
  const end = await read().catch(({ message }) => message);
  const names = ['content-length', 'x-fault'].map((name) => response.headers.get(name));
  return [response.status, ...names, Buffer.concat(received).toString(), end];
}

test.for(['GET', 'HEAD'])(
  'a %s whose response a fault breaks off reaches the client as the mock sends it',
  async (method) => {
    const { mock, proxy } = await startBeforeMock();
    mock.faults.add({ truncate: true });
    const direct = await readCut(mock.url, method);
    expect(direct[0]).toBe(200);
    expect(await readCut(proxy.url, method)).toEqual(direct);
    const counts = { faults: 1, failures: [], violations: [] };
    expect(proxy.readFindings()).toMatchObject(counts);
  },
);
