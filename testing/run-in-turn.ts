import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A run of a command. */
export interface Row {
  readonly args: readonly string[];
  /** Added to that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a command printed, and how it ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs of one command, which ends by itself, in one process. */
export interface InTurn {
  /** @throws Error when the process ends before the run has. */
  run(row: Row): Promise<Ended>;
  /** Ends the process. */
  stop(): void;
}

/**
 * Starts a process that runs the module of a command, such as `proxy/cli.ts`, again and again, one run after the other,
 * since most of the time of a command goes into its start.
 */
export function startInTurn(file: string): InTurn {
  const child = fork(join(import.meta.dirname, 'in-turn-process.ts'), [file], { execArgv: [] });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} has ended the process with ${code}.`);
  });
  exited.catch(() => {});
  const send = async ({ args, environment }: Row) => {
    child.send({ args, environment });
    const [ended] = await Promise.race([once(child, 'message'), exited]);
    return ended as Ended;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (row) => {
      const ended = last.then(() => send(row));
      last = ended.catch(() => {});
      return ended;
    },
    stop: () => void child.kill(),
  };
}

/**
 * Runs a command once for each row of arguments that end it at once.
 *
 * @param environment added to that of this process; a row may add to it.
 * @returns each row with its end. @throws Error when the process ends before all rows have.
 */
export async function runInTurn<One extends Row>(
  file: string,
  rows: readonly One[],
  environment: Readonly<Record<string, string>> = {},
): Promise<(One & Ended)[]> {
  const { run, stop } = startInTurn(file);
  const ended = rows.map(async (row) => {
    const variables = { ...environment, ...row.environment };
    return { ...row, ...(await run({ args: row.args, environment: variables })) };
  });
  return Promise.all(ended).finally(stop);
}
