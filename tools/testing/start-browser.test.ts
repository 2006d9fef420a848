import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createFolder } from './create-folder.ts';

const root = join(import.meta.dirname, '../..');

test('on a machine without an unpacked Chromium, parallel files of browser tests start', async () => {
  const files = [
    'console/safety.browser',
    'mock/mock.browser',
    'contract-tests/reporters/print-html.browser',
  ];
  // Each file starts its browser, and runs none of its tests.
  const args = ['run', '--no-color', '--project', 'slow', '--testNamePattern', '^$', ...files];
  const env = { ...process.env, TMPDIR: createFolder() };
  const vitest = promisify(execFile)('node', ['node_modules/vitest/vitest.mjs', ...args], { cwd: root, env });
  const { stdout, stderr } = await vitest.catch((error) => error);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ Test Files {2}3 skipped \(3\)$/m);
});
