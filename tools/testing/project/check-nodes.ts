import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findNode, releases } from '../../nodes/find-node.ts';

const root = join(import.meta.dirname, '../../..');

// Tries the packages, as they are published, on each release that is named, or on all: the tests of the packages run on this
// Node, and start with that one what they start. Exits with 1 if any fails.
const named = process.argv.slice(2);
for (const release of named.length === 0 ? releases : named) {
  const PATH = [findNode(release), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'packages-whole'];
  const filter = release === '20' ? ['--testNamePattern', 'on a Node that is too old'] : [];
  spawnSync('node', ['--version'], { env, stdio: 'inherit' });
  const { status } = spawnSync(process.execPath, [...vitest, ...filter], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
