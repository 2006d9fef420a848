import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = join(import.meta.dirname, 'cli.ts');

/** Number of requests before a change lands; the nightly run sends more. */
const COUNT = 300;

test('random requests do the mock and the proxy no harm', async () => {
  const run = promisify(execFile)(process.execPath, [cli, '--count', String(COUNT)]);
  // If it fails, its output says why.
  const { stdout, stderr } = await run.catch((failure) => failure);
  expect(stderr + stdout).not.toMatch(/FAILED|Error/);
  expect(stdout.match(RegExp(`^round \\d: ${COUNT / 3} requests, 0 problems; `, 'gm'))).toHaveLength(3);
}, 600_000);
