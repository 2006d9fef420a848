import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCli, startForTest, withoutMaximum } from './testing/run-cli.ts';

/** Each run of the command starts processes, which takes long where many tests run. */
vi.setConfig({ testTimeout: 30_000 });

/** Where the reports of a test go. */
function createFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

test('reports go to the files that are named, without the key', async () => {
  const files = ['json', 'junit', 'html', 'github', 'terminal'].map(
    (name) => [name, createFile(name)] as const,
  );
  const key = 'SuperSecret42';
  const url = await startForTest({ ...withoutMaximum, options: { apiKeys: [key] } });
  const { stdout, stderr } = await runCli(
    [url, ...files.flatMap(([name, file]) => ['--reporter', `${name}=${file}`])],
    key,
  );
  expect(stdout).toBe('');
  const texts = Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')]));
  for (const text of [stderr, ...Object.values(texts)]) expect(text).not.toMatch(/SuperSecret/i);
  expect(JSON.parse(texts.json ?? '')).toMatchObject({ conclusion: 'does not conform', baseUrl: url });
  expect(texts.junit).toMatch(/<testsuites [^>]*failures="1"/);
  expect(texts.html).toMatch(/^<!doctype html>.*does not conform/s);
  expect(texts.html).not.toMatch(/(?:src|href)=/);
  expect(texts.github).toMatch(/^::error title=list-pets\/limit-is-a-maximum::/m);
  expect(texts.terminal).toContain('FAILED');
});

test('no form of a key that a clause makes of it is printed', async () => {
  const key = 'sEcret-Key-9xQz';
  // Whatever is sent is let pass, so that every form of the key is shown.
  const url = await startForTest({
    options: { apiKeys: [key] },
    createBehaviour: () => (request, asMock) =>
      asMock({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }),
  });
  const file = createFile('report.json');
  const { exitCode, stdout } = await runCli(
    [url, '--reporter', 'terminal', '--reporter', `json=${file}`, '--header', 'X-Gateway: GatewaySecret'],
    key,
  );
  expect(exitCode).toBe(1);
  const texts = `${stdout}${readFileSync(file, 'utf8')}`.toLowerCase();
  const forms = [
    key,
    key.slice(0, -1),
    key.slice(1),
    'SeCRET-kEY-9XqZ',
    'sEcret-xey-9xQz',
    Buffer.from(`${key}:`).toString('base64'),
  ];
  for (const form of [...forms, 'GatewaySecret']) expect(texts).not.toContain(form.toLowerCase());
});

test('what failed in the baseline fails no more', async () => {
  const file = createFile('baseline.json');
  const only = ['--only', 'list-pets/limit-is-a-maximum', '--only', 'list-pets/success'];
  const url = await startForTest(withoutMaximum);
  expect((await runCli([url, ...only, '--reporter', `json=${file}`])).exitCode).toBe(1);
  expect((await runCli([url, ...only, '--baseline', file])).exitCode).toBe(0);
  const other = await startForTest();
  await runCli([other, ...only, '--reporter', `json=${file}`]);
  const { exitCode, stderr } = await runCli([url, ...only, '--baseline', file]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('worse: list-pets/limit-is-a-maximum\n');
});
