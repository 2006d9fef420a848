import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFolder } from '../tools/testing/create-folder.ts';
import { answerOtherwise, answerWith, combine } from './deployments/changes.ts';
import type { Answer } from './deployments/deployment.ts';
import { hasKey, type IsMeant, isList } from './deployments/messages.ts';
import { announce, createFile, only, required, zeroFailure } from './testing/command-words.ts';
import { cli, refuseSome, runCommand, startForTest, zeroRedirects } from './testing/run-suite.ts';

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

test('--update-known knows which clause sent the request of a failure', async () => {
  const known = createFile('known.yaml');
  const url = await startForTest({ createAnswer: answerWith(({ body }) => body.includes('status'), 500) });
  const run = (...more: string[]) => runCommand([url, ...more, '--known', known, '--update-known']);
  await run('--allow-writes');
  const written = readFileSync(known, 'utf8');
  expect(written).toMatch(/clause: errors\/no-server-fault\n(?:.*\n)*? {2}sentBy: create-pet\/\S+\n/);
  // A run that does not send the request again shows nothing about it.
  await run(...only('errors/no-server-fault'));
  expect(readFileSync(known, 'utf8')).toBe(written);
});
