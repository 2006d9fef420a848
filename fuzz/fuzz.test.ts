import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = join(import.meta.dirname, 'cli.ts');

test('1,500 malformed requests and faulty answers do the mock and the proxy no harm', async () => {
  const run = promisify(execFile)(process.execPath, [cli, '--count', '1500', '--no-costs']);
  // If it fails, its output says why.
  const { stdout, stderr } = await run.catch((failure) => failure);
  expect(stderr + stdout).not.toMatch(/FAILED|Error/);
  expect(stdout.match(/^the .*: 500 requests of \d+ kinds, seed 1$/gm)).toHaveLength(3);
}, 180_000);
