import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = join(import.meta.dirname, 'cli.ts');

test('600 requests of all kinds get what they deserve, and leave nothing open', async () => {
  const run = promisify(execFile)(process.execPath, [cli, '--count', '600']);
  // When it fails, it has ended with 1 and its output says why.
  const { stdout, stderr } = await run.catch((failure) => failure);
  expect(`${stdout}${stderr}`).not.toMatch(/FAILED|Error/);
  expect(stdout).toMatch(/^seed 1: 6\d\d requests in .* 0 problems$/m);
}, 180_000);
