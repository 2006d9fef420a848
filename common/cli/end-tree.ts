import { type ChildProcess, execFileSync } from 'node:child_process';

/** Whether a process must be `detached` for `endTree`, which makes it the first of a process group. */
export const needsGroup = process.platform !== 'win32';

/** Ends a process, and everything that it has started. */
export function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (needsGroup) process.kill(-pid, 'SIGKILL');
    else execFileSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
  } catch {
    // It has ended.
  }
}
