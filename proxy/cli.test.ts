import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { talk } from '../tools/testing/exchange-raw.ts';
import { fillLog, runCli, startCli } from '../tools/testing/run-cli.ts';
import { startCheckedProxy } from './index.ts';
import { runProxy } from './run-proxy.ts';
import { printRequest } from './testing/start-test-proxy.ts';
import { answerJson, certificates, startSecureUpstream, startUpstream } from './testing/start-upstream.ts';

const bin = join(import.meta.dirname, 'bin.js');

const listening =
  /^checked proxy listening on (\S+)\nupstream: \S+\n(?:(?:console:|report:|HAR file:|--fail-on) [^\n]+\n)*/;

const headers = { Authorization: 'Bearer test-key' };
const message = 'Request query parameter limit must be >= 1';
const rule = { place: 'request.query.limit', rule: 'minimum' };
const received = '"0"';
const location = ['request', 'query', 'limit'];
const violation = {
  operationId: 'listPets',
  severity: 'error',
  location,
  ...rule,
  message,
  received,
  count: 1,
};
const columns = 'count  severity  operation  place                rule     received';
const table = [columns, '    1  error     listPets   request.query.limit  minimum  "0"'];
const curl = (url: string) => `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${url}?limit=0'`;

/** Starts the proxy in front of an upstream. */
async function startProxyCli(upstream: string, ...options: string[]) {
  const cli = startCli([upstream, '--port', '0', ...options], { bin });
  const [, url = ''] = listening.exec(await cli.waitFor(listening)) ?? [];
  return { ...cli, url };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the lines of a report with one for the coverage, which print-report.test.ts has as a whole. */
function shortenCoverage(report: string): string[] {
  return report.replace(/^coverage: .*\n(?: {2}\w+: .*\n)+/m, 'coverage\n').split('\n');
}

test('it prints violations, gives open requests 5 s after SIGTERM, and ends with a verdict and a report', async () => {
  const held = new Map<string, ServerResponse>();
  const upstream = await startUpstream((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/v1/pets/')) held.set(url, response);
    else answerJson()(request, response);
  });
  const file = join(createFolder({ 'report.json': 'earlier' }), 'report.json');
  const { child, ended, url } = await startProxyCli(upstream, '--fail-on', 'error', '--report', file);
  expect(new URL(url).pathname).toBe('/v1');
  await fetch(`${url}/pets`, { headers });
  await fetch(`${url}/pets?limit=0`, { headers });
  const first = fetch(`${url}/pets/1`, { headers });
  const brokenOff = expect(fetch(`${url}/pets/2`, { headers })).rejects.toThrow('fetch failed');
  await expect.poll(() => held.size).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('earlier');

  const begin = performance.now();
  child.kill('SIGTERM');
  const isListening = () => fetch(new URL('/__console', url)).catch(() => 'refused');
  await expect.poll(isListening).toBe('refused');
  child.kill('SIGINT');
  const type = { 'Content-Type': 'application/json' };
  held.get('/v1/pets/1')?.writeHead(200, type).end('{"id":1,"name":"Rex","categoryId":2}');
  expect((await first).status).toBe(200);
  await brokenOff;
  const { stdout, stderr, exitCode } = await ended;
  const seconds = (performance.now() - begin) / 1_000;
  expect(seconds).toBeGreaterThan(4.9);
  expect(seconds).toBeLessThan(25);
  expect([stderr, exitCode]).toEqual(['', 1]);
  const lines = stdout.replace(listening, '').replaceAll(/^\d\d:\d\d:\d\d /gm, '');
  expect(shortenCoverage(lines)).toEqual([
    `proxy violation error listPets request.query.limit minimum: ${message}; received "0" (1 so far, next line at 2, GET /v1/pets?limit=0)`,
    ...table,
    `       ${curl(`${upstream}/pets`)}`,
    '',
    '1 violation in 4 exchanges',
    '1 exchange given up by the client',
    'coverage',
    'Failed: violations found (--fail-on error).',
    '',
  ]);
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const run = { upstream, startedAt: time, endedAt: time, failOn: 'error', passed: false };
  const answered = { exchanges: 4, answered: 3, succeeded: 3, refused: 0 };
  const counts = { ...answered, faults: 0, failures: [], unanswered: 0, abandoned: 1 };
  expect(readJson(file)).toEqual({
    ...run,
    ...counts,
    coverage: expect.objectContaining({ listPets: 2, 'getPet:404': 0 }),
    operations: ['listPets', 'getPet'].map((operationId) => ({ operationId, exchanges: 2 })),
    violations: [{ ...violation, expected: '1', example: curl(`${upstream}/pets`) }],
  });
});

test('each option has its effect, and it ends although nobody reads its log', async () => {
  const upstream = await startSecureUpstream();
  const ca = join(certificates, 'ca.pem');
  const file = join(createFolder(), 'report.XML');
  const flags = '--host 0.0.0.0 --allow-host app.test --block --log json';
  const options = ['--ca', ca, '--report', file, '--fail-on', 'request-error', ...flags.split(' ')];
  const { child, url, waitFor } = await startProxyCli(upstream, ...options);
  expect(new URL(url).hostname).toBe('0.0.0.0');
  const get = async (path: string, host: string) => {
    const request = printRequest(`GET ${path}`, ['Authorization: Bearer k', 'Connection: close']);
    return (await talk(url, request.replace('localhost', host))).slice(9, 12);
  };
  expect(await get('/v1/pets', 'app.test')).toBe('200');
  expect(await get('/v1/pets', 'other.test')).toBe('403');
  expect(await get('/v1/pets?limit=0', 'app.test')).toBe('400');
  const stdout = await waitFor(/^\{.*limit=0.*\}$/m);
  const logged = { from: 'proxy', violation: 'error', operation: 'listPets', ...rule, count: 1 };
  const line = JSON.parse(/^\{.*$/m.exec(stdout)?.[0] ?? '');
  expect(line).toMatchObject({ ...logged, method: 'GET', url: '/v1/pets?limit=0' });
  await fillLog(child, url);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  const command = curl(`${upstream}/pets`).replace('-H', `--cacert '${ca}' -H`).replaceAll('"', '&quot;');
  const report = readFileSync(file, 'utf8')
    .replaceAll(/x{9,}/g, '')
    .replace(/ {2}<testsuite name="coverage".*?<\/testsuite>\n/s, '')
    .replace(/time="\d+\.\d{3}"/, 'time="0.000"')
    .replace(/timestamp="[\dT:-]{19}"/, 'timestamp="2026-05-04T09:30:00"');
  expect(report.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="checked proxy for ${upstream}" tests="5" failures="1" errors="0" time="0.000">`,
    '  <testsuite name="listPets" tests="2" failures="1" errors="0" skipped="0" timestamp="2026-05-04T09:30:00">',
    '    <testcase classname="listPets" name="request.query.limit minimum">',
    '      <failure message="Request query parameter limit must be &gt;= 1; received &quot;0&quot;">error, count 301, exchanges 302',
    `${command}</failure>`,
    '    </testcase>',
    '    <testcase classname="listPets" name="request.query.x unknown-parameter">',
    '      <system-out>x is not a parameter of listPets; received a string of 10000 characters',
    'warning, count 300, exchanges 302',
    `${command.replace('limit=0', 'limit=0&amp;x=')}</system-out>`,
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('a command finds the proxy, and its exit code wins over the exit code of --fail-on', async () => {
  const upstream = await startSecureUpstream();
  const file = join(createFolder(), 'report.json');
  const program = `const headers = { Authorization: 'Bearer k' };
    for (const path of ['pets?limit=0', 'nothing'])
      console.log((await fetch(process.env.ANIMAL_STORE_URL + '/' + path, { headers })).status);
    process.exitCode = 5;`;
  const options = ['--insecure', '--port', '0', '--fail-on', 'error', '--report', file];
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr, exitCode } = await runCli([upstream, ...options, ...command], { bin });
  expect([stderr, exitCode]).toEqual(['animal-store-proxy: the command ended with exit code 5\n', 5]);
  const printed = shortenCoverage(stdout.replaceAll(/^\d\d:\d\d:\d\d /gm, ''));
  expect(printed.filter((line) => line === '200')).toHaveLength(2);
  // The command and the proxy print in no order.
  const [first = '', ...lines] = printed.filter((line) => line !== '200');
  const origin = first.replace('checked proxy listening on ', '').replace('/v1', '');
  expect(first).toBe(`checked proxy listening on ${origin}/v1`);
  const key = `-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"`;
  expect(lines).toEqual([
    `upstream: ${upstream}`,
    expect.stringMatching(`^console: ${origin}/__console/#token=.{24}$`),
    '--fail-on error: violations of this level end the run with exit code 1',
    `report: ${file}, written at the end`,
    `proxy violation error listPets request.query.limit minimum: ${message}; received "0" (1 so far, GET /v1/pets?limit=0)`,
    'proxy violation warning - request unknown-path: The contract has no such path, only /pets and /pets/{petId} under the base URL; received GET /v1/nothing (1 so far, GET /v1/nothing)',
    'count  severity  operation  place                rule          received',
    '    1  error     listPets   request.query.limit  minimum       "0"',
    `       curl -k ${key} '${upstream}/pets?limit=0'`,
    '    1  warning   -          request              unknown-path  GET /v1/nothing',
    `       curl -k ${key} '${upstream}/nothing'`,
    '',
    '2 violations in 2 exchanges',
    'coverage',
    'Failed: violations found (--fail-on error).',
    '',
  ]);
  expect(readJson(file)).toMatchObject({ passed: false, exchanges: 2 });
});

test('a service that answers everything with 500 and a page fails a gate around a command that passes', async () => {
  const upstream = await startUpstream((_request, response) =>
    response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>500</h1>'),
  );
  const file = join(createFolder(), 'report.json');
  const program = `const headers = { Authorization: 'Bearer k' };
    for (const path of ['/pets/1', '/pets', '/pets?limit=2'])
      await fetch(process.env.ANIMAL_STORE_URL + path, { headers });`;
  const flags = '--port 0 --log silent --fail-on error --report'.split(' ');
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr, exitCode } = await runCli([upstream, ...flags, file, ...command], { bin });
  expect([stderr, exitCode]).toEqual(['', 1]);
  const exampleOf = (path: string) => `       ${curl(`${upstream}${path}`).replace('?limit=0', '')}`;
  const listed = exampleOf('/pets');
  const fetched = exampleOf('/pets/1');
  expect(shortenCoverage(stdout).slice(1)).toEqual([
    `upstream: ${upstream}`,
    expect.stringMatching(/^console: /),
    '--fail-on error: violations of this level end the run with exit code 1',
    `report: ${file}, written at the end`,
    'count  severity  operation  place          rule          received',
    ...['    2  error     listPets   response       server-error  500', listed],
    ...['    2  error     listPets   response.body  error-body    "<h1>500</h1>"', listed],
    ...['    1  error     getPet     response       server-error  500', fetched],
    ...['    1  error     getPet     response.body  error-body    "<h1>500</h1>"', fetched],
    '',
    '6 violations in 3 exchanges',
    'no request of the contract succeeded',
    'coverage',
    'Failed: violations found (--fail-on error).',
    '',
  ]);
  expect(readJson(file)).toMatchObject({ passed: false, exchanges: 3, answered: 3, succeeded: 0 });
});

test('a wrong option ends the process with 2 and one line on stderr', async () => {
  const ended = await runCli(['http://127.0.0.1:9/v1', '--port', 'x'], { bin });
  const stderr = 'animal-store-proxy: --port must be an integer from 0 to 65535, not "x"\n';
  expect(ended).toEqual({ stdout: '', stderr, exitCode: 2 });
});

test('a key in the path of the upstream is in no output and in no report', async () => {
  const upstream = (await startUpstream(answerJson())).replace('/v1', '/s3cr-path/v1');
  const file = join(createFolder(), 's3cr-path.json');
  const program = "await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=0')";
  const flags = '--port 0 --fail-on error --report'.split(' ');
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const environment = { ANIMAL_STORE_API_KEY: 's3cr-path' };
  const result = await runCli([upstream, ...flags, file, ...command], { bin, environment });
  expect(result.exitCode).toBe(1);
  expect(readJson(file).upstream).toBe(upstream.replace('s3cr-path', '[key]'));
  expect(result.stdout + result.stderr + readFileSync(file, 'utf8')).not.toContain('s3cr-path');
});

test('a key in the base URL of a HAR file is in no output and in no report', async () => {
  const base = 'https://api.example.com/s3cr-path/v1';
  const har = printHar([createEntry({ url: `${base}/pets?limit=0` })]);
  const folder = createFolder({ 's3cr-path.har': har });
  const report = join(folder, 'report.json');
  const options = ['--base-url', base, '--api-key', 's3cr-path', '--report', report];
  const args = ['check', join(folder, 's3cr-path.har'), ...options];
  const { stdout, stderr, exitCode } = await callCommand('animal-store-proxy', runProxy, args);
  expect([stderr, exitCode]).toEqual(['', 0]);
  const read = `${join(folder, '[key].har')}: 1 entry\nchecked: https://api.example.com/[key]/v1\n`;
  expect(stdout).toContain(`\n${read}`);
  expect(readJson(report).recording.file).toBe(join(folder, '[key].har'));
  expect(readJson(report).upstream).toBe('https://api.example.com/[key]/v1');
  expect(stdout + readFileSync(report, 'utf8')).not.toContain('s3cr-path');
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk hides no finding, and a failed run keeps its exit code',
  async () => {
    const upstream = await startSecureUpstream();
    const program = `const headers = { Authorization: 'Bearer k' };
    await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=' + process.argv[1], { headers })`;
    const run = async (limit: number) => {
      const options = ['--insecure', '--port', '0', '--fail-on', 'error', '--report', '/dev/full'];
      const command = ['--', process.execPath, '--input-type=module', '-e', program, `${limit}`];
      // Both outputs go to one pipe, as on a terminal.
      const words = ['-c', '"$0" "$@" 2>&1', process.execPath, bin, upstream, ...options, ...command];
      const { stdout, code = 0 } = await promisify(execFile)('sh', words).catch((error) => error);
      return { lines: stdout.trimEnd().split('\n'), code };
    };
    const reason = 'ENOSPC: no space left on device, write';
    const failure = `animal-store-proxy: the report could not be written to /dev/full: ${reason}`;
    const failed = await run(0);
    expect(failed.code).toBe(1);
    expect(failed.lines.slice(-2)).toEqual(['Failed: violations found (--fail-on error).', failure]);
    const passed = await run(1);
    expect(passed.code).toBe(2);
    expect(passed.lines.slice(-2)).toEqual(['Passed.', failure]);
  },
);

test('--require fails a run that did not reach a point', async () => {
  const upstream = await startSecureUpstream();
  const program = "await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=2')";
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const points = ['--require', 'createPet:400', '--require', 'listPets:200,listPets?limit'];
  const failed = await runCli([upstream, '--insecure', '--port', '0', ...points, ...command], { bin });
  expect(failed).toMatchObject({ stderr: '', exitCode: 1 });
  expect(failed.stdout).toMatch(/\nFailed: not reached: createPet:400 \(--require\)\.\n$/);
});

test('check reads a HAR file from stdin, prints each violation with its entry, and does not pass what is not in it', () => {
  const url = 'https://api.example.com/v1/pets';
  const rows = [{ url: `${url}?limit=0` }, { url: 'https://cdn.example.com/logo.png' }];
  const lost = [
    { headers: {} },
    { content: { text: undefined, size: 9 } },
    { entry: { _fromCache: 'disk' } },
  ];
  const har = printHar([...rows, ...lost].map(createEntry));
  const report = join(createFolder(), 'report.json');
  const args = [bin, 'check', '-', '--fail-on', 'response-error', '--report', report];
  const { stdout, status } = spawnSync(process.execPath, args, { input: har, encoding: 'utf8' });
  expect(status).toBe(1);
  const listed = (entry: number, line: string) => [
    `       log.entries[${entry}], 2026-05-04T09:30:00.123Z`,
    `       ${line}`,
  ];
  const getPets = curl(url).replace('?limit=0', '');
  expect(shortenCoverage(stdout)).toEqual([
    `09:30:00 violation error listPets request.query.limit minimum: ${message}; received "0" (1 so far, log.entries[0] GET /v1/pets?limit=0)`,
    '09:30:00 violation error listPets response.body unchecked-body: The body could not be checked: the recording does not have all of it (1 so far, log.entries[3] GET /v1/pets)',
    'stdin: 5 entries; left out: 1 of other addresses',
    'checked: https://api.example.com/v1',
    '1 body not in the file',
    '1 request without a key in the file, checked as if one was sent',
    ...['count  severity  operation  place                rule            received'],
    ...['    1  error     listPets   request.query.limit  minimum         "0"', ...listed(0, curl(url))],
    ...['    1  error     listPets   response.body        unchecked-body  -', ...listed(3, getPets)],
    '',
    '2 violations in 3 exchanges',
    '1 entry answered by the cache or a service worker',
    'coverage',
    'Failed: violations found (--fail-on response-error).',
    '',
  ]);
  const origin = 'https://api.example.com';
  const recorded = { index: 0, startedDateTime: '2026-05-04T09:30:00.123Z', origin };
  expect(readJson(report)).toMatchObject({
    upstream: `${origin}/v1`,
    passed: false,
    exchanges: 3,
    recording: { file: '-', entries: 5, otherAddresses: 1, fromCache: 1, bodiesNotRecorded: 1 },
    violations: [{ ...violation, example: curl(url), recorded }, { rule: 'unchecked-body' }],
  });
});

const list = JSON.stringify([{ id: 'a' }, { id: 'b' }]);

test('next to a command, a rule is one line of the log, and the summary counts it', async () => {
  const upstream = await startUpstream(answerJson(list));
  const program = `const headers = { Authorization: 'Bearer k' };
    for (const limit of [5, 6, 7]) await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=' + limit, { headers });`;
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const run = (...options: string[]) =>
    callCommand('animal-store-proxy', runProxy, [upstream, '--port', '0', ...options, ...command]);
  const { stdout } = await run();
  const lines = stdout.split('\n').filter((line) => line.includes(' proxy violation '));
  expect(lines.map((line) => line.replace(/^.*listPets (.*): .* (\(.* so far).*$/, '$1 $2'))).toEqual([
    'response.body.*.name required (2 so far',
    'response.body.*.categoryId required (2 so far',
    'response.body.*.id type (2 so far',
  ]);
  expect(stdout).toMatch(/^ {4}6 {2}error {5}listPets {3}response\.body\.\*\.id /m);
  const json = await run('--log', 'json');
  expect(json.stdout.match(/^\{.*\}$/gm)).toHaveLength(9);
});

test('without a command, a rule is logged again when its count has doubled, and the line says when', async () => {
  const upstream = await startUpstream(answerJson(list));
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const proxy = await startCheckedProxy({ upstream, log: 'pretty', write });
  const requests = 11;
  for (let sent = 0; sent < requests; sent += 1)
    await fetch(`${proxy.url}/pets?limit=${sent % 2}`, { headers });
  await proxy.close();
  const readCounts = (rule: string) =>
    lines.flatMap((line) => (line.includes(rule) ? [/\((.*), GET/.exec(line)?.[1]] : []));
  expect(readCounts('request.query.limit minimum')).toEqual([
    '1 so far, next line at 2',
    '2 so far, next line at 4',
    '4 so far, next line at 8',
  ]);
  // Two animals of each list break it.
  expect(readCounts('response.body.*.id type')).toEqual([
    '2 so far, next line at 4',
    '4 so far, next line at 8',
    '8 so far, next line at 16',
    '16 so far, next line at 32',
  ]);
});

test.for<[upstream: string, reason: string | RegExp]>([
  ['http://127.0.0.1:9/v1', 'connect ECONNREFUSED 127.0.0.1:9; nothing listens there'],
  ['http://nohost.invalid/v1', /(?:ENOTFOUND|EAI_AGAIN) nohost.invalid; there is no such host/],
])('an upstream %s that is down has its reason in the log and in the summary', async ([upstream, reason]) => {
  const program = `for (const id of [1, 2]) await fetch(process.env.ANIMAL_STORE_URL + '/pets/' + id, {
    headers: { Authorization: 'Bearer k' } });`;
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const args = [upstream, '--port', '0', '--fail-on', 'error', ...command];
  const { stdout, exitCode } = await callCommand('animal-store-proxy', runProxy, args);
  expect(exitCode).toBe(2);
  const [inLog, ...others] = stdout.split('\n').filter((line) => / proxy no response: /.test(line));
  expect(others).toEqual([]);
  expect(inLog).toMatch(reason);
  const [, inSummary = ''] =
    /\n2 exchanges without a response from the upstream\n(.*) \(2\)\n/.exec(stdout) ?? [];
  expect(inSummary).toMatch(reason);
});

test('in CI no address of the console is printed, and the summary of a job on GitHub has the coverage', async () => {
  const upstream = await startUpstream(answerJson('[]'));
  const summary = join(createFolder({ 'summary.md': 'Earlier.\n' }), 'summary.md');
  const program = `await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=500&page=1|2', {
    headers: { Authorization: 'Bearer k' } });`;
  const args = [upstream, '--port', '0', '--fail-on', 'error', '--', process.execPath];
  const run = (environment: Record<string, string>) =>
    callCommand('animal-store-proxy', runProxy, [...args, '--input-type=module', '-e', program], environment);
  const { stdout, stderr } = await run({ CI: 'true', GITHUB_STEP_SUMMARY: summary });
  expect([stdout.includes('console:'), stderr]).toEqual([false, '']);
  const text = readFileSync(summary, 'utf8');
  expect(text).toMatch(
    /^Earlier\.\n\n\*\*Checked traffic: Failed: violations found \(--fail-on error\)\.\*\*\n/,
  );
  expect(text).toContain('`request.query.limit` `maximum` | "500" |\n');
  expect(text).toContain(' | "1\\|2" |\n');
  expect(text).toMatch(
    /\ncoverage: 2 of \d+ points of the contract\n\nlistPets: 1 \(:200 1\), without \?limit /,
  );
  expect((await run({ CI: 'false' })).stdout).toContain('\nconsole: ');
});

test.for(['SIGTERM', 'SIGINT'] as const)(
  '--har writes the traffic until %s, and check finds the same in it',
  async (signal) => {
    const file = join(createFolder({ 'traffic.har': 'earlier' }), 'traffic.har');
    const { child, ended, url } = await startProxyCli(await startUpstream(answerJson()), '--har', file);
    for (const query of ['', '?limit=0', '?limit=0']) await fetch(`${url}/pets${query}`, { headers });
    expect(readFileSync(file, 'utf8')).toBe('earlier');
    child.kill(signal);
    const { stdout, exitCode } = await ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`\nHAR file: ${file}, written at the end\n`);
    const checked = await callCommand('animal-store-proxy', runProxy, ['check', file, '--log', 'silent']);
    const found = /^ {4}2 {2}error {5}listPets {3}request\.query\.limit {2}minimum {2}"0"$/m;
    for (const output of [stdout, checked.stdout]) expect(output).toMatch(found);
    expect(checked.stdout).toContain(`${file}: 3 entries`);
  },
);

test('if the command cannot be started, an earlier HAR file stays', async () => {
  const folder = createFolder({ 'traffic.har': 'earlier' });
  const file = join(folder, 'traffic.har');
  const options = ['http://127.0.0.1:1/v1', '--port', '0', '--har', file, '--', 'no-such-program'];
  const { exitCode } = await callCommand('animal-store-proxy', runProxy, options);
  expect(exitCode).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('earlier');
  expect(readdirSync(folder)).toEqual(['traffic.har']);
});

test.for([
  ['-', '--har: - is not the path of a file. Name a file.'],
  ['/dev/stdout', '--har: /dev/stdout has other output too. Name a file.'],
] as const)('%s is refused as a HAR file', async ([file, message]) => {
  const options = ['http://127.0.0.1:1/v1', '--port', '0', '--har', file, '--', 'no-such-program'];
  const { exitCode, stderr } = await callCommand('animal-store-proxy', runProxy, options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `animal-store-proxy: ${message}\n` });
});

test('a HAR file that cannot be written is refused at the start', async () => {
  const folder = join(createFolder(), 'missing');
  const options = ['http://127.0.0.1:1/v1', '--har', join(folder, 'traffic.har')];
  const { exitCode, stderr } = await callCommand('animal-store-proxy', runProxy, options);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`--har: ${join(folder, 'traffic.har')} could not be written: ENOENT`);
});
