import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** What a process of a command left behind. */
export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/**
 * Collects what a process prints, and kills it with the test. `waitFor` resolves with all of stdout so far as soon as it matches.
 */
export function watchProcess(child: ChildProcessWithoutNullStreams) {
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk) => {
      printed[stream] += chunk;
    });
  }
  const ended = once(child, 'close').then(([exitCode]): CliResult => ({ ...printed, exitCode }));
  const waitFor = async (pattern: RegExp) => {
    while (!pattern.test(printed.stdout)) {
      if (child.stdout.readableEnded)
        throw new Error(`stdout ended without ${pattern} in: ${printed.stdout}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
    }
    return printed.stdout;
  };
  return { child, ended, waitFor };
}
