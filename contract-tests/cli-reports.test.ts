import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findSpellings, spellKey } from '../testing/key-spellings.ts';
import type { Deployment } from './deployments/deployment.ts';
import { createError } from './deployments/replies.ts';
import { reporters } from './reporters/reporters.ts';
import { isFailure, type Report } from './runner/report.ts';
import { startCli, startForTest, withoutMaximum } from './testing/run-cli.ts';

const runCli = startCli();

/** Where the reports of a test go. */
function createFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

/** The options that write every report to a file, and a function that reads the files. */
function createReports() {
  const files = Object.keys(reporters).map((name) => [name, createFile(name)] as const);
  return {
    choices: files.flatMap(([name, file]) => ['--reporter', `${name}=${file}`]),
    readTexts: () => Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')])),
  };
}

test('reports go to the files that are named, without any form of the key', async () => {
  const key = 'sEcret-Key-9xQz';
  const { choices, readTexts } = createReports();
  const url = await startForTest({
    options: { apiKeys: [key] },
    createBehaviour: () => {
      const behave = withoutMaximum.createBehaviour();
      // Any key is accepted, so that every form that a clause makes of it is shown.
      return (request, asMock) =>
        behave({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }, asMock);
    },
  });
  const ended = await runCli(
    [url, '--allow-writes', ...choices, '--header', 'X-Gateway: GatewaySecret'],
    key,
  );
  expect(ended.exitCode).toBe(1);
  const texts = readTexts();
  const base64 = Buffer.from(`${key}:`).toString('base64');
  const changed = ['SeCRET-kEY-9XqZ', 'sEcret-aey-9xQz', key.slice(0, -1), key.slice(1)];
  const secrets = [key, ...changed, base64, 'GatewaySecret'].map((secret) => secret.toLowerCase());
  // A report in a file never silences the terminal.
  expect(ended.stdout).toBe(texts.terminal);
  for (const text of [ended.stderr, ...Object.values(texts)]) {
    expect(secrets.filter((secret) => text.toLowerCase().includes(secret))).toEqual([]);
  }
  const json = JSON.parse(texts.json ?? '');
  expect(json).toMatchObject({ version: 2, verdict: 'does not conform', baseUrl: url });
  const failed = (json as Report).outcomes.filter(isFailure);
  expect(texts.junit).toMatch(RegExp(`<testsuites [^>]*failures="${failed.length}"`));
  expect(texts.html).toMatch(/^<!doctype html>.*does not conform/s);
  expect(texts.html).not.toMatch(/(?:src|href)="(?!#)/);
  for (const { clause, follows } of failed) {
    // What probably fails for the same reason stands under its headline.
    expect(texts.github?.includes(`::error title=${clause.id}::`)).toBe(follows === undefined);
    expect(texts.github).toContain(clause.id);
    expect(texts.terminal).toContain(clause.id);
    if (follows !== undefined) expect(texts.junit).toContain(`message="same evidence as ${follows}: `);
  }
  expect(failed.map(({ clause }) => clause.id)).toContain('list-pets/limit-is-a-maximum');
});

test.for<[what: string, reason: string, Partial<Deployment> | undefined]>([
  ['does not answer', 'cannot be reached: ', undefined],
  ['refuses the key', 'refuses the API key', { options: { apiKeys: ['another-key'] } }],
  [
    'has no room',
    'answers 429, Too Many Requests',
    {
      createBehaviour: () => async () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' }),
    },
  ],
])('of a deployment that %s every report says why there is no verdict', async ([, reason, deployment]) => {
  const url = deployment === undefined ? 'http://127.0.0.1:9/v1' : await startForTest(deployment);
  const { choices, readTexts } = createReports();
  const ended = await runCli([url, ...choices, '--reporter', 'github'], 'sEcret-Key-9xQz');
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  const texts = readTexts();
  for (const text of [ended.stdout, ...Object.values(texts)]) {
    expect(text).toContain('no verdict');
    expect(text).toContain(reason);
    expect(text).not.toContain('sEcret');
  }
  expect(JSON.parse(texts.json ?? '')).toMatchObject({
    verdict: 'no verdict',
    tested: 0,
    baseUrl: url,
    outcomes: [],
  });
  expect(texts.junit).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="1"/);
  expect(ended.stdout).toMatch(/^::error title=no verdict::/);
});

test('the terminal gets the reason for no verdict once', async () => {
  const { stdout, stderr } = await runCli(['http://127.0.0.1:9/v1']);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('cannot be reached')]);
});

const hostile = '\x1b[2J \x9b31m \u202egpj \u2066 \u200f \u061c \u200b \ufeff ##[stop-commands]x';

test('no report holds a spelling of a key or a part of one, or plays with a terminal, whatever a deployment echoes', async () => {
  const key = `s3Cr/t?+"\\=%,&<'>9xQz`;
  const echoed = Object.values(spellKey(key));
  const headers = Object.fromEntries(echoed.map((spelling, index) => [`x-echo-${index}`, spelling]));
  const long = (length: number, spelling: string) => `${'.'.repeat(length)}${spelling}`;
  let count = 0;
  const url = await startForTest({
    createBehaviour: () => async (request) => {
      // What is not a list or an Error at all is not judged.
      if (request.headers.authorization === undefined) return createError(401);
      count += 1;
      // Where a message or a body is cut, a key stands in the middle.
      const body = `${hostile}${long(50 + (count % 30), echoed[count % echoed.length] ?? '')}`;
      return { status: 200, headers, body: long(1990, key).replace('.'.repeat(body.length), () => body) };
    },
  });
  const { choices, readTexts } = createReports();
  const wanted = ['list-pets', 'get-pet', 'create-pet', 'errors'];
  const only = ['--allow-writes', ...wanted.flatMap((id) => ['--only', id])];
  const { exitCode, stdout, stderr } = await runCli([url, ...choices, ...only, '--reporter', 'github'], key);
  expect(exitCode).toBe(1);
  const texts = readTexts();
  for (const text of [stdout, stderr, ...Object.values(texts)]) {
    expect(findSpellings(text, key)).toEqual([]);
    // Less than half a key is enough to tell; this is how a request that holds one begins, once it is hidden.
    expect(text.replaceAll(/x-echo-\d+/g, '')).not.toMatch(/s3cr|%73|\\u0073|&#x73|&#0?115/i);
    expect(text).not.toContain('##[');
    expect(text.replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u,
    );
  }
  expect(stdout).toContain('\\u001b[2J');
  expect(JSON.stringify(JSON.parse(texts.json ?? ''))).toMatch(/\u202egpj.*##\[stop-commands\]x/);
});

test('every reporter prints the same counts, of a read-only run too', async () => {
  const { choices, readTexts } = createReports();
  const { exitCode, stdout } = await runCli([await startForTest(), ...choices]);
  const texts = readTexts();
  const { verdict, tested, required } = JSON.parse(texts.json ?? '') as Report;
  expect([exitCode, verdict]).toEqual([0, 'conforms in part']);
  expect(stdout).toContain(
    ` conforms in part: ${tested} of ${required} required clauses tested (read-only)\n`,
  );
  expect(stdout).toContain(`\n${tested} passed, 0 failed, ${required - tested} not tested, 0 not applicable`);
  expect(stdout).toMatch(
    RegExp(`^Not tested\\n {2}it adds animals, .*\\n {4}${required - tested} clauses: `),
  );
  expect(texts.github).toContain(stdout.split('\n').slice(-3).join('\n'));
  const skipped = texts.junit?.match(/<skipped /g) ?? [];
  expect([texts.junit?.match(/<testcase /g)?.length, skipped.length]).toEqual([required, required - tested]);
  expect(texts.html).toContain('<h1 class="conclusion warn">');
  for (const [label, count] of Object.entries({
    All: required,
    Passed: tested,
    'Not tested': required - tested,
  }))
    expect(texts.html).toContain(`>${label} <b>${count}</b>`);
});

test('what failed in the baseline fails no more', async () => {
  const file = createFile('baseline.json');
  const only = ['--only', 'list-pets/limit-is-a-maximum', '--only', 'list-pets/success'];
  const url = await startForTest(withoutMaximum);
  expect((await runCli([url, ...only, '--reporter', `json=${file}`])).exitCode).toBe(1);
  const known = await runCli([url, ...only, '--baseline', file, '--reporter', 'github']);
  expect([known.exitCode, known.stdout]).toEqual([0, expect.not.stringContaining('::')]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"version": 2', '"version": 1'));
  const refused = await runCli([url, ...only, '--baseline', file]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('is not a report of version 2'),
  ]);
  const other = await startForTest();
  await runCli([other, ...only, '--reporter', `json=${file}`]);
  const { exitCode, stdout, stderr } = await runCli([
    url,
    ...only,
    '--baseline',
    file,
    '--reporter',
    'github',
  ]);
  expect(stdout.match(/^::.*?::/gm)).toEqual(['::error title=list-pets/limit-is-a-maximum::']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('worse: list-pets/limit-is-a-maximum\n');
});

test.skipIf(process.platform === 'win32')(
  '--open writes the HTML report, opens it in the browser, and prints its path',
  async () => {
    const opened = createFile('opened');
    for (const opener of ['open', 'xdg-open']) {
      writeFileSync(join(dirname(opened), opener), `#!/bin/sh\necho "$1" > "${opened}"\n`, { mode: 0o755 });
    }
    const environment = { PATH: `${dirname(opened)}:${process.env.PATH}` };
    const args = [await startForTest(), '--only', 'list-pets/pets', '--open'];
    const { exitCode, stdout, stderr } = await runCli(args, undefined, environment);
    const [, path = ''] = /^Report: (.*)$/m.exec(stderr) ?? [];
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    expect(exitCode).toBe(0);
    expect(stdout).toContain('conforms in part');
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>/);
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`${path}\n`), { timeout: 10_000 });
    const own = createFile('own.html');
    await runCli([...args, '--reporter', `html=${own}`], undefined, environment);
    expect(existsSync(own)).toBe(true);
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`${own}\n`), { timeout: 10_000 });
  },
);
