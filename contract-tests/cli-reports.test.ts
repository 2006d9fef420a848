import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createFolder } from '../tools/testing/create-folder.ts';
import { findSpellings, spellKey } from '../tools/testing/key-spellings.ts';
import { answerOtherwise, answerWith, change, combine } from './deployments/changes.ts';
import type { Answer } from './deployments/deployment.ts';
import { always, hasKey, type IsMeant, isList } from './deployments/messages.ts';
import { createError } from './deployments/replies.ts';
import { readLastRun } from './last-failed.ts';
import { reporters } from './reporters/reporters.ts';
import { isFailure, type Report } from './runner/report.ts';
import { listClauses } from './runner/run.ts';
import {
  cli,
  noMaximum,
  refuseSome,
  runCommand,
  startForTest,
  withoutDredd,
  zeroRedirects,
} from './testing/run-suite.ts';

const required = listClauses({ quickstart: undefined }).filter(({ level }) => level === 'required').length;

const only = (...ids: string[]) => ids.flatMap((id) => ['--only', id]);

const createFile = (name: string) => join(createFolder(), name);

/** What a read-only run prints before its first clause. */
/** Leaves out the progress, which a slow machine prints. */
const withoutProgress = (stderr: string) => stderr.replaceAll(/^… .*\n/gm, '');

/** What a run prints as soon as `zeroRedirects` has failed. */
const zeroFailure = '✗ list-pets/limit-invalid: expected a 4xx or a list for ?limit=0, received 302\n';

const announce = (url: string) => `Verifying ${url}. The run is read-only. It does not test POST /pets.\n`;

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
  const args = [url, '--allow-writes', ...choices, ...only(...withoutDredd)];
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
  expect(texts.terminal).toContain(`\n${counts}, 0 not applicable`);
  expect(texts.github).toContain(ended.stdout.split('\n').slice(-4, -2).join('\n'));
  expect(texts.junit).toMatch(RegExp(`<testsuites [^>]*tests="${json.tested}" failures="${failed.length}"`));
  expect(texts.html).toMatch(RegExp(`^<!doctype html>.*does not conform.*>Failed <b>${failed.length}<`, 's'));
  expect(texts.html).not.toMatch(/(?:src|href)="(?!#)/);
  for (const { clause, follows } of failed) {
    // A failure that probably has the same reason is under its finding.
    expect(texts.github?.includes(`::${clause.id}: expected `)).toBe(follows === undefined);
    for (const text of [texts.github, texts.terminal]) expect(text).toContain(clause.id);
    expect(texts.markdown?.includes(`\`${clause.id}\``)).toBe(follows === undefined);
    if (follows !== undefined) expect(texts.junit).toContain(`message="same evidence as ${follows}: `);
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
  ['a value is wrong', 'sEcret-Key-9xQz', [nowhere, '--retries', 'sEcret-Key-9xQz'], '--retries must be '],
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
  for (const option of ['--contract', '--known', '--last-failed', '--har', '--learn']) {
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
  expect(readFileSync(junit, 'utf8')).toContain('could not be written: ENOENT');
});

test('the list of clauses and the help write no report', async () => {
  for (const args of [['--list'], ['--help'], ['--list', '--contract', '/nowhere.yaml']]) {
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
    const files = ['--reporter', `json=${full}`, '--reporter', `junit=${junit}`, '--learn', full];
    const all = await runCommand([bad, ...ids, ...files], undefined, { GITHUB_STEP_SUMMARY: '/' });
    expect([all.exitCode, all.stdout]).toEqual([1, expect.stringContaining(' does not conform: ')]);
    expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
    const lines = all.stderr.trimEnd().split('\n');
    const reason = 'ENOSPC: no space left on device, write';
    expect(lines).toEqual([
      announce(bad).trimEnd(),
      zeroFailure.trimEnd(),
      `animal-store-verify: the json report could not be written to ${shown}: ${reason}`,
      'animal-store-verify: the summary of the job has no report: EISDIR: illegal operation on a directory',
      `animal-store-verify: the learned behaviour could not be written to ${shown}: ${reason}`,
    ]);
    // Nothing is opened that was not written.
    const opened = await runCommand([bad, ...ids, '--open', '--reporter', `html=${full}`]);
    expect([opened.exitCode, opened.stderr.includes('Report: ')]).toEqual([1, false]);
    const ways: [args: string[], environment: Record<string, string>][] = [
      [['--reporter', `json=${full}`], {}],
      [['--learn', full], {}],
      // A file that was written after it makes up for nothing.
      [['--reporter', `json=${full}`, '--learn', createFile('learned.json')], {}],
      [['--reporter', `json=${full}`, '--known', createFile('known.yaml'), '--update-known'], {}],
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

test('no report has a spelling or part of the key, or controls a terminal, whatever a deployment echoes', async () => {
  const key = `s3Cr/t?+"\\=%,&<'>9xQz`;
  const echoed = Object.values(spellKey(key));
  const headers = Object.fromEntries(echoed.map((spelling, index) => [`x-echo-${index}`, spelling]));
  const long = (length: number, spelling: string) => `${'.'.repeat(length)}${spelling}`;
  let count = 0;
  const url = await startForTest({
    createAnswer: () => async (request) => {
      // A service without any list or Error would get no verdict.
      if (request.headers.authorization === undefined) return createError(401);
      count += 1;
      // A message or a body is cut in the middle of a key.
      const body = `${hostile}${long(50 + (count % 30), echoed[count % echoed.length] ?? '')}`;
      return { status: 200, headers, body: long(1990, key).replace('.'.repeat(body.length), () => body) };
    },
  });
  const { choices, readTexts } = createReports();
  const args = [url, '--allow-writes', ...choices, ...only('list-pets', 'get-pet', 'create-pet', 'errors')];
  const { exitCode, stdout, stderr } = await runCommand([...args, '--reporter', 'github'], key);
  expect(exitCode).toBe(1);
  const texts = readTexts();
  for (const text of [stdout, stderr, ...Object.values(texts)]) {
    expect(findSpellings(text, key)).toEqual([]);
    // Less than half a key is too much; a redacted request begins like this.
    expect(text.replaceAll(/x-echo-\d+/g, '')).not.toMatch(/s3cr|%73|\\u0073|&#x73|&#0?115/i);
    expect(text).not.toMatch(/##\w*\[|^\s*::s/m);
    expect(text.replaceAll('\n', '')).not.toMatch(controls);
  }
  expect(stdout).toContain('\\u001b[2J');
  expect(JSON.stringify(JSON.parse(texts.json ?? ''))).toMatch(/\u202egpj.*##\[stop-commands\]x\\n::stop/);
});

test('a known failure fails no run until its last day, and only while it is the same failure', async () => {
  const file = createFile('known.yaml');
  const url = await startForTest(zeroRedirects);
  const run = (base: string, ...more: string[]) =>
    runCommand([base, ...only('list-pets/limit-invalid', 'list-pets/limit-bounds'), ...more]);
  const compare = (base = url, ...more: string[]) => run(base, '--known', file, ...more);
  // A run without a verdict writes nothing.
  expect((await compare('http://127.0.0.1:9/v1', '--update-known')).exitCode).toBe(2);
  expect(existsSync(file)).toBe(false);
  const stderr = `${announce(url)}${zeroFailure}${file} was written. Give a reason and a date (until) for each new entry.\n`;
  expect(await compare(url, '--update-known')).toMatchObject({ exitCode: 1, stderr });
  const unchanged = await compare(url, '--update-known');
  expect([unchanged.exitCode, unchanged.stderr]).toEqual([0, `${announce(url)}${file} needs no change.\n`]);
  const written = readFileSync(file, 'utf8');
  expect(written).toBe(`- clause: list-pets/limit-invalid
  failure:
    kind: status
    operation: GET /pets
    expected: 4xx or list
    received: 302
    detail: ?limit=0
  reason: To be explained
`);
  const known = await compare(url, '--reporter', 'github', '--reporter', 'terminal');
  expect(known).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('::error') });
  expect(known.stdout).toMatch(/\nKNOWN .*\n(?:.*\n)*? {2}known {5}To be explained\n/);
  expect(known.stdout).toContain(
    `conforms in part: 2 of ${required} required clauses tested. Known failures: 1`,
  );
  const change = (from: string | RegExp, to: string) => writeFileSync(file, written.replace(from, to));
  change('reason: To', 'until: 2020-01-31\n  reason: To');
  const expired = expect.stringContaining('(expired after 2020-01-31)');
  expect(await compare()).toMatchObject({ exitCode: 1, stdout: expired });
  change('received: 302', 'received: 303');
  expect((await compare()).exitCode).toBe(1);
  writeFileSync(file, '- clause: list-pets/limit-invalid\n  reason: It is slow\n');
  expect((await compare()).exitCode).toBe(0);
  const fixed = await compare(await startForTest(), '--update-known');
  expect(fixed.exitCode).toBe(0);
  expect(fixed.stdout).toContain('Fixed, remove from --known: list-pets/limit-invalid');
  expect(fixed.stderr).toMatch(/known\.yaml was written\. An entry that is fixed was removed\.\n$/);
  expect(readFileSync(file, 'utf8')).toBe('[]\n');
});

test('an empty list of known failures asks for no reasons', async () => {
  const file = createFile('known.yaml');
  const url = await startForTest();
  const args = [url, ...only('list-pets/limit-bounds'), '--known', file, '--update-known'];
  const { stderr } = await runCommand(args);
  expect(stderr).toBe(
    `${announce(url)}${file} was written. It has no entries, because no required clause failed.\n`,
  );
  expect(readFileSync(file, 'utf8')).toBe('[]\n');
});

test('one entry accepts a failure in every clause that shows it, until no clause shows it', async () => {
  const file = createFile('known.yaml');
  const isUnauthorized: IsMeant = (request) => isList(request) && !hasKey(request);
  const url = await startForTest({ createAnswer: answerOtherwise(isUnauthorized, 409) });
  const run = (base: string, ...more: string[]) =>
    runCommand([
      base,
      ...only('list-pets/missing', 'list-pets/invalid-key', 'list-pets/bearer'),
      '--known',
      file,
      ...more,
    ]);
  expect((await run(url, '--update-known')).exitCode).toBe(1);
  const [entry, ...others] = parse(readFileSync(file, 'utf8'));
  expect(others).toEqual([]);
  expect(entry).toEqual({
    failure: { kind: 'status', operation: 'GET /pets', expected: 401, received: 409 },
    reason: 'To be explained',
    seenIn: ['list-pets/missing-key', 'list-pets/invalid-key', 'list-pets/bearer-form'],
  });
  const known = await run(url);
  expect([known.exitCode, known.stdout]).toEqual([0, expect.stringContaining('Known failures: 3')]);
  const sound = await startForTest();
  const fixed = await run(sound, '--update-known');
  expect(fixed.stdout).toContain(
    'Fixed, remove from --known: the failure of GET /pets (kind: status, expected: 401, received: 409)\n',
  );
  expect(readFileSync(file, 'utf8')).toBe('[]\n');
});

test('a file of known failures that is edited during the run is not written', async () => {
  const file = createFile('known.yaml');
  const written = '# Of Ann\n- clause: errors/body\n  reason: Added during the run\n';
  let requests = 0;
  const edit = (): Answer => async (request, asMock) => {
    requests += 1;
    if (requests === 5) writeFileSync(file, written);
    return asMock(request);
  };
  const url = await startForTest({ createAnswer: combine([zeroRedirects.createAnswer, edit]) });
  const run = (base: string, ...more: string[]) =>
    runCommand([base, ...only('list-pets/limit-invalid', 'list-pets/limit-bounds'), ...more]);
  const update = ['--known', file, '--update-known'];
  for (const before of [undefined, '[]\n']) {
    rmSync(file, { force: true });
    if (before !== undefined) writeFileSync(file, before);
    requests = 0;
    const { exitCode, stderr } = await run(url, ...update);
    expect([exitCode, readFileSync(file, 'utf8')]).toEqual([1, written]);
    const reason = `${file} was not written: somebody has changed it since the run began`;
    const [start, printed = ''] = stderr.split('Add these entries to it:\n');
    expect(start).toBe(`${announce(url)}${zeroFailure}animal-store-verify: ${reason}\n`);
    expect(parse(printed)).toMatchObject([{ clause: 'list-pets/limit-invalid' }]);
  }
  // Without a new entry there is none to print.
  writeFileSync(file, '- clause: list-pets/limit-invalid\n  reason: It is slow\n');
  requests = 0;
  const sound = await startForTest({ createAnswer: edit });
  const { exitCode, stderr } = await run(sound, ...update);
  const reason = `${file} was not written: somebody has changed it since the run began`;
  expect([exitCode, stderr]).toEqual([2, `${announce(sound)}animal-store-verify: ${reason}\n`]);
});

test.skipIf(process.platform === 'win32')(
  'a full disk leaves the file of known failures as it is',
  async () => {
    const reasons = Array.from({ length: 40 }, (_, at) => `- clause: errors/body\n  reason: Reason ${at}\n`);
    const written = `# Of Ann\n${reasons.join('')}`;
    const folder = createFolder({ 'known.yaml': written });
    const file = join(folder, 'known.yaml');
    const url = await startForTest(zeroRedirects);
    const args = [url, ...only('list-pets/limit-invalid', 'list-pets/limit-bounds'), '--known', file];
    // Nobody can write more than 1 KiB to a file, as on a full disk. The unit is 512 bytes.
    const words = ['-c', 'ulimit -f 2; exec "$0" "$@"', process.execPath, cli, ...args, '--update-known'];
    const env = { ...process.env, ANIMAL_STORE_API_KEY: 'test-key', GITHUB_STEP_SUMMARY: '' };
    const ended = await promisify(execFile)('sh', words, { env }).catch((error) => error);
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('does not conform') });
    expect(ended.stderr).toMatch(
      /known\.yaml was not written: EFBIG: .*\nAdd these entries to it:\n- clause: /,
    );
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([written, ['known.yaml']]);
  },
);

test('a run that ends early without a verdict writes neither known failures nor a behaviour', async () => {
  const written = '# Of Ann\n- clause: list-pets/success\n  reason: Seen by Ann\n';
  const folder = createFolder({ 'known.yaml': written });
  const file = join(folder, 'known.yaml');
  const learned = join(folder, 'staging.json');
  const headers = { 'retry-after': '3600' };
  const url = await startForTest({ createAnswer: () => refuseSome((count) => count > 10, 429, headers) });
  const ended = await runCommand([url, '--known', file, '--update-known', '--learn', learned]);
  expect([ended.exitCode, ended.stdout]).toEqual([2, expect.stringContaining('no verdict')]);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([written, ['known.yaml']]);
  expect(ended.stderr.replaceAll(/^… .*\n/gm, '')).toBe(
    [
      announce(url),
      `Nothing was learned, because the run has no verdict. ${learned} was not written.\n`,
      `${file} was not written, because the run has no verdict.\n`,
    ].join(''),
  );
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
  await runCommand(args, undefined, { GITHUB_STEP_SUMMARY: summary });
  expect(readFileSync(summary, 'utf8').match(/ conforms in part: /g)).toHaveLength(1);
});

test('on a terminal nothing is left of the line that shows the progress', async () => {
  const { stderr } = process;
  const { isTTY } = stderr;
  stderr.isTTY = true;
  onTestFinished(() => {
    stderr.isTTY = isTTY;
  });
  const url = await startForTest();
  const ended = await runCommand([url, ...only('list-pets/limit-bounds')]);
  // A slow machine shows some progress before.
  expect(ended.stderr.startsWith(announce(url))).toBe(true);
  expect(ended.stderr.endsWith('\r\x1b[K')).toBe(true);
  expect(ended.stderr.slice(announce(url).length)).not.toContain('\n');
});

test('--last-failed tests the clauses that failed, or all of them', async () => {
  const file = createFile('report.json');
  const url = await startForTest(noMaximum);
  await runCommand([url, ...only('list-pets/limit-is-a-maximum'), '--reporter', `json=${file}`]);
  const again = await runCommand([url, '--last-failed', file], undefined, { GITHUB_STEP_SUMMARY: '/' });
  expect([again.exitCode, again.stdout]).toEqual([
    1,
    expect.stringContaining(`1 of ${required} required clauses`),
  ]);
  expect(withoutProgress(again.stderr)).toBe(
    [
      announce(url),
      '✗ list-pets/limit-is-a-maximum: expected at most 5 animals, received 6\n',
      'animal-store-verify: the summary of the job has no report: EISDIR: illegal operation on a directory\n',
      `Since ${file}: 1 clause with the same failure.\n`,
    ].join(''),
  );
  const sound = await startForTest();
  const repaired = await runCommand([sound, '--last-failed', file]);
  // The clauses before it run too, since they may be needed for the failure.
  expect(withoutProgress(repaired.stderr)).toBe(`${announce(sound)}Since ${file}: 1 clause fixed.\n`);
  const page = await startForTest({ createAnswer: answerWith(({ query }) => query.has('limit'), 503) });
  const other = await runCommand([page, '--last-failed', file, '--retries', '0']);
  expect(other.stderr).toContain(`\nSince ${file}: 1 clause without a result.\n`);
  writeFileSync(file, '{"version":3,"options":{},"outcomes":[]}');
  const all = await runCommand([url, '--last-failed', file, '--deadline', '300']);
  expect(all.stderr.split('\n', 1)).toEqual([`No clause failed in ${file}. All clauses are tested.`]);
  expect(all.stderr).not.toContain('Since ');
});

test('--last-failed and --update-known know which clause sent the request of a failure', async () => {
  const [file, known] = [createFile('report.json'), createFile('known.yaml')];
  const url = await startForTest({ createAnswer: answerWith(({ body }) => body.includes('status'), 500) });
  const run = (...more: string[]) => runCommand([url, ...more, '--reporter', `json=${file}`]);
  await run('--allow-writes', ...only(...withoutDredd), '--known', known, '--update-known');
  const written = readFileSync(known, 'utf8');
  const [, sender] = /clause: errors\/no-server-fault\n(?:.*\n)*? {2}sentBy: (\S+)\n/.exec(written) ?? [];
  expect(sender).toMatch(/^create-pet\//);
  const { ids } = await readLastRun(file, true);
  expect(ids[ids.indexOf('errors/no-server-fault') + 1]).toBe(sender);
  const readOnly = await runCommand([url, '--last-failed', file]);
  expect([readOnly.exitCode, readOnly.stderr]).toEqual([
    2,
    `animal-store-verify: --last-failed: ${file} is of a run with --allow-writes. Give this option too.\n`,
  ]);
  expect((await run('--allow-writes', '--last-failed', file)).exitCode).toBe(1);
  let creations = 0;
  const countCreations: Answer = async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status === 201) creations += 1;
    return reply;
  };
  const withCharset = answerWith(({ headers }) => /charset/.test(`${headers['content-type']}`));
  const createAnswer = combine([() => countCreations, withCharset]);
  const other = [await startForTest({ createAnswer }), '--allow-writes'];
  await runCommand([...other, ...only(...withoutDredd), '--reporter', `json=${file}`]);
  creations = 0;
  const last = createFile('last.json');
  const again = await runCommand([...other, '--last-failed', file, '--reporter', `json=${last}`]);
  expect(again.exitCode).toBe(1);
  // The failure needs the requests of earlier clauses, so the command runs twice. Nothing deletes the animals of the first run.
  const { animalsAdded, added } = JSON.parse(readFileSync(last, 'utf8')) as Report;
  expect([animalsAdded, added.length]).toEqual([creations, creations]);
  // A run that does not send the request again shows nothing about it.
  await run(...only('errors/no-server-fault'), '--known', known, '--update-known');
  expect(readFileSync(known, 'utf8')).toBe(written);
});

test.skipIf(process.platform === 'win32')('--open opens the report, and prints its path', async () => {
  const opened = createFile('opened');
  for (const opener of ['open', 'xdg-open']) {
    writeFileSync(join(dirname(opened), opener), `#!/bin/sh\necho "$1" > "${opened}"\n`, { mode: 0o755 });
  }
  // The report is written to the folder of the test, which removes no path that the command prints.
  const environment = { PATH: `${dirname(opened)}:${process.env.PATH}`, TMPDIR: dirname(opened) };
  const args = [await startForTest(), ...only('list-pets/limit-bounds'), '--open'];
  const own = relative(process.cwd(), createFile('own.html'));
  for (const more of [[], ['--reporter', `html=${own}`]]) {
    const { exitCode, stdout, stderr } = await runCommand([...args, ...more], undefined, environment);
    const [, path = ''] = /^Report: (.*)$/m.exec(stderr) ?? [];
    expect([exitCode, isAbsolute(path), path.endsWith('own.html')]).toEqual([0, true, more.length > 0]);
    expect(stdout).toContain('conforms in part');
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>/);
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`${path}\n`), { timeout: 10_000 });
  }
});
