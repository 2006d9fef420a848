import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { CliResult } from './run-cli.ts';

/** A run of a command. */
interface Row {
  readonly args: readonly string[];
  /** Added to that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts a process that runs the module of a command, such as `proxy/cli.ts`, once for each call, because most of the time of
 * a command is its start. The arguments must end the command at once.
 */
export function startInTurn(file: string) {
  const child = fork(import.meta.filename, [file], { execArgv: [] });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} has ended the process with ${code}.`);
  });
  exited.catch(() => {});
  let last: Promise<unknown> = Promise.resolve();
  const send = async ({ args, environment = {} }: Row): Promise<CliResult> => {
    child.send({ args, environment });
    const [ended] = await Promise.race([once(child, 'message'), exited]);
    return ended;
  };
  const run = (row: Row): Promise<CliResult> => {
    const ended = last.then(() => send(row));
    last = ended.catch(() => {});
    return ended;
  };
  return { run, stop: () => void child.kill() };
}

/** Runs a command once for each row. */
export async function runInTurn<One extends Row>(file: string, rows: readonly One[]) {
  const { run, stop } = startInTurn(file);
  return Promise.all(rows.map(async (row) => ({ ...row, ...(await run(row)) }))).finally(stop);
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
