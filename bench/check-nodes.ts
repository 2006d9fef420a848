import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The releases of Node that the packages are tried on; the first is too old, the second the oldest that is not. */
const releases = ['20', '22.15.0', '22', '24', '26'];

/** What a Node that is too old is tried for. */
const tooOld = ['--testNamePattern', 'on a Node that is too old'];

// Tries the packages, as they are published, on each release: the tests of the packages run, and start with that Node
// what they start. Exits with 1 if any fails.
for (const release of releases) {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-node-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ allowScripts: { node: true } }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `node@${release}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const NODE_FOLDER = join(folder, 'node_modules/node/bin');
    process.stdout.write(`\nNode ${execFileSync(join(NODE_FOLDER, 'node'), ['--version'])}`);
    const args = ['vitest', 'run', '--project', 'unit', 'common/packages.test.ts'];
    const { status } = spawnSync('npx', [...args, ...(release === '20' ? tooOld : [])], {
      env: { ...process.env, NODE_FOLDER },
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
