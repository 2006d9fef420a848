import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { runCli, startMockCli } from '../tools/testing/run-cli.ts';
import { runMock } from './run-mock.ts';
import { sendAdmin } from './testing/send-admin.ts';

const certificates = join(import.meta.dirname, '../tools/testing/certificates');
const tls = ['localhost.pem', 'localhost-key.pem'].map((name) => join(certificates, name));

/** Starts of the programs of a command: `ask` sends a request to the mock's own URL. */
const START = `
  const { ANIMAL_STORE_URL: url, ANIMAL_STORE_CHECKED_URL: checked, ANIMAL_STORE_API_KEY: key } = process.env;
  const ask = (path, options = {}) =>
    fetch(new URL(path, url), { ...options, headers: { Authorization: 'Bearer ' + key, ...options.headers } });`;

/** Runs the mock as the gate of a program. */
function runGate(options: readonly string[], program: string) {
  const command = ['--', process.execPath, '--input-type=module', '-e', START + program];
  return callCommand('animal-store-mock', runMock, ['--port', '0', ...options, ...command]);
}

test.for<[level: string, program: string, exitCode: number, end: string]>([
  ['error', `await ask('/v1/pets?limit=5')`, 0, 'Passed.'],
  ['error', `await ask('/v1/pets?limit=500')`, 1, 'Failed: violations found (--fail-on error).'],
  ['error', `await ask('/sessions/w1/v1/pets?limit=500')`, 1, 'Failed: violations found (--fail-on error).'],
  ['response-error', `await ask('/v1/pets?limit=500')`, 0, 'Passed.'],
  ['error', '', 2, 'No verdict: no exchange was checked, because the proxy received no request.'],
  ['error', `await ask('/v1/pets?limit=500'); process.exit(7)`, 7, 'Failed: violations found'],
])('--fail-on %s with %s ends with %i', async ([level, program, exitCode, end]) => {
  const ended = await runGate(['--fail-on', level], program);
  expect([ended.exitCode, ended.stdout]).toEqual([exitCode, expect.stringContaining(end)]);
});

test('the summary has the coverage and the address of the mock, and calls of its control API are no exchanges', async () => {
  const program = `
    if (url !== checked) throw new Error('The checked proxy is not at the URL of the mock.');
    await ask('/v1/pets?limit=0');
    const body = JSON.stringify({ operation: 'getPet', status: 503 });
    await ask('/__admin/faults', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    await ask('/v1/pets/1');
    const violations = await (await ask('/__admin/violations')).json();
    const requests = await (await ask('/__admin/requests')).json();
    if (violations.length !== 1 || violations[0].request !== requests[0].id) process.exit(9);`;
  const file = join(createFolder(), 'report.json');
  const ended = await runGate(['--fail-on', 'error', '--report', file], program);
  expect([ended.stderr, ended.exitCode]).toEqual(['', 1]);
  const [, url = ''] = /^animal-store-mock listening on (\S+)\n/.exec(ended.stdout) ?? [];
  expect(ended.stdout).toContain(
    `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${url}/pets?limit=0'`,
  );
  expect(ended.stdout).toMatch(
    /\n1 violation in 2 exchanges\n.*\nresponses by faults of the mock, .*: 1\ncoverage: 2 of /,
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false, faults: 1, upstream: url });
});

test('faults reach the app through the gate as without one', async () => {
  const program = `
    const json = { 'Content-Type': 'application/json' };
    const add = (fault) => ask('/__admin/faults', { method: 'POST', body: JSON.stringify(fault), headers: json });
    await add({ truncate: true, times: 1 });
    const cut = await ask('/v1/pets');
    if (cut.status !== 200 || (await cut.text().catch(() => 'cut')) !== 'cut') process.exit(8);
    await add({ drop: true, times: 1 });
    if ((await ask('/v1/pets').catch(() => 'dropped')) !== 'dropped') process.exit(9);
    await ask('/v1/pets');`;
  const { stdout, exitCode } = await runGate(['--fail-on', 'warning'], program);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    '\nresponses by faults of the mock, which are neither violations nor coverage: 2\n',
  );
});

test('a gate of HTTPS checks the requests to the URL of the mock', async () => {
  const [cert = '', key = ''] = tls;
  // Node warns of the variable.
  const program = `process.emitWarning = () => {};
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    if (!url.startsWith('https:')) process.exit(9);
    await ask('/v1/pets?limit=0');`;
  const ended = await runGate(['--tls-cert', cert, '--tls-key', key, '--fail-on', 'error'], program);
  expect(ended.exitCode).toBe(1);
  expect(ended.stdout).toContain('request.query.limit');
});

test('a port that is in use is the port of the mock', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const ended = await callCommand('animal-store-mock', runMock, ['--port', `${port}`, '--fail-on', 'error']);
  expect(ended).toEqual({
    stdout: '',
    stderr: `animal-store-mock: Port ${port} of 127.0.0.1 is in use. Try --port ${port + 10}.\n`,
    exitCode: 2,
  });
});

test.for<[options: string, message: string]>([
  [
    '--fail-on error --no-checked-proxy',
    '--fail-on and --no-checked-proxy cannot be combined. Leave one out.',
  ],
  ['--fail-on error --checked-port 0', '--fail-on and --checked-port cannot be combined. Leave one out.'],
  ['--fail-on error --try-behaviours', '--fail-on and --try-behaviours cannot be combined. Leave one out.'],
  ['--report x.json', '--report requires --fail-on or --try-behaviours'],
])('%s is refused', async ([options, message]) => {
  const ended = await runGate(options.split(' '), '');
  expect(ended).toEqual({ stdout: '', stderr: `animal-store-mock: ${message}\n`, exitCode: 2 });
});

test.for(['error', 'never'])(
  'if the command cannot be started, the report does not pass, and says why: --fail-on %s',
  async (failOn) => {
    const file = join(createFolder({ 'report.json': 'of an earlier run' }), 'report.json');
    const options = ['--port', '0', '--fail-on', failOn, '--report', file];
    const args = [...options, '--', 'no-such-command'];
    const ended = await callCommand('animal-store-mock', runMock, args);
    const reason = 'the command "no-such-command" could not be started: there is no such program';
    expect([ended.exitCode, ended.stderr]).toEqual([2, `animal-store-mock: ${reason}\n`]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false, commandFailure: reason });
  },
);

test('a report that cannot be written to is refused before the command starts', async () => {
  const ended = await runGate(['--fail-on', 'error', '--report', '/nowhere/report.xml'], 'process.exit(9)');
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('--report')]);
});

test('in CI the mock prints no address of its console, and the gate adds to the summary of the job', async () => {
  const summary = join(createFolder({ 'summary.md': '' }), 'summary.md');
  const command = ['--', process.execPath, '--input-type=module', '-e', `${START}await ask('/v1/pets')`];
  const args = ['--port', '0', '--fail-on', 'error', ...command];
  const environment = { CI: 'true', GITHUB_STEP_SUMMARY: summary };
  const { stdout, exitCode } = await callCommand('animal-store-mock', runMock, args, environment);
  expect([stdout.includes('console:'), exitCode]).toEqual([false, 0]);
  expect(readFileSync(summary, 'utf8')).toMatch(/### Checked traffic\n.*\ncoverage: .*\nPassed\.\n/s);
});

/** Options that start a mock whose thread of the checked proxy ends on its own, where `when` says so. */
function breakThread(when: string) {
  const preload = `data:text/javascript,
    import { isMainThread, parentPort } from 'node:worker_threads';
    const on = (name, act) => parentPort.on('message', (message) => name in message && act());
    if (!isMainThread) ${when}`;
  return { node: ['--import', preload], environment: { ANIMAL_STORE_NO_CHECKED_PROXY: '' } };
}

const WRONG = `await ask('/v1/pets?limit=0');`;
/** The thread hears of new keys. Its end may break off the response. */
const ADD_KEY = `
  const headers = { 'Content-Type': 'application/json' };
  await ask('/__admin/settings', { method: 'PATCH', headers, body: '{"apiKeys":["one"]}' }).catch(() => {});
  while (await fetch(checked).catch(() => false));`;
const noVerdict = 'no verdict: the checked proxy ended unexpectedly';

test.for<[what: string, when: string, program: string, lines: readonly string[]]>([
  ['at its verdict', `on('order', process.exit)`, WRONG, [noVerdict]],
  ['in the run', `on('apiKeys', process.exit)`, ADD_KEY, [noVerdict]],
  [
    'by an error',
    `on('apiKeys', () => { throw new Error('oops') })`,
    ADD_KEY,
    ['the checked proxy failed: Error: oops', noVerdict],
  ],
  ['before it listens', 'process.exit()', WRONG, ['The checked proxy ended before it listened.']],
])('a gate whose thread ends %s has no verdict, and exit code 2', async ([, when, program, lines]) => {
  const command = ['--', process.execPath, '--input-type=module', '-e', START + program];
  const ended = await runCli(['--port', '0', '--fail-on', 'error', ...command], breakThread(when));
  expect(ended.exitCode).toBe(2);
  for (const line of lines) expect(ended.stderr).toContain(`animal-store-mock: ${line}`);
});

test('without a gate, the mock continues without its checked proxy, and says so', async () => {
  const broken = breakThread(`on('apiKeys', process.exit)`);
  const { child, url, waitFor } = await startMockCli([], broken);
  await waitFor(/\nchecked proxy listening on /);
  const [[printed]] = await Promise.all([
    once(child.stderr, 'data'),
    sendAdmin(url, ['PATCH', '/settings', { apiKeys: ['one'] }]),
  ]);
  expect(printed).toBe('animal-store-mock: the checked proxy ended, and its address no longer answers\n');
  expect((await send(url, get('/v1/pets', { Authorization: 'Bearer one' }))).status).toBe(200);
});

test('a mock that ends before its checked proxy listens says nothing of that', async () => {
  const { child, ended } = await startMockCli(['--checked-port', '0'], {
    environment: { ANIMAL_STORE_NO_CHECKED_PROXY: 'false' },
  });
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
});
