import { spawnSync } from 'node:child_process';

/** The releases of Node that the packages are tried on; the first is too old, the second the oldest that is not. */
const releases = ['20', '22.15.0', '22', '24', '26'];

// Tries the packages, as they are published, on each release: the tests of the packages run on this Node, and start with
// that one what they start. Exits with 1 if any fails.
for (const release of releases) {
  const node = `node-${process.platform}-${process.arch}@${release}`;
  const vitest = `"${process.execPath}" node_modules/vitest/vitest.mjs run --project packages --exclude tools/executable/**`;
  const filter = release === '20' ? '--testNamePattern "on a Node that is too old"' : '';
  // The options of this npx are not for those that the tests start.
  const call = `unset npm_config_call npm_config_package; node --version; ${vitest} ${filter}`;
  const { status } = spawnSync('npx', ['--yes', '--package', node, '--call', call], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
