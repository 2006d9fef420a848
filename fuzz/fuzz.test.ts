import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = join(import.meta.dirname, 'cli.ts');

test('1,500 malformed requests and faulty answers leave the mock and the proxy well', async () => {
  const run = promisify(execFile)(process.execPath, [cli, '--count', '1500', '--no-costs']);
  // When it fails, it has ended with 1 and its output says why.
  const { stdout } = await run.catch((failure) => failure);
  expect(stdout).not.toContain('FAILED');
  expect(stdout).toMatch(
    /^seed 1: 1500 requests in .*\n^the mock: .*\n^the proxy: .*\n^the proxy before a faulty upstream: .* at most\n$/m,
  );
}, 180_000);
