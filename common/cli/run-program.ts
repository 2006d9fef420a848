import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toHarmless, toOneLine } from '../text/harmless-text.ts';
import { createHideGiven, type Environment, isStartedByNpm } from './read-options.ts';
import { startCommand } from './start-command.ts';
import { StartError } from './usage-error.ts';

// Read early: the parent may have ended by the time the program listens.
const parent = process.ppid;

export interface Program {
  readonly announcement: string;
  /** A command that the program runs for, with variables to add to the command's environment. */
  readonly command?:
    | { readonly words: readonly string[]; readonly variables: Promise<Environment> }
    | undefined;
  close(): Promise<number>;
}

/** How long the end waits for a reader of the log, in ms. */
const PATIENCE = 500;

const INTERVAL = 250;

/**
 * Runs a program until SIGINT or SIGTERM, or until its command ends. An exit code of the command other than 0 wins over
 * the exit code of the program. If a shell of npm started the program, it ends with this shell.
 */
export function runProgram(name: string, start: () => Promise<Program>): Promise<void> {
  return runTask(name, async () => {
    const { announcement, command, close } = await start();
    const signalled = Promise.withResolvers<unknown>();
    if (command === undefined) onEnd(signalled.resolve);
    process.stdout.write(announcement);
    let commandCode = 0;
    if (command === undefined) await signalled.promise;
    else {
      const starting = command.variables.then((variables) => startCommand(command.words, variables));
      const running = await starting.catch(async (error) => {
        await close();
        throw error;
      });
      onEnd(running.kill);
      commandCode = await running.ended;
    }
    const ownCode = await close();
    const exitCode = commandCode || ownCode;
    // Without this the process ends only when the last line of the log has been read.
    setTimeout(() => process.exit(exitCode), PATIENCE).unref();
    return exitCode;
  });
}

/** Calls back with each signal to end, and with SIGTERM when npm's shell has ended. */
function onEnd(callback: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, callback);
  if (!isStartedByNpm()) return;
  // A signal to npm ends only the shell between npm and this process, which would keep its port.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback('SIGTERM');
  }, INTERVAL).unref();
}

/** Runs a task, and prints in one line why it fails. @param run returns the exit code. */
export async function runTask(name: string, run: () => Promise<number>): Promise<void> {
  // It continues if nobody reads its output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    process.exitCode = await run();
  } catch (error) {
    const { message, exitCode } = describeStartFailure(error);
    if (message !== undefined) process.stderr.write(`${name}: ${createHideGiven()(message)}\n`);
    process.exitCode = exitCode;
  }
}

/** Describes in one line why a program did not start. The exit code is 0 after --help, otherwise 2. */
export function describeStartFailure(error: unknown, portFlag = '--port') {
  if (error instanceof CommanderError) return { message: undefined, exitCode: error.exitCode };
  const known = error instanceof StartError ? error.message : describeListenError(error, portFlag);
  // Only an internal error has a stack trace.
  return { message: known === undefined ? toHarmless(inspect(error)) : toOneLine(known), exitCode: 2 };
}

function describeListenError(error: unknown, portFlag: string): string | undefined {
  const { code, syscall, port, address, hostname, message } = error as Record<string, string | undefined>;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const place = `${port} of ${address}`;
  const hint = `Try ${portFlag} 0.`;
  if (code === 'EADDRINUSE') return `Port ${place} is in use. ${hint}`;
  if (code === 'EACCES') return `This user may not listen on port ${place}. ${hint}`;
  return `cannot listen on ${address ?? hostname} (from --host or ANIMAL_STORE_HOST): ${message}`;
}
