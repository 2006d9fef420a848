import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toHarmless, toOneLine } from '../text/harmless-text.ts';
import { redact } from '../text/redact.ts';
import { describeListenError } from './describe-listen-error.ts';
import { type Environment, leaveOutColours, readOwnCall } from './environment.ts';
import { isAgent } from './is-agent.ts';
import { describeFileError } from './option-files.ts';
import { findGivenKeys } from './read-options.ts';
import { StartError } from './usage-error.ts';

export interface Call {
  /** Words after the name of the command. */
  readonly argv: readonly string[];
  readonly environment: Environment;
  /** Ends the process soon, although something may still be open. A test does nothing. */
  readonly endSoon: (exitCode: number) => void;
}

/** Time in which the output of a program that has ended can be read, in ms. */
const TIME_TO_READ = 500;

/**
 * Runs a command.
 * @returns its exit code and, if it could not do its task, why, in one line without keys
 */
export async function attempt(name: string, run: (call: Call) => Promise<number>, call: Call) {
  try {
    return { exitCode: await run(call), failure: undefined };
  } catch (error) {
    const { message, exitCode } = describeStartFailure(error, { hasCommand: call.argv.includes('--') });
    const keys = findGivenKeys(call.argv, call.environment);
    return { exitCode, failure: message && `${name}: ${redact(message, keys)}` };
  }
}

/** Exit code of a command that could not do its task. */
const UNFINISHED = 2;

/** Runs the command of this process, and prints why it fails. @param run returns the exit code. */
export async function runTask(name: string, run: (call: Call) => Promise<number>): Promise<void> {
  // That of a command which has not done its task, such as a gate without a verdict, in case it ends on its way.
  process.exitCode = UNFINISHED;
  let unwritten: NodeJS.ErrnoException | undefined;
  // It continues if nobody reads its output.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') unwritten ??= error;
    });
  const endSoon = (exitCode: number) => void setTimeout(() => process.exit(exitCode), TIME_TO_READ).unref();
  const call = readOwnCall();
  if (isAgent(call.environment)) leaveOutColours();
  const { exitCode, failure } = await attempt(name, run, { ...call, endSoon });
  if (failure !== undefined) process.stderr.write(`${failure}\n`);
  process.exitCode = exitCode;
  // What was printed may be a report, and a full disk may have taken none of it.
  await setImmediate();
  if (unwritten === undefined) return;
  process.stderr.write(`${name}: the output could not be written: ${describeFileError(unwritten)}\n`);
  process.exitCode ||= UNFINISHED;
}

interface PortOptions {
  /** The option of the port. @default '--port' */
  readonly portFlag?: string;
  /** True if the program runs a command, which gets the URL of a free port. @default false */
  readonly hasCommand?: boolean;
}

/** Describes in one line why a program did not start. The exit code is 0 after --help, otherwise 2. */
export function describeStartFailure(error: unknown, options: PortOptions = {}) {
  if (error instanceof CommanderError) return { message: undefined, exitCode: error.exitCode };
  const { portFlag = '--port', hasCommand = false } = options;
  const toHint = (port: number) =>
    hasCommand
      ? `Try ${portFlag} 0 if the command takes its URL from a variable.`
      : `Try ${portFlag} ${findOtherPort(port)}.`;
  const known =
    error instanceof StartError
      ? error.message
      : describeListenError(error, toHint, '--host or ANIMAL_STORE_HOST');
  // Only an internal error has a stack trace.
  return {
    message: known === undefined ? toHarmless(inspect(error)) : toOneLine(known),
    exitCode: UNFINISHED,
  };
}

/** Lowest port that every user may listen on. */
const LOWEST_PORT = 1024;

/** Returns a port to try instead. It is fixed, because the URL of a free port changes with each start. */
function findOtherPort(port: number): number {
  if (port < LOWEST_PORT) return port + 8_000;
  // Next to another mock, its checked proxy has the next port. None is above 65535.
  return port > 60_000 ? port - 10 : port + 10;
}
