import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toHarmless, toOneLine } from './harmless-text.ts';
import { createHideGiven, type Environment } from './read-options.ts';
import { type Running, startBeside } from './run-beside.ts';
import { StartError } from './usage-error.ts';

/** Taken as early as can be: the parent may be gone by the time that the program listens. */
const parent = process.ppid;

/** A program that is listening. */
export interface Program {
  /** What it has to say at the start, of whole lines. */
  readonly announcement: string;
  /** A command that runs beside it, and at whose end it ends, with what is added to the command's environment. */
  readonly command?:
    | { readonly words: readonly string[]; readonly variables: Promise<Environment> }
    | undefined;
  /** @returns the exit code. */
  close(): Promise<number>;
  /** Ends it with nothing to tell of, since its command could not be started. */
  abandon(): Promise<unknown>;
}

/** How long the end waits for a reader of the log, in milliseconds. */
const PATIENCE = 500;

/**
 * Runs a program until SIGINT or SIGTERM, or until the command beside it has ended, and says in one line why it does not
 * start. The exit code is the command's if that is not 0, else the program's.
 * @param name stands before what is said of a failure.
 * @param isStartedByNpm whether it ends with its parent, a shell of npm's.
 */
export async function runProgram(
  name: string,
  start: () => Promise<Program>,
  isStartedByNpm: boolean,
): Promise<void> {
  // A program goes on without a reader of what it prints.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const running = await start();
    const stop = async (commandCode = 0) => {
      const ownCode = await running.close();
      const exitCode = commandCode || ownCode;
      process.exitCode = exitCode;
      // By itself the process ends only when the last line of the log has been read.
      setTimeout(() => process.exit(exitCode), PATIENCE).unref();
    };
    if (running.command === undefined) {
      // A second signal says nothing new: npm passes on what the terminal has already sent to every process.
      let stopped: Promise<void> | undefined;
      onEnd(() => (stopped ??= stop()), isStartedByNpm);
      process.stdout.write(running.announcement);
    } else {
      process.stdout.write(running.announcement);
      const command = await startCommand(running.command, running.abandon);
      onEnd(command.kill, isStartedByNpm);
      await stop(await command.ended);
    }
  } catch (error) {
    tellFailure(name, error);
  }
}

async function startCommand(
  { words, variables }: NonNullable<Program['command']>,
  abandon: Program['abandon'],
): Promise<Running> {
  try {
    return await startBeside(words, await variables);
  } catch (error) {
    await abandon();
    throw error;
  }
}

/** Calls back with each signal to end, and when the parent has ended where that counts. */
function onEnd(callback: (signal: NodeJS.Signals) => void, isStartedByNpm: boolean): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, callback);
  if (isStartedByNpm) onParentGone(() => callback('SIGTERM'));
}

/** Runs what ends by itself, and says in one line why it fails. @param run gives the exit code. */
export async function runTask(name: string, run: () => Promise<number>): Promise<void> {
  // It goes on without a reader of what it prints.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    process.exitCode = await run();
  } catch (error) {
    tellFailure(name, error);
  }
}

function tellFailure(name: string, error: unknown): void {
  const { message, exitCode } = describeStartFailure(error);
  if (message !== undefined) process.stderr.write(`${name}: ${createHideGiven()(message)}\n`);
  process.exitCode = exitCode;
}

/** How often the parent is looked at, in milliseconds. */
const INTERVAL = 250;

/**
 * Calls back once when the parent of this process has ended. `npm start` puts a shell between itself and the mock, and a
 * signal to npm ends the shell alone: without this, `kill` would leave a mock behind that holds its port.
 */
function onParentGone(callback: () => void): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, INTERVAL);
  watch.unref();
}

/**
 * Describes in one line why a program did not start. The exit code is 0 after --help, otherwise 2. Only an internal
 * error has a stack trace.
 */
export function describeStartFailure(error: unknown, portFlag = '--port') {
  if (error instanceof CommanderError) return { message: undefined, exitCode: error.exitCode };
  if (error instanceof StartError) return { message: toOneLine(error.message), exitCode: 2 };
  return { message: describeListenError(error, portFlag) ?? toHarmless(inspect(error)), exitCode: 2 };
}

function describeListenError(error: unknown, portFlag: string): string | undefined {
  const { code, syscall, port, address, hostname, message } = error as Record<string, string | undefined>;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const place = `${port} of ${address}`;
  const hint = `Try ${portFlag} 0.`;
  if (code === 'EADDRINUSE') return `Port ${place} is in use. ${hint}`;
  if (code === 'EACCES') return `This user may not listen on port ${place}. ${hint}`;
  return toOneLine(`cannot listen on ${address ?? hostname} (from --host or ANIMAL_STORE_HOST): ${message}`);
}
