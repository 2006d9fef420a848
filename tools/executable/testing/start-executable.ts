import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { watchProcess } from '../../testing/watch-process.ts';

/**
 * Starts the executable with no other variable than the place of its files, so without a PATH and without a home.
 * @param folder for its files, and the current folder of the process, which runs as the owner of the folder
 */
export function startExecutable(file: string, args: readonly string[], folder: string) {
  const { uid } = statSync(folder);
  const child = spawn(file, args, { env: { TMPDIR: folder }, cwd: folder, uid, stdio: 'pipe' });
  child.stdin.end();
  return watchProcess(child);
}

/** Starts the mock of the executable on a free port, and waits until it listens. */
export async function startExecutableMock(file: string, args: readonly string[], folder: string) {
  const mock = startExecutable(file, ['mock', '--port', '0', ...args], folder);
  const announcement = await mock.waitFor(/\ntry: .*\n/);
  const [, url = ''] = /^animal-store-mock listening on (\S+)/.exec(announcement) ?? [];
  return { ...mock, url };
}
