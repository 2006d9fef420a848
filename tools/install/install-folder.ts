import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of a folder with a lock file of its own, unless this lock file is installed already.
 *
 * `npm ci` in the root leaves these packages out, because only maintainers need them.
 *
 * @param folder from the root of the project, such as `tools/prism`
 * @throws if npm fails, whose output is shown
 */
export function installFolder(folder: string): void {
  const path = resolve(root, folder);
  const lockFile = readFileSync(join(path, 'package-lock.json'));
  const digest = createHash('sha256').update(lockFile).digest('hex');
  const stamp = join(path, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  process.stderr.write(`Installing the packages of ${folder}\n`);
  // `npm pack --workspaces --dry-run` gives these two to the npm that a script starts.
  const { npm_config_workspaces: _, npm_config_dry_run: __, ...env } = process.env;
  // On Windows npm is a script for a shell.
  const shell = process.platform === 'win32';
  // What npm prints is not for the standard output of the command that needs the packages.
  const stdio = ['ignore', process.stderr, process.stderr] as const;
  execFileSync('npm', ['ci', ...options], { cwd: path, env, stdio: [...stdio], shell });
  writeFileSync(stamp, digest);
}
