import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** File with the hash of the lock file whose packages are installed. */
const STAMP = '.installed';

const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of a folder with a lock file of its own, unless this lock file is installed already.
 *
 * `npm ci` in the root leaves these packages out, because only maintainers need them. The packages are installed next to their
 * place and then renamed, so that two processes can install the same folder at once.
 *
 * @param folder from the root, such as `tools/site`. Its packages come from the registry
 * @throws Error with what npm printed, if npm fails
 */
export function installFolder(folder: string): void {
  const path = resolve(root, folder);
  const lockFile = readFileSync(join(path, 'package-lock.json'));
  const digest = createHash('sha256').update(lockFile).digest('hex');
  const modules = join(path, 'node_modules');
  const isInstalled = () => {
    const stamp = join(modules, STAMP);
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  };
  if (isInstalled()) return;
  process.stderr.write(`Installing the packages of ${folder}\n`);
  const temporary = mkdtempSync(join(path, 'node_modules.'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(path, name), join(temporary, name));
    // On Windows npm is a script for a shell.
    const shell = process.platform === 'win32';
    const { status, stderr } = spawnSync('npm', ['ci', ...options], {
      cwd: temporary,
      encoding: 'utf8',
      shell,
    });
    if (status !== 0) throw new Error(`npm ci failed in ${folder}:\n${stderr}`);
    writeFileSync(join(temporary, 'node_modules', STAMP), digest);
    rmSync(modules, { recursive: true, force: true });
    renameSync(join(temporary, 'node_modules'), modules);
  } catch (error) {
    // Another process was first.
    if (!isInstalled()) throw error;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
