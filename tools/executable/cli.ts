import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './build-executable.ts';
import { installNode } from './install-node.ts';

const root = join(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    // A Node 24 for this system. By default the one of a package, which there is for Linux x64.
    node: { type: 'string' },
    // A folder node_modules with the packages. By default they are built.
    modules: { type: 'string' },
    output: { type: 'string', default: join(root, 'dist/animal-store') },
  },
});

// Ctrl+C ends the process that the build waits for. The build then fails, and removes its temporary files.
process.on('SIGINT', () => {});

/** Exit code of a process that Ctrl+C ends. */
const INTERRUPTED = 130;

const folder = mkdtempSync(join(tmpdir(), 'animal-store-packages-'));
try {
  const modules = values.modules ?? installPackages();
  const output = resolve(values.output);
  const installed = installNode();
  const node = values.node ?? installed;
  if (node === undefined)
    throw new Error('Only Linux x64 has a Node here. Give the path of a Node 24 with --node.');
  buildExecutable({ node: resolve(node), modules: resolve(modules), output });
  process.stdout.write(`${output}\n`);
} catch (error) {
  if ((error as { signal?: unknown }).signal !== 'SIGINT') throw error;
  process.stderr.write(`Interrupted. ${values.output} has not changed.\n`);
  process.exitCode = INTERRUPTED;
} finally {
  rmSync(folder, { recursive: true });
}

/** Builds, packs and installs the packages, as a user does. */
function installPackages(): string {
  const npm = (words: readonly string[], cwd: string) =>
    execFileSync('npm', words, { cwd, stdio: 'inherit' });
  npm(['pack', '--silent', '--workspaces', '--pack-destination', folder], root);
  const tarballs = globSync('*.tgz', { cwd: folder }).map((file) => `./${file}`);
  npm(['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], folder);
  return join(folder, 'node_modules');
}
