import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRecording } from '../../proxy/check-recording.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { only } from '../testing/command-words.ts';
import { noMaximum, runCommand, startForTest } from '../testing/run-suite.ts';

const key = 'sEcret-Key/9+Qz';

interface Entry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly postData?: { readonly text: string };
  };
  readonly response: { readonly status: number };
}

const readEntries = (file: string): Entry[] => JSON.parse(readFileSync(file, 'utf8')).log.entries;

test('--har writes each request, and no key', async () => {
  const baseUrl = await startForTest({ ...noMaximum, options: { apiKeys: [key] } });
  const [file, json] = ['run.har', 'report.json'].map((name) => join(createFolder(), name));
  const options = [
    '--allow-writes',
    ...only('list-pets/limit-is-a-maximum', 'list-pets/invalid-key', 'create-pet/int64-exact'),
    '--har',
    `${file}`,
    '--reporter',
    `json=${json}`,
    '--header',
    'X-Gateway: GatewaySecret',
  ];
  const { exitCode } = await runCommand([baseUrl, ...options], key);
  expect(exitCode).toBe(1);
  const report = JSON.parse(readFileSync(`${json}`, 'utf8'));
  const text = readFileSync(`${file}`, 'utf8');
  const entries = readEntries(`${file}`);
  expect(entries.length).toBeGreaterThanOrEqual(report.requests);
  expect(entries.every(({ request }) => request.url.startsWith(`${baseUrl}/`))).toBe(true);
  expect(text).toContain('\\"categoryId\\":9223372036854775807');
  const changed = [key, key.slice(0, -1), key.slice(1), 'SeCRET-kEY/9+qZ', 'GatewaySecret'];
  expect(changed.filter((one) => text.includes(one))).toEqual([]);
  expect(text).toContain('"Bearer [key]"');
  const { findings } = await checkRecording({ file: `${file}` });
  expect(findings.exchanges).toBe(entries.length);
  expect(findings.violations.map(({ rule }) => rule)).toContain('list-pets/limit-is-a-maximum');
});

test('if the deployment cannot be tested, no file is written, and an earlier one stays', async () => {
  const folder = createFolder({ 'earlier.har': 'earlier' });
  for (const name of ['earlier.har', 'new.har']) {
    const { exitCode } = await runCommand(['http://127.0.0.1:9/v1', '--har', join(folder, name)], key);
    expect(exitCode).toBe(2);
  }
  expect(readFileSync(join(folder, 'earlier.har'), 'utf8')).toBe('earlier');
  expect(readdirSync(folder)).toEqual(['earlier.har']);
});

test('a file that cannot be written ends the run before its first request', async () => {
  const file = join(createFolder(), 'missing', 'run.har');
  const { exitCode, stderr } = await runCommand([await startForTest(), '--har', file]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`--har: ${file} could not be written: no such file`);
  expect(existsSync(file)).toBe(false);
});
