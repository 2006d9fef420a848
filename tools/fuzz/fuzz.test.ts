import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = join(import.meta.dirname, 'cli.ts');

test('1,800 random requests do the mock and the proxy no harm', async () => {
  const run = promisify(execFile)(process.execPath, [cli, '--count', '1800']);
  // If it fails, its output says why.
  const { stdout, stderr } = await run.catch((failure) => failure);
  expect(stderr + stdout).not.toMatch(/FAILED|Error/);
  expect(stdout.match(/^round \d: 600 requests, 0 problems; /gm)).toHaveLength(3);
}, 180_000);
