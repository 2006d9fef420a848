import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import { answerWith, change, combine } from './deployments/changes.ts';
import { always, isList } from './deployments/messages.ts';
import { createError } from './deployments/replies.ts';
import { reporters } from './reporters/reporters.ts';
import { isFailure, type Report } from './runner/report.ts';
import { announce, createFile, only, required } from './testing/command-words.ts';
import { noMaximum, runCommand, startForTest, zeroRedirects } from './testing/run-suite.ts';

/** Leaves out the progress, which a slow machine prints. */
const withoutProgress = (stderr: string) => stderr.replaceAll(/^… .*\n/gm, '');

/** Creates the options that write every report to a file, and a function that reads the files. */
function createReports() {
  const files = Object.keys(reporters).map((name) => [name, createFile(name)] as const);
  return {
    choices: files.flatMap(([name, file]) => ['--reporter', `${name}=${file}`]),
    readTexts: () => Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')])),
  };
}

test('reports are written to the chosen files with the same counts, without any form of the key', async () => {
  const key = 'sEcret-Key-9xQz';
  const { choices, readTexts } = createReports();
  // Any key is accepted, so that every form that a clause makes of it is shown.
  const authorization = `Bearer ${key}`;
  const acceptAll = change.request(always, ({ headers }) => ({ headers: { ...headers, authorization } }));
  const createAnswer = combine([noMaximum.createAnswer, acceptAll]);
  const url = await startForTest({ options: { apiKeys: [key] }, createAnswer });
  const args = [url, '--allow-writes', '--verbose', ...choices];
  const summary = createFile('summary.md');
  writeFileSync(summary, '# Of an earlier step\n');
  const environment = { GITHUB_STEP_SUMMARY: summary };
  const ended = await runCommand([...args, '--header', 'X-Gateway: GatewaySecret'], key, environment);
  expect(ended.exitCode).toBe(1);
  const texts = readTexts();
  const base64 = Buffer.from(`${key}:`).toString('base64');
  const changed = ['SeCRET-kEY-9XqZ', 'sEcret-aey-9xQz', key.slice(0, -1), key.slice(1)];
  const secrets = [key, ...changed, base64, 'GatewaySecret'].map((secret) => secret.toLowerCase());
  expect(readFileSync(summary, 'utf8')).toBe(`# Of an earlier step\n\n${texts.markdown}`);
  // A report in a file does not replace the terminal's.
  expect(ended.stdout).toBe(texts.terminal);
  for (const text of [ended.stderr, ...Object.values(texts)])
    expect(secrets.filter((secret) => text.toLowerCase().includes(secret))).toEqual([]);
  const json = JSON.parse(texts.json ?? '') as Report;
  expect(json).toMatchObject({ version: 3, verdict: 'does not conform', baseUrl: url });
  expect(new Set(json.added).size).toBe(json.animalsAdded);
  const failed = json.outcomes.filter(isFailure);
  const [trace] = failed.flatMap(({ evidence, follows }) => (follows ? [] : (evidence?.traceId ?? [])));
  expect(trace).toMatch(/^[\da-f]{32}$/);
  for (const text of [texts.terminal, texts.html]) expect(text).toContain(`trace ${trace}`);
  const findings = failed.filter(({ follows }) => follows === undefined);
  const counts = `${json.tested - failed.length} passed, ${failed.length} failed in ${findings.length} findings, ${json.required - json.tested} not tested`;
  expect(texts.terminal).toContain(`\n${counts}. Recommendations: `);
  const lines = ended.stdout.split('\n');
  for (const line of [lines[0], lines.at(-2)]) expect(texts.github).toContain(line);
  expect(texts.junit).toMatch(RegExp(`<testsuites [^>]*tests="${json.tested}" failures="${failed.length}"`));
  expect(texts.html).toMatch(RegExp(`^<!doctype html>.*does not conform.*>Failed <b>${failed.length}<`, 's'));
  expect(texts.html).not.toMatch(/(?:src|href)="(?!#)/);
  for (const { clause, follows } of failed) {
    // A failure that probably has the same reason is under its finding.
    expect(texts.github?.includes(`::${clause.id}: expected `)).toBe(follows === undefined);
    for (const text of [texts.github, texts.terminal, texts.markdown]) expect(text).toContain(clause.id);
    if (follows !== undefined)
      expect(texts.junit).toContain(`message="perhaps the same reason as ${follows}: `);
  }
  expect(failed.map(({ clause }) => clause.id)).toContain('list-pets/limit-is-a-maximum');
});

test('without a verdict every report has the reason, and the terminal prints it once', async () => {
  const reply = { status: 429, headers: { 'retry-after': '3600' }, body: '' };
  const url = await startForTest({ createAnswer: () => async () => reply });
  const { choices, readTexts } = createReports();
  const args = [url, ...choices, '--reporter', 'github', ...only('list-pets/success')];
  const ended = await runCommand(args, 'sEcret-Key-9xQz');
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  const texts = readTexts();
  for (const text of [ended.stdout, ...Object.values(texts)]) {
    expect(text).toContain('no verdict');
    expect(text).toContain('returned 429, Too Many Requests');
    expect(text).not.toContain('sEcret');
  }
  expect(JSON.parse(texts.json ?? '')).toMatchObject({
    verdict: 'no verdict',
    tested: 0,
    outcomes: [],
    options: { only: ['list-pets/success'] },
  });
  expect(texts.junit).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="1"/);
  expect(ended.stdout).toMatch(/^::error title=no verdict::/);
  const { stdout, stderr } = await runCommand([url]);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('returned 429')]);
});

const nowhere = 'http://127.0.0.1:9/v1';

test.for<[title: string, key: string, args: string[], reason: string]>([
  ['the base URL is missing', 'sEcret-Key-9xQz', [], 'The base URL is missing.'],
  ['the key is missing', '', [nowhere], 'The API key is missing.'],
  ['an option is unknown', 'sEcret-Key-9xQz', [nowhere, '--retrys', '1'], "unknown option '--retrys'"],
  ['a value is wrong', 'sEcret-Key-9xQz', [nowhere, '--settle', 'sEcret-Key-9xQz'], '--settle must be '],
  [
    'a file cannot be read',
    'sEcret-Key-9xQz',
    [nowhere, '--known', '/nowhere/sEcret-Key-9xQz.yaml'],
    '--known: /nowhere/[key].yaml could not be read',
  ],
  [
    'the command for the key fails',
    '',
    [nowhere, '--api-key-command', `"${process.execPath}" -e "process.exit(7)"`],
    '--api-key-command ended with 7',
  ],
])('if %s, no report of an earlier run stays, and each new one has the reason', async (row) => {
  const [, key, args, reason] = row;
  const { choices, readTexts } = createReports();
  for (const choice of choices.filter((word) => word.includes('=')))
    writeFileSync(choice.replace(/^\w+=/, ''), 'conforms');
  const summary = createFile('summary.md');
  writeFileSync(summary, '# Of an earlier step\n');
  const all = [...args, ...choices, '--reporter=github'];
  const ended = await runCommand(all, key, { GITHUB_STEP_SUMMARY: summary });
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  expect(ended.stderr).toContain(reason);
  expect(ended.stdout).toMatch(/^::error title=no verdict::/);
  const texts = readTexts();
  expect(readFileSync(summary, 'utf8')).toBe(`# Of an earlier step\n\n${texts.markdown}`);
  const { html, json, junit, markdown, ...others } = texts;
  expect(JSON.parse(json ?? '')).toMatchObject({
    verdict: 'no verdict',
    reason: expect.stringContaining(reason),
    outcomes: [],
  });
  expect(junit).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="1"/);
  for (const text of [ended.stdout, ...Object.values(others)])
    expect(text).toContain(`The run has no verdict: ${reason}`);
  for (const text of [ended.stdout, ...Object.values(texts)]) {
    expect(text).toContain('no verdict');
    expect(text).not.toContain('sEcret');
  }
});

test('a file that another option names, and one that cannot be written, stay as they are if the run cannot start', async () => {
  const folder = createFolder({ 'given.json': 'earlier' });
  const [given, junit] = [join(folder, 'given.json'), join(folder, 'report.xml')];
  const reporters = ['--reporter', `json=${given}`, '--reporter', `junit=${junit}`];
  for (const option of ['--known', '--har']) {
    for (const other of [[option, given], [`${option}=${relative('.', given)}`]]) {
      writeFileSync(junit, 'earlier');
      const ended = await runCommand([nowhere, ...reporters, ...other], '');
      expect([ended.exitCode, other, readFileSync(given, 'utf8')]).toEqual([2, other, 'earlier']);
      expect(readFileSync(junit, 'utf8')).toContain('The API key is missing.');
    }
  }
  const unwritable = [
    '--reporter',
    `json=${join(folder, 'none', 'report.json')}`,
    '--reporter',
    `junit=${junit}`,
  ];
  writeFileSync(junit, 'earlier');
  const ended = await runCommand([nowhere, ...unwritable]);
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('--reporter: ')]);
  expect(readFileSync(junit, 'utf8')).toContain('could not be written: no such file');
});

test('a report that is named twice in two files may be no other file of the run', async () => {
  const folder = createFolder({ 'given.har': 'earlier' });
  const [given, other] = [join(folder, 'given.har'), join(folder, 'other.json')];
  const reporters = [given, other].flatMap((file) => ['--reporter', `json=${file}`]);
  const { exitCode, stderr } = await runCommand([nowhere, '--har', given, ...reporters]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('name the same file')]);
  expect(readFileSync(given, 'utf8')).toBe('earlier');
});

test('until a run ends, its report says so in place of that of an earlier run', async () => {
  const file = createFile('report.json');
  writeFileSync(file, 'conforms');
  const during: string[] = [];
  const note = change.request(always, (request) => {
    during.push(readFileSync(file, 'utf8'));
    return request;
  });
  const url = await startForTest({ createAnswer: note });
  await runCommand([url, ...only('list-pets/success'), '--reporter', `json=${file}`]);
  expect(JSON.parse(during[0] ?? '')).toMatchObject({
    verdict: 'no verdict',
    reason: 'The run has not ended.',
  });
});

test('the list of clauses and the help write no report', async () => {
  for (const args of [['--list'], ['--help']]) {
    const file = createFile('report.json');
    await runCommand([nowhere, ...args, '--reporter', `json=${file}`]);
    expect([args, existsSync(file)]).toEqual([args, false]);
  }
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk hides neither the verdict nor the other files',
  async () => {
    const good = await startForTest();
    const bad = await startForTest(zeroRedirects);
    // A path may have the key in it.
    const folder = createFolder();
    const full = join(folder, 'test-key');
    symlinkSync('/dev/full', full);
    const shown = join(folder, '[key]');
    const ids = only('list-pets/limit-invalid', 'list-pets/limit-bounds');
    const junit = createFile('report.xml');
    const files = ['--reporter', `json=${full}`, '--reporter', `junit=${junit}`, '--har', full];
    const all = await runCommand([bad, ...ids, ...files], undefined, { GITHUB_STEP_SUMMARY: '/' });
    expect([all.exitCode, all.stdout]).toEqual([1, expect.stringContaining(' does not conform: ')]);
    expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
    const lines = all.stderr.trimEnd().split('\n');
    const reason = 'no space left on device';
    expect(lines).toEqual([
      announce(bad).trimEnd(),
      `animal-store-verify: the HAR file could not be written to ${shown}: ${reason}`,
      `animal-store-verify: the json report could not be written to ${shown}: ${reason}`,
      'animal-store-verify: the summary of the job has no report: illegal operation on a directory',
    ]);
    const ways: [args: string[], environment: Record<string, string>][] = [
      [['--reporter', `json=${full}`], {}],
      [['--har', full], {}],
      // A file that was written after it makes up for nothing.
      [['--reporter', `json=${full}`, '--har', createFile('run.har')], {}],
      [[], { GITHUB_STEP_SUMMARY: full }],
    ];
    for (const [args, environment] of ways) {
      const passed = await runCommand([good, ...ids, ...args], undefined, environment);
      expect([args, passed.exitCode]).toEqual([args, 2]);
      expect(passed.stdout).toContain(` conforms in part: 2 of ${required} required clauses tested`);
    }
  },
);

const controls = /[\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const hostile =
  '\x1b[2J \x9b31m \u202egpj \u2066 \u200f \u061c \u200b \ufeff ##[stop-commands]x\n::stop-commands::x\n##vso[x]';

test('no report controls a terminal, whatever a deployment echoes', async () => {
  const url = await startForTest({
    createAnswer: () => async (request) => {
      // A service without any list or Error would get no verdict.
      if (request.headers.authorization === undefined) return createError(401);
      return { status: 200, headers: {}, body: hostile };
    },
  });
  const { choices, readTexts } = createReports();
  const args = [url, '--allow-writes', ...choices, ...only('list-pets', 'get-pet', 'create-pet', 'errors')];
  const { exitCode, stdout, stderr } = await runCommand([...args, '--reporter', 'github']);
  expect(exitCode).toBe(1);
  const texts = readTexts();
  for (const text of [stdout, stderr, ...Object.values(texts)]) {
    expect(text).not.toMatch(/##\w*\[|^\s*::s/m);
    expect(text.replaceAll('\n', '')).not.toMatch(controls);
  }
  expect(stdout).toContain('\\u001b[2J');
  expect(JSON.stringify(JSON.parse(texts.json ?? ''))).toMatch(/\u202egpj.*##\[stop-commands\]x\\n::stop/);
});

/** Number of characters in a row that may be left of a key. */
const MOST_LEFT = 5;

test('a service that repeats Authorization without its first characters puts no part of the key into a report or a HAR file', async () => {
  const key = 'sk_live_51H8xQz7LwVbTn';
  const url = await startForTest({
    options: { apiKeys: [key] },
    createAnswer: () => {
      let count = 0;
      return async (request, asMock) => {
        const { authorization = '' } = request.headers;
        const reply = await asMock(request);
        const cuts = Array.from({ length: 12 }, (_, index) => authorization.slice(index + 1));
        const echoes = cuts.map((cut, index) => [`x-cut-${index + 1}`, cut.trim()] as const);
        const headers = { ...reply.headers, ...Object.fromEntries(echoes) };
        if (reply.status !== 401) return { ...reply, headers };
        count += 1;
        const cut = cuts[count % cuts.length] ?? '';
        // Without a code, each of these is a finding.
        const body = JSON.stringify({ status: 401, message: `unknown key ${cut}, in base64 ${btoa(cut)}` });
        return { ...reply, headers, body };
      };
    },
  });
  const { choices, readTexts } = createReports();
  const har = createFile('run.har');
  const args = [
    url,
    ...choices,
    '--har',
    har,
    ...only('get-pet/missing-key', 'get-pet/invalid-key', 'errors/body'),
  ];
  const { exitCode, stdout, stderr } = await runCommand(args, key);
  expect(exitCode).toBe(1);
  const recorded = readFileSync(har, 'utf8');
  expect(recorded).toContain('unknown key [key]');
  const parts = Array.from({ length: key.length - MOST_LEFT }, (_, at) => key.slice(at, at + MOST_LEFT + 1));
  for (const text of [stdout, stderr, recorded, ...Object.values(readTexts())])
    expect(parts.filter((part) => text.includes(part))).toEqual([]);
});

test('a hint about the base URL comes before the run', async () => {
  const createAnswer = answerWith(isList, createError(404));
  const url = await startForTest({ createAnswer });
  const { stderr } = await runCommand([url, ...only('list-pets/limit-bounds')]);
  const hint = `GET ${url}/pets returned 404. Check the base URL. It usually ends with /v1.\n`;
  expect(withoutProgress(stderr).startsWith(hint + announce(url))).toBe(true);
});

test('a key that is a part of the base URL is not announced', async () => {
  const key = '127.0.0.1';
  const url = await startForTest({ options: { apiKeys: [key] } });
  const { exitCode, stderr } = await runCommand([url, ...only('list-pets/limit-bounds')], key);
  expect([exitCode, stderr]).toEqual([0, announce(url.replace(key, '[key]'))]);
});

test('the summary of a job has the report once if the command writes it there too', async () => {
  const summary = createFile('summary.md');
  writeFileSync(summary, '');
  const args = [await startForTest(), ...only('list-pets/limit-bounds'), '--reporter', `markdown=${summary}`];
  const { exitCode } = await runCommand(args, undefined, { GITHUB_STEP_SUMMARY: summary });
  expect(exitCode).toBe(0);
  expect(readFileSync(summary, 'utf8').match(/ conforms in part: /g)).toHaveLength(1);
});
