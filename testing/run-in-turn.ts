import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

/** A run of a command. */
interface Row {
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

/**
 * Runs the module of a command, such as `proxy/cli.ts`, once for each row in one process, because most of the time of a
 * command is its start. The arguments must end the command at once.
 *
 * @param environment added to that of this process; a row may add to it.
 * @returns each row with its end. @throws Error when the process ends before all rows have.
 */
export async function runInTurn<One extends Row>(
  file: string,
  rows: readonly One[],
  environment: Readonly<Record<string, string>> = {},
): Promise<(One & Ended)[]> {
  const child = fork(import.meta.filename, [file], { execArgv: [] });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} has ended the process with ${code}.`);
  });
  try {
    return await Array.fromAsync(rows, async (row) => {
      child.send({ args: row.args, environment: { ...environment, ...row.environment } });
      const [ended] = await Promise.race([once(child, 'message'), exited]);
      return { ...row, ...ended };
    });
  } finally {
    exited.catch(() => {});
    child.kill();
  }
}

// The process that runs the command.
if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const [node = '', , file = ''] = process.argv;
  const inherited = { ...process.env };
  // Each run adds its own.
  for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
  let runs = 0;
  process.on('message', async ({ args, environment }: Required<Row>) => {
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      process[name].write = (text) => {
        printed[name] += text;
        return true;
      };
    }
    process.env = { ...inherited, ...environment };
    process.argv = [node, file, ...args];
    process.exitCode = 0;
    runs += 1;
    // The query makes it another module, of which the imports are loaded only once.
    await import(`${pathToFileURL(file)}?${runs}`);
    process.send?.({ ...printed, exitCode: Number(process.exitCode) });
  });
  process.once('disconnect', () => process.exit());
}
