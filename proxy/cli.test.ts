import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../common/cli/read-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { talk } from '../testing/exchange-raw.ts';
import { fillLog, startCli } from '../testing/run-cli.ts';
import { runInTurn } from '../testing/run-in-turn.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { proxyCommand } from './options.ts';
import { answerJson, listen } from './testing/start-upstream.ts';

const bin = join(import.meta.dirname, 'bin.js');

const listening = /^checked proxy listening on (\S+)\nupstream: \S+\n(?:(?:console|gate|report): [^\n]+\n)*/;

const headers = { Authorization: 'Bearer test-key' };

/** Starts a mock and the command before it. */
async function startProxyCli(...options: string[]) {
  const mock = await startTestMock();
  const cli = startCli([mock.url, '--port', '0', ...options], { bin });
  const [, url = ''] = listening.exec(await cli.waitFor(listening)) ?? [];
  return { ...cli, url, upstream: mock.url };
}

/** Starts it, asks for these paths, and ends it; `beforeEnd` is called last. */
async function runProxyCli(options: string[], paths: readonly string[], beforeEnd = () => {}) {
  const { child, ended, url, upstream } = await startProxyCli(...options);
  for (const path of paths) await fetch(`${url}${path}`, { headers });
  beforeEnd();
  child.kill('SIGINT');
  return { upstream, ...(await ended) };
}

/** A file in a folder of its own, which goes with the test. */
function createPath(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'checked-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

test('it ends although nobody reads its log, with the exit code that it promises', async () => {
  const { child, url } = await startProxyCli('--fail-on', 'error');
  await fillLog(child, url);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('it prints each violation, and all of them with an example at the end', async () => {
  const { child, ended, url, upstream } = await startProxyCli();
  expect(new URL(url).pathname).toBe('/v1');
  expect((await fetch(`${url}/pets`, { headers })).headers.has('sl-violations')).toBe(false);
  for (const limit of ['0', '-1']) {
    const answer = await fetch(`${url}/pets?limit=${limit}`, { headers });
    expect([answer.status, answer.headers.has('sl-violations')]).toEqual([400, true]);
  }
  child.kill('SIGTERM');
  const { stdout, stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
  const message = 'Request query parameter limit must be >= 1';
  const line = `proxy violation error listPets request.query.limit minimum: ${message}`;
  const lines = stdout.replace(listening, '').replaceAll(/^\d\d:\d\d:\d\d /gm, '');
  expect(lines.split('\n')).toEqual([
    `${line} (1 so far; GET /v1/pets?limit=0)`,
    `${line} (2 so far; GET /v1/pets?limit=-1)`,
    '2 violations in 3 exchanges',
    '',
    'count  severity  operation  place                rule',
    '    2  error     listPets   request.query.limit  minimum',
    `       curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${upstream}/pets?limit=0'`,
    '',
  ]);
});

const certificates = join(import.meta.dirname, '../testing/certificates');
const [cert = '', certKey = ''] = ['localhost.pem', 'localhost-key.pem'].map((name) =>
  readFileSync(join(certificates, name), 'utf8'),
);
const caFile = join(certificates, 'ca.pem');

test.for([
  [['--ca', caFile], `curl --cacert '${caFile}' -H`],
  [['--insecure'], 'curl -k -H'],
] as const)('with %j it trusts the upstream, and so does the curl line: %s', async ([options, line]) => {
  const server = createHttpsServer({ cert, key: certKey }, answerJson());
  const { port } = new URL(await listen(server));
  const args = [`https://localhost:${port}/v1`, '--port', '0', ...options];
  const { child, ended, waitFor } = startCli(args, { bin });
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  expect((await fetch(`${url}/pets?limit=0`, { headers })).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).stdout).toContain(`       ${line}`);
});

test('it listens on --host, and allows the Host of --allow-host', async () => {
  const { url } = await startProxyCli('--host', '0.0.0.0', '--allow-host', 'app.test');
  expect(new URL(url).hostname).toBe('0.0.0.0');
  const toGet = (host: string) => `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  expect(await talk(url, toGet('app.test'))).toMatch(/^HTTP\/1.1 401 /);
  expect(await talk(url, toGet('other.test'))).toMatch(/^HTTP\/1.1 403 /);
});

test('a second signal does not make it print twice', async () => {
  const { child, ended } = await startProxyCli();
  child.kill('SIGINT');
  child.kill('SIGINT');
  const { stdout } = await ended;
  expect(stdout.match(/0 violations/g)).toHaveLength(1);
  expect(stdout).toContain('no exchange was checked: the proxy received no request');
});

test.for([
  ['error', '/pets?limit=0', 1, 'the gate (--fail-on error) is broken'],
  ['error', '/nothing', 2, 'the gate (--fail-on error) has no verdict'],
  ['warning', '/nothing', 1, 'the gate (--fail-on warning) is broken'],
  ['warning', '/pets?staus=sold', 1, 'staus is not a parameter of listPets; did you mean status?'],
  ['error', '/pets?staus=sold', 0, 'listPets   request.query.staus  unknown-parameter'],
  ['warning', '/pets', 0, 'the gate (--fail-on warning) is kept'],
  ['never', '/pets?limit=0', 0, '1 violation in 1 exchange'],
  ['request-error', '/pets?limit=0', 1, 'gate: exit code 1 for request-error'],
  ['request-error', '/nothing', 2, 'the gate (--fail-on request-error) has no verdict'],
  ['never', '/nothing', 0, '1 violation in 1 exchange'],
  ['request-warning', '/nothing', 1, 'gate: exit code 1 for request-warning'],
  ['response-error', '/pets?limit=0', 0, 'the gate (--fail-on response-error) is kept'],
  ['response-warning', '/pets?limit=0', 0, 'the gate (--fail-on response-warning) is kept'],
] as const)('with --fail-on %s, %s ends it with %i', async ([failOn, path, expected, sentence]) => {
  const { stdout, exitCode } = await runProxyCli(['--fail-on', failOn], [path]);
  expect(exitCode).toBe(expected);
  expect(stdout).toContain(sentence);
});

test('a gate that saw no exchange has no verdict', async () => {
  const file = createPath('report.json');
  const { stdout, exitCode } = await runProxyCli(['--fail-on', 'error', '--report', file], []);
  expect(exitCode).toBe(2);
  expect(stdout).toContain(
    'the gate (--fail-on error) has no verdict: no request of the contract got a response',
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false, exchanges: 0 });
});

test('a gate that saw only preflights has no verdict', async () => {
  const { child, ended, url } = await startProxyCli('--fail-on', 'error');
  const asked = { Origin: 'http://127.0.0.1:5173', 'Access-Control-Request-Method': 'GET' };
  expect((await fetch(`${url}/pets`, { method: 'OPTIONS', headers: asked })).status).toBe(204);
  child.kill('SIGTERM');
  expect((await ended).exitCode).toBe(2);
});

test('a gate in front of an upstream that is down has no verdict', async () => {
  const upstream = createServer().listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  upstream.close();
  const args = [`http://127.0.0.1:${port}/v1`, '--port', '0', '--fail-on', 'error'];
  const { child, ended, waitFor } = startCli(args, { bin });
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(502);
  child.kill('SIGTERM');
  const { stdout, exitCode } = await ended;
  expect(exitCode).toBe(2);
  expect(stdout).toContain('the gate (--fail-on error) has no verdict');
});

test('a report is JSON, and takes the place of an earlier one at the end', async () => {
  const file = createPath('report.json');
  writeFileSync(file, 'earlier');
  const options = ['--report', file, '--fail-on', 'error'];
  const { upstream } = await runProxyCli(options, ['/pets', '/pets?limit=0'], () => {
    expect(readFileSync(file, 'utf8')).toBe('earlier');
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    upstream,
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    failOn: 'error',
    passed: false,
    exchanges: 2,
    answered: 2,
    unanswered: 0,
    abandoned: 0,
    unjudgedBodies: 0,
    operations: [{ operationId: 'listPets', exchanges: 2 }],
    violations: [
      {
        operationId: 'listPets',
        severity: 'error',
        place: 'request.query.limit',
        rule: 'minimum',
        message: 'Request query parameter limit must be >= 1',
        count: 1,
        example: `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${upstream}/pets?limit=0'`,
      },
    ],
  });
});

test('a report whose name ends in .xml is JUnit', async () => {
  const file = createPath('report.XML');
  const { upstream } = await runProxyCli(['--report', file, '--fail-on', 'error'], ['/pets?limit=0']);
  const report = readFileSync(file, 'utf8').replaceAll(/(time|timestamp)="[^"]*"/g, '$1=""');
  const counts = 'tests="1" failures="1" errors="0"';
  expect(report.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="checked proxy before ${upstream}" ${counts} time="">`,
    `  <testsuite name="listPets" ${counts} skipped="0" timestamp="">`,
    '    <testcase classname="listPets" name="request.query.limit minimum">',
    '      <failure message="Request query parameter limit must be &gt;= 1">error, found 1 times in 1 exchanges',
    `curl -H &quot;Authorization: Bearer $ANIMAL_STORE_API_KEY&quot; '${upstream}/pets?limit=0'</failure>`,
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('a report that can no longer be written is an error, with exit code 2', async () => {
  const file = createPath('report.json');
  const { stderr, exitCode } = await runProxyCli(['--report', file], [], () => mkdirSync(file));
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^animal-store-proxy: the report could not be written: [^\n]+\n$/);
});

test('as lines of JSON, each violation is an object', async () => {
  const { stdout } = await runProxyCli(['--log', 'json'], ['/pets?limit=0']);
  expect(JSON.parse(/^\{.*$/m.exec(stdout)?.[0] ?? '')).toMatchObject({
    from: 'proxy',
    violation: 'error',
    operation: 'listPets',
    place: 'request.query.limit',
    rule: 'minimum',
    count: 1,
    method: 'GET',
    url: '/v1/pets?limit=0',
  });
});

test('with --errors a request with an error is refused', async () => {
  const { url } = await startProxyCli('--errors');
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect(await answer.json()).toMatchObject({ code: 'request_violation', status: 400 });
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([400, true]);
});

const base = 'http://127.0.0.1/v1';

test.for([
  [[], "missing required argument 'upstream'"],
  [['staging.example/v1'], 'the upstream must be a URL such as https://staging.example/v1'],
  [
    ['http://:hunter2@staging.example/v1'],
    'the upstream must not contain credentials: leave out the part before the @',
  ],
  [['ftp://staging.example/v1'], 'the upstream must be a URL such as https://staging.example/v1'],
  [[base, '--port', 'x'], '--port must be an integer from 0 to 65535, not "x"'],
  [[base, '--host', ''], '--host must be a host name or an IP address, not ""'],
  [[base, '--timeout', '0'], '--timeout must be an integer from 1 to 3600000, in milliseconds'],
  [
    [base, '--fail-on', 'errors'],
    '--fail-on must be error, warning, request-error, request-warning, response-error, response-warning or never',
  ],
  [[base, '--log', 'xml'], '--log must be pretty, json or silent, not "xml"'],
  [[base, 'a-key'], 'there is an argument that belongs to no option'],
] as const)('%j is a usage error', ([args, message]) => {
  expect(() => readOptions(proxyCommand, args)).toThrow(UsageError);
  expect(() => readOptions(proxyCommand, args)).toThrow(message);
});

const ended = await runInTurn(
  join(import.meta.dirname, 'cli.ts'),
  [
    { options: ['--ca', '/nowhere.pem'], message: '--ca: /nowhere.pem could not be read' },
    { options: ['--ca', import.meta.filename], message: 'holds no certificate in PEM' },
    {
      options: ['--report', '/nowhere/report.json'],
      message: '--report: /nowhere/report.json could not be written',
    },
    { options: ['--report', '/tmp'], message: '--report: /tmp could not be written: it is a folder' },
  ].map((row) => ({ ...row, args: [base, ...row.options] })),
);

test.for(ended)('$options ends it in one line, with exit code 2', ({ message, ...result }) => {
  expect([result.stdout, result.exitCode]).toEqual(['', 2]);
  expect(result.stderr).toMatch(/^animal-store-proxy: [^\n]+\n$/);
  expect(result.stderr).toContain(message);
});
