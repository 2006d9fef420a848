import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { createEntry, printHar } from '../testing/create-har.ts';
import { talk } from '../testing/exchange-raw.ts';
import { fillLog, runCli, startCli } from '../testing/run-cli.ts';
import { answerJson, listen, startUpstream } from './testing/start-upstream.ts';

const bin = join(import.meta.dirname, 'bin.js');

const listening = /^checked proxy listening on (\S+)\nupstream: \S+\n(?:(?:console|gate|report): [^\n]+\n)*/;

const headers = { Authorization: 'Bearer test-key' };
const message = 'Request query parameter limit must be >= 1';
const violation = {
  operationId: 'listPets',
  severity: 'error',
  place: 'request.query.limit',
  rule: 'minimum',
};
const table = [
  'count  severity  operation  place                rule',
  '    1  error     listPets   request.query.limit  minimum',
];
const curl = (url: string) => `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${url}?limit=0'`;

/** Starts the proxy in front of an upstream. */
async function startProxyCli(upstream: string, ...options: string[]) {
  const cli = startCli([upstream, '--port', '0', ...options], { bin });
  const [, url = ''] = listening.exec(await cli.waitFor(listening)) ?? [];
  return { ...cli, url };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('it prints violations, gives open requests 5 s after SIGTERM, and ends with the gate and a report', async () => {
  const held = new Map<string, ServerResponse>();
  const upstream = await startUpstream((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/v1/pets/')) held.set(url, response);
    else answerJson()(request, response);
  });
  const file = join(createFolder({ 'report.json': 'earlier' }), 'report.json');
  const { child, ended, url } = await startProxyCli(upstream, '--fail-on', 'error', '--report', file);
  expect(new URL(url).pathname).toBe('/v1');
  expect((await fetch(`${url}/pets`, { headers })).headers.has('sl-violations')).toBe(false);
  expect((await fetch(`${url}/pets?limit=0`, { headers })).headers.has('sl-violations')).toBe(true);
  const answered = fetch(`${url}/pets/1`, { headers });
  const brokenOff = expect(fetch(`${url}/pets/2`, { headers })).rejects.toThrow('fetch failed');
  await expect.poll(() => held.size).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('earlier');

  const begin = performance.now();
  child.kill('SIGTERM');
  await expect
    .poll(() => fetch(new URL('/__console', url)).catch(() => 'refused'), { timeout: 20_000 })
    .toBe('refused');
  child.kill('SIGINT');
  const type = { 'Content-Type': 'application/json' };
  held.get('/v1/pets/1')?.writeHead(200, type).end('{"id":1,"name":"Rex","categoryId":2}');
  expect((await answered).status).toBe(200);
  await brokenOff;
  const { stdout, stderr, exitCode } = await ended;
  const seconds = (performance.now() - begin) / 1_000;
  expect(seconds).toBeGreaterThan(4.9);
  expect(seconds).toBeLessThan(25);
  expect([stderr, exitCode]).toEqual(['', 1]);
  const lines = stdout.replace(listening, '').replaceAll(/^\d\d:\d\d:\d\d /gm, '');
  expect(lines.split('\n')).toEqual([
    `proxy violation error listPets request.query.limit minimum: ${message} (1 so far; GET /v1/pets?limit=0)`,
    '1 violation in 4 exchanges',
    '1 exchange given up by the client',
    'the gate (--fail-on error) is broken',
    '',
    ...table,
    `       ${curl(`${upstream}/pets`)}`,
    '',
  ]);
  expect(readJson(file)).toEqual({
    upstream,
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    failOn: 'error',
    passed: false,
    exchanges: 4,
    answered: 3,
    unanswered: 0,
    abandoned: 1,
    unjudgedBodies: 0,
    operations: [
      { operationId: 'listPets', exchanges: 2 },
      { operationId: 'getPet', exchanges: 2 },
    ],
    violations: [{ ...violation, message, count: 1, example: curl(`${upstream}/pets`) }],
  });
});

const certificates = join(import.meta.dirname, '../testing/certificates');
const [cert = '', key = ''] = ['localhost.pem', 'localhost-key.pem'].map((name) =>
  readFileSync(join(certificates, name), 'utf8'),
);

test('each option has its effect, and it ends although nobody reads its log', async () => {
  const server = createHttpsServer({ cert, key }, answerJson());
  const upstream = (await listen(server)).replace('http://127.0.0.1', 'https://localhost');
  const ca = join(certificates, 'ca.pem');
  const file = join(createFolder(), 'report.XML');
  const { child, url, waitFor } = await startProxyCli(
    upstream,
    ...['--ca', ca, '--host', '0.0.0.0', '--allow-host', 'app.test', '--errors', '--no-console'],
    ...['--log', 'json', '--fail-on', 'request-error', '--report', file],
  );
  expect(new URL(url).hostname).toBe('0.0.0.0');
  const get = (host: string) =>
    talk(
      url,
      `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n`,
    );
  expect(await get('app.test')).toMatch(/^HTTP\/1.1 200 /);
  expect(await get('other.test')).toMatch(/^HTTP\/1.1 403 /);
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect(await answer.json()).toMatchObject({ code: 'request_violation', status: 400 });
  const stdout = await waitFor(/^\{.*\}$/m);
  expect(stdout).not.toContain('console:');
  expect(JSON.parse(/^\{.*$/m.exec(stdout)?.[0] ?? '')).toMatchObject({
    ...{ from: 'proxy', violation: 'error', operation: 'listPets', place: 'request.query.limit' },
    ...{ rule: 'minimum', count: 1, method: 'GET', url: '/v1/pets?limit=0' },
  });
  await fillLog(child, url);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  const counts = 'tests="2" failures="1" errors="0"';
  const command = curl(`${upstream}/pets`).replace('-H', `--cacert '${ca}' -H`).replaceAll('"', '&quot;');
  const report = readFileSync(file, 'utf8').replaceAll(/(time|timestamp)="[^"]*"/g, '$1=""');
  expect(report.replaceAll(/x{9,}/g, '').split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="checked proxy before ${upstream}" ${counts} time="">`,
    `  <testsuite name="listPets" ${counts} skipped="0" timestamp="">`,
    '    <testcase classname="listPets" name="request.query.limit minimum">',
    '      <failure message="Request query parameter limit must be &gt;= 1">error, found 301 times in 302 exchanges',
    `${command}</failure>`,
    '    </testcase>',
    '    <testcase classname="listPets" name="request.query.x unknown-parameter">',
    '      <system-out>x is not a parameter of listPets',
    'warning, found 300 times in 302 exchanges',
    `${command.replace('limit=0', 'limit=0&amp;x=')}</system-out>`,
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('a command finds the proxy, and its exit code wins over the exit code of the gate', async () => {
  const upstream = await startUpstream(answerJson());
  const file = join(createFolder(), 'report.json');
  const program = `fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=0', { headers: { Authorization: 'Bearer k' } })
    .then(({ status }) => { console.log('answer', status); process.exitCode = 5 })`;
  const args = [upstream, '--port', '0', '--fail-on', 'error', '--report', file];
  const { stdout, stderr, exitCode } = await runCli([...args, '--', process.execPath, '-e', program], {
    bin,
  });
  expect([stderr, exitCode]).toEqual(['', 5]);
  expect(stdout).toMatch(/^checked proxy listening on .*\nanswer 200\n.*1 violation in 1 exchange\n/s);
  expect(readJson(file)).toMatchObject({ passed: false, exchanges: 1 });
});

test('check reads a HAR file from stdin, and prints each violation with its entry', () => {
  const url = 'https://api.example.com/v1/pets';
  const rows = [{ url: `${url}?limit=0` }, { url: 'https://cdn.example.com/logo.png' }];
  const lost = [{ headers: {} }, { content: { text: undefined, size: 9 } }];
  const har = printHar([...rows, ...lost].map(createEntry));
  const report = join(createFolder(), 'report.json');
  const args = [bin, 'check', '-', '--fail-on', 'response-error', '--report', report];
  const stdout = execFileSync(process.execPath, args, { input: har, encoding: 'utf8' });
  expect(stdout.split('\n')).toEqual([
    `09:30:00 violation error listPets request.query.limit minimum: ${message} (1 so far; log.entries[0] GET /v1/pets?limit=0)`,
    'stdin: 4 entries; left out: 1 of other addresses',
    'checked: https://api.example.com/v1',
    '1 body not in the file',
    '1 request without a key in the file, checked as if one was sent',
    '1 violation in 3 exchanges',
    '1 body could not be checked',
    'the gate (--fail-on response-error) is kept',
    '',
    ...table,
    '       log.entries[0], 2026-05-04T09:30:00.123Z',
    `       ${curl(url)}`,
    '',
  ]);
  const recorded = {
    index: 0,
    startedDateTime: '2026-05-04T09:30:00.123Z',
    origin: 'https://api.example.com',
  };
  expect(readJson(report)).toMatchObject({
    ...{ upstream: url.replace('/pets', ''), passed: true, exchanges: 3, unjudgedBodies: 1 },
    recording: { file: '-', entries: 4, otherAddresses: 1, bodiesNotRecorded: 1 },
    violations: [{ ...violation, message, count: 1, example: curl(url), recorded }],
  });
});
