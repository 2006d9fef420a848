import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { listen } from '../tools/testing/listen.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { runMock } from './run-mock.ts';

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
  expect(ended.exitCode).toBe(1);
  const [, url = ''] = /^animal-store-mock listening on (\S+)\n/.exec(ended.stderr) ?? [];
  expect(ended.stdout).toContain(
    `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${url}/pets?limit=0'`,
  );
  expect(ended.stdout).toMatch(
    /\n1 violation in 2 exchanges\n.*\nresponses by faults of the mock, .*: 1\ncoverage: 2 of /,
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false, faults: 1, upstream: url });
});

test('a port that is in use is the port of the mock', async () => {
  const port = Number(new URL(await listen(createServer())).port);
  const ended = await callCommand('animal-store-mock', runMock, ['--port', `${port}`, '--fail-on', 'error']);
  expect(ended).toEqual({
    stdout: '',
    stderr: `animal-store-mock: Port ${port} of 127.0.0.1 is in use. Try --port ${port + 10}.\n`,
    exitCode: 2,
  });
});

test('if the command cannot be started, the report does not pass, and says why, whatever fails the run', async () => {
  const file = join(createFolder({ 'report.json': 'of an earlier run' }), 'report.json');
  const options = ['--port', '0', '--fail-on', 'never', '--report', file];
  const args = [...options, '--', 'no-such-command'];
  const ended = await callCommand('animal-store-mock', runMock, args);
  const reason = 'the command "no-such-command" could not be started: there is no such program';
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain(`\nanimal-store-mock: ${reason}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false, commandFailure: reason });
});

test('in CI the mock prints no address of its console, and the gate adds to the summary of the job; a level that nothing has passes', async () => {
  const summary = join(createFolder({ 'summary.md': '' }), 'summary.md');
  const program = `${START}await ask('/v1/pets'); await ask('/v1/pets?limit=500')`;
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const args = ['--port', '0', '--fail-on', 'response-error', ...command];
  const environment = { CI: 'true', GITHUB_STEP_SUMMARY: summary };
  const { stderr, exitCode } = await callCommand('animal-store-mock', runMock, args, environment);
  expect([stderr.includes('console:'), exitCode]).toEqual([false, 0]);
  expect(readFileSync(summary, 'utf8')).toMatch(
    /### Checked traffic\n.*\ncoverage: .*\nPassed: --fail-on response-error does not count the violation\.\n/s,
  );
});

/** Has mocks start this thread instead of their checked proxy. @param onOrder is run for each `order` of the mock */
function replaceThread(onOrder: string, isListening = true) {
  const { Worker } = threads;
  const source = `data:text/javascript,
    import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', (order) => { ${onOrder} });
    ${isListening ? 'parentPort.postMessage({ url: workerData.upstream })' : 'process.exit()'};`;
  threads.Worker = class extends Worker {
    constructor(_file: unknown, options: WorkerOptions) {
      super(new URL(source), options);
    }
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  });
}

/** The thread hears of new keys. */
const ADD_KEY = `
  const headers = { 'Content-Type': 'application/json' };
  await ask('/__admin/settings', { method: 'PATCH', headers, body: '{"apiKeys":["one"]}' });`;
const noVerdict = 'no verdict: the checked proxy ended unexpectedly';

test.for<[what: string, onOrder: string, program: string, lines: readonly string[]]>([
  ['at its verdict', `if (order.order === 'close') process.exit()`, '', [noVerdict]],
  ['by an error', `throw new Error('oops')`, ADD_KEY, ['the checked proxy failed: Error: oops', noVerdict]],
])('a gate whose thread ends %s has no verdict, and exit code 2', async ([, onOrder, program, lines]) => {
  replaceThread(onOrder);
  const ended = await runGate(['--fail-on', 'error'], program);
  expect(ended.exitCode).toBe(2);
  for (const line of lines) expect(ended.stderr).toContain(`animal-store-mock: ${line}`);
});

test('a gate whose thread ends before it listens does not start', async () => {
  replaceThread('', false);
  const ended = await runGate(['--fail-on', 'error'], '');
  const stderr = 'animal-store-mock: The checked proxy ended before it listened.\n';
  expect(ended).toEqual({ stdout: '', stderr, exitCode: 2 });
});

test('without a gate, the mock continues without its checked proxy, and says so', async () => {
  replaceThread('process.exit()');
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const mock = await startTestMock({ checkedProxy: true });
  mock.configure({ apiKeys: ['one'] });
  await expect.poll(() => stderr.mock.calls).not.toEqual([]);
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    'animal-store-mock: the checked proxy ended, and its address no longer answers\n',
  ]);
  expect((await send(mock.url, get('/v1/pets', { Authorization: 'Bearer one' }))).status).toBe(200);
});
