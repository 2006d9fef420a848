import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import { announce, createFile, only, required } from './testing/command-words.ts';
import { refuseSome, runCommand, startForTest, zeroRedirects } from './testing/run-suite.ts';

/** Finds the entries that a run prints for the file of known failures. */
function findEntries(stdout: string): string {
  const [, entries = ''] = /^Entries that --known lacks\n((?:[- ].*\n)+)\n/m.exec(stdout) ?? [];
  return entries;
}

test('a known failure fails no run until its last day, and only while it is the same failure', async () => {
  const file = createFile('known.yaml');
  writeFileSync(file, '');
  const url = await startForTest(zeroRedirects);
  const compare = (base = url, ...more: string[]) =>
    runCommand([
      base,
      ...only('list-pets/limit-invalid', 'list-pets/limit-bounds'),
      '--known',
      file,
      ...more,
    ]);
  const html = createFile('report.html');
  const first = await compare(url, '--reporter', 'terminal', '--reporter', `html=${html}`);
  expect([first.exitCode, first.stderr]).toEqual([1, announce(url)]);
  const entries = findEntries(first.stdout);
  expect(entries).toBe(`- clause: list-pets/limit-invalid
  failure:
    kind: status
    operation: GET /pets
    expected: 4xx or list
    status: 302
    detail: ?limit=0
  reason: To be explained
`);
  expect(readFileSync(html, 'utf8')).toContain(entries);
  // The file is only read.
  expect(readFileSync(file, 'utf8')).toBe('');
  writeFileSync(file, entries);
  const known = await compare(url, '--reporter', 'github', '--reporter', 'terminal');
  expect(known).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('::error') });
  expect(findEntries(known.stdout)).toBe('');
  expect(known.stdout).toMatch(/^Known: list-pets\/limit-invalid: To be explained$/m);
  expect(known.stdout).toContain(
    `conforms in part: 2 of ${required} required clauses tested, ${required - 2} not tested (--only). Known failures: 1, 1 of them to be explained. Only: 2 of list-pets\n`,
  );
  const change = (from: string | RegExp, to: string) => writeFileSync(file, entries.replace(from, to));
  change('reason: To', 'until: 2020-01-31\n  reason: To');
  const expired = expect.stringContaining('(expired after 2020-01-31)');
  expect(await compare()).toMatchObject({ exitCode: 1, stdout: expired });
  change('status: 302', 'status: 303');
  expect((await compare()).exitCode).toBe(1);
  writeFileSync(file, '- clause: list-pets/limit-invalid\n  reason: It is slow\n');
  expect((await compare()).exitCode).toBe(0);
  const repaired = await startForTest();
  // With --only, the run may have left out the request that failed.
  expect(await compare(repaired)).toMatchObject({
    exitCode: 0,
    stdout: expect.not.stringContaining('Fixed'),
  });
  const fixed = await runCommand([repaired, '--known', file, '--strict']);
  expect(fixed).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Fixed, remove from --known: list-pets/limit-invalid'),
    stderr: expect.stringContaining('--strict: 1 entry of --known is fixed.'),
  });
});

test('a run that ends early without a verdict prints no entries', async () => {
  const folder = createFolder({ 'known.yaml': '- clause: list-pets/success\n  reason: Seen by Ann\n' });
  const headers = { 'retry-after': '3600' };
  const url = await startForTest({ createAnswer: () => refuseSome((count) => count > 10, 429, headers) });
  const ended = await runCommand([url, '--known', join(folder, 'known.yaml')]);
  expect([ended.exitCode, ended.stdout]).toEqual([2, expect.stringContaining('no verdict')]);
  expect([findEntries(ended.stdout), readdirSync(folder)]).toEqual(['', ['known.yaml']]);
  expect(ended.stderr.replaceAll(/^… .*\n/gm, '')).toBe(announce(url));
});
