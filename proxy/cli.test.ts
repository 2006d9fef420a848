import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { startCli } from '../tools/testing/run-cli.ts';
import { runProxy } from './run-proxy.ts';
import { answerJson, certificates, startSecureUpstream, startUpstream } from './testing/start-upstream.ts';

const bin = join(import.meta.dirname, 'bin.js');
const listening = /^checked proxy listening on (\S+)\nupstream: \S+\nconsole: /;
const headers = { Authorization: 'Bearer test-key' };

/** Starts the proxy in front of an upstream. */
async function startProxyCli(upstream: string, ...options: string[]) {
  const cli = startCli([upstream, '--port', '0', ...options], { bin });
  const [, url = ''] = listening.exec(await cli.waitFor(listening)) ?? [];
  return { ...cli, url };
}

/** Prints a command that sends a GET with a key to the proxy. */
const get = (path: string) => `curl -so /dev/null -H 'Authorization: Bearer k' "$ANIMAL_STORE_URL${path}"`;

/** Calls the command in this process, with a shell that runs commands and ends with an exit code. */
function runWith(args: readonly string[], commands: readonly string[], environment = {}, exitCode = 0) {
  const script = [...commands, `exit ${exitCode}`].join('; ');
  const all = [...args, '--port', '0', '--', 'sh', '-c', script];
  return callCommand('animal-store-proxy', runProxy, all, environment);
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('it lets open requests finish after SIGTERM, and ends with a verdict, a report and a HAR file', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const upstream = await startUpstream((request, response) => {
    if (request.url === '/v1/pets/1') held.resolve(response);
    else answerJson()(request, response);
  });
  const folder = createFolder({ 'report.json': 'earlier', 'traffic.har': 'earlier' });
  const [report, har] = [join(folder, 'report.json'), join(folder, 'traffic.har')];
  const options = ['--fail-on', 'error', '--report', report, '--har', har];
  const { child, ended, url } = await startProxyCli(upstream, ...options);
  for (const path of ['/pets', '/pets?limit=0']) await fetch(url + path, { headers });
  const answer = fetch(`${url}/pets/1`, { headers });
  const response = await held.promise;
  expect(readFileSync(har, 'utf8')).toBe('earlier');
  // A run that is killed leaves no report of an earlier one.
  expect(readJson(report)).toEqual({ passed: false, failure: 'The run has not ended.' });
  child.kill('SIGTERM');
  const isListening = () => fetch(new URL('/__console', url)).catch(() => 'refused');
  await expect.poll(isListening).toBe('refused');
  // A second signal breaks off nothing.
  child.kill('SIGINT');
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1,"name":"Rex","categoryId":2}');
  expect((await answer).status).toBe(200);
  const { stdout, stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 1]);
  expect(stdout).toContain(`\nreport: ${report}, written at the end\nHAR file: ${har}, written at the end\n`);
  expect(stdout).toMatch(/ proxy violation error listPets request\.query\.limit minimum: /);
  expect(stdout).toContain('\n1 violation in 3 exchanges\n');
  expect(stdout).toMatch(/\nFailed: violations found \(--fail-on error\)\.\n$/);
  expect(readJson(report)).toMatchObject({ passed: false, exchanges: 3, violations: [{ rule: 'minimum' }] });
  const checked = await callCommand('animal-store-proxy', runProxy, ['check', har, '--log', 'silent']);
  expect(checked.stdout).toContain('\n1 violation in 3 exchanges\n');
  // An agent reads each violation once, as JSON.
  const asAgent = await callCommand('animal-store-proxy', runProxy, ['check', har], { AI_AGENT: 'one' });
  expect(asAgent.stdout.match(/minimum(?=:|")/g)).toEqual(['minimum']);
});

test('its options have their effects', async () => {
  const upstream = await startSecureUpstream();
  const ca = join(certificates, 'ca.pem');
  const folder = createFolder();
  const [file, statuses] = [join(folder, 'report.XML'), join(folder, 'statuses')];
  const getFrom = (host: string, path: string) =>
    `${get(path)} -w '%{http_code} ' -H 'Host: ${host}' >> '${statuses}'`;
  const requests = [
    getFrom('app.test', '/pets'),
    getFrom('other.test', '/pets'),
    getFrom('app.test', '/pets?limit=0'),
  ];
  const flags = '--host 0.0.0.0 --allow-host app.test --block --log json --fail-on request-error';
  const args = [upstream, '--ca', ca, '--report', file, ...flags.split(' ')];
  const { stderr, exitCode } = await runWith(args, requests);
  expect(stderr).toMatch(/^checked proxy listening on http:\/\/0\.0\.0\.0:/);
  expect([exitCode, readFileSync(statuses, 'utf8')]).toEqual([1, '200 403 400 ']);
  const report = readFileSync(file, 'utf8');
  expect(report).toContain(`curl --cacert '${ca}' `);
  expect(report).toContain('error, count 1\n');
});

test('check reads a HAR file from stdin, prints each violation with its entry, and does not pass what is not in it', () => {
  const url = 'https://api.example.com/v1/pets';
  const rows = [{ url: `${url}?limit=0` }, { content: { text: undefined, size: 9 } }];
  const report = join(createFolder(), 'report.json');
  const args = [bin, 'check', '-', '--fail-on', 'response-error', '--report', report];
  const input = printHar(rows.map(createEntry));
  const { stdout, status } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^09:30:00 violation error listPets request\.query\.limit minimum: .*log\.entries\[0\] /,
  );
  expect(stdout).toContain('\nentries in stdin: 2\nchecked: https://api.example.com/v1\n');
  expect(stdout).toMatch(/ unchecked-body {2}-\n +log\.entries\[1\]\n +curl /);
  expect(readJson(report)).toMatchObject({ passed: false, recording: { file: '-', entries: 2 } });
});

test('a command finds the proxy, and its exit code wins over the exit code of --fail-on', async () => {
  const upstream = await startSecureUpstream();
  const file = join(createFolder(), 'report.json');
  const args = [upstream, '--insecure', '--fail-on', 'error', '--report', file];
  const { stdout, stderr, exitCode } = await runWith(args, [get('/pets?limit=0'), get('/nothing')], {}, 5);
  expect(exitCode).toBe(5);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^checked proxy listening on http:\/\/127\.0\.0\.1:\d+\/v1$/),
    `upstream: ${upstream}`,
    expect.stringMatching(/^console: http:\/\/127\.0\.0\.1:\d+\/__console\/#token=.{24}$/),
    '--fail-on error: violations of this level end the run with exit code 1',
    `report: ${file}, written at the end`,
    'animal-store-proxy: the command ended with exit code 5',
    '',
  ]);
  const lines = stdout.split('\n');
  expect(lines).toContain('2 violations in 2 exchanges');
  expect(lines).toContainEqual(expect.stringMatching(`^ +curl -k .*'${upstream}/nothing'$`));
  expect(readJson(file)).toMatchObject({ passed: false, exchanges: 2 });
});

test('a key in the path of the upstream is in no output and in no report', async () => {
  const upstream = (await startUpstream(answerJson())).replace('/v1', '/s3cr-path/v1');
  const file = join(createFolder(), 's3cr-path.json');
  const args = [upstream, '--fail-on', 'error', '--report', file];
  const { stdout, stderr, exitCode } = await runWith(args, [get('/pets?limit=0')], {
    ANIMAL_STORE_API_KEY: 's3cr-path',
  });
  expect(exitCode).toBe(1);
  expect(readJson(file).upstream).toBe(upstream.replace('s3cr-path', '[key]'));
  expect(stdout + stderr + readFileSync(file, 'utf8')).not.toContain('s3cr-path');
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
  const read = `entries in ${join(folder, '[key].har')}: 1\nchecked: https://api.example.com/[key]/v1\n`;
  expect(stdout).toContain(`\n${read}`);
  expect(readJson(report).recording.file).toBe(join(folder, '[key].har'));
  expect(stdout + readFileSync(report, 'utf8')).not.toContain('s3cr-path');
});

test.skipIf(!existsSync('/dev/full')).for([
  ['/pets?limit=0', 1, 'Failed: violations found (--fail-on error).'],
  ['/pets', 2, 'Passed.'],
] as const)(
  'a full disk hides no finding, and a failed run keeps its exit code: %s',
  async ([path, code, last]) => {
    const upstream = await startUpstream(answerJson());
    const args = [upstream, '--fail-on', 'error', '--report', '/dev/full'];
    const { stdout, stderr, exitCode } = await runWith(args, [get(path)]);
    const reason = 'no space left on device';
    const message = `\nanimal-store-proxy: the report could not be written to /dev/full: ${reason}\n`;
    expect(stderr).toContain(message);
    expect([stdout.endsWith(`\n${last}\n`), exitCode]).toEqual([true, code]);
  },
);

test.skipIf(!existsSync('/dev/full')).for([
  ['passed', '/pets', 2],
  ['failed', '/pets?limit=0', 1],
] as const)('traffic that could not be written ends a run that %s %s with %i', async ([, path, code]) => {
  const { stderr, exitCode } = await runWith(
    [await startUpstream(answerJson()), '--har', '/dev/full', '--fail-on', 'error'],
    [get(path)],
  );
  expect([exitCode, stderr]).toEqual([
    code,
    expect.stringContaining('the HAR file could not be written to /dev/full'),
  ]);
});

test('in CI no address of the console is printed, and the summary of a job on GitHub gets the findings', async () => {
  const upstream = await startUpstream(answerJson());
  const summary = join(createFolder({ 'summary.md': 'Earlier.\n' }), 'summary.md');
  const { stderr } = await runWith([upstream], [get('/pets')], { CI: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(stderr).not.toContain('console:');
  expect(readFileSync(summary, 'utf8')).toMatch(/^Earlier\.\n\n### Checked traffic\n.*\ncoverage: 2 of /s);
});
