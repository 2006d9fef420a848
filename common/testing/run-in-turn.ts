import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a command printed, and how it ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Runs the module of a command, such as `proxy/cli.ts`, once for each row of arguments that end it at once: one after the
 * other in one process, since most of the time of a command goes into its start.
 *
 * @param environment added to that of this process.
 * @returns each row with its end. @throws Error when the process ends before all rows have.
 */
export async function runInTurn<Row extends { readonly args: readonly string[] }>(
  file: string,
  rows: readonly Row[],
  environment: Readonly<Record<string, string>> = {},
): Promise<(Row & Ended)[]> {
  const child = fork(join(import.meta.dirname, 'in-turn-process.ts'), [file], {
    env: { ...process.env, ...environment },
  });
  child.send(rows.map(({ args }) => args));
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} has ended the process with ${code}.`);
  });
  const [ended] = await Promise.race([once(child, 'message'), exited]);
  return rows.map((row, index) => ({ ...row, ...(ended as Ended[])[index] }) as Row & Ended);
}
