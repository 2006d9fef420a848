import { type Environment, isStartedByNpm } from './environment.ts';
import { type Line, printLines } from './print-message.ts';
import { type Call, describeStartFailure } from './run-task.ts';
import { startCommand } from './start-command.ts';

// Read early: the parent may have ended by the time the program listens.
const parent = process.ppid;

/** Time between two looks at the parent, in ms. */
const PARENT_INTERVAL = 250;

/** How the command of a program has ended. Nothing is set without a command. */
export interface CommandEnd {
  /** Why it could not be started, in one line. */
  readonly commandFailure?: string | undefined;
  /** The signal that ended the run before it had ended. */
  readonly interruption?: NodeJS.Signals | undefined;
  /** Its exit code, if it was started. */
  readonly commandCode?: number | undefined;
}

export interface Program {
  /** What it prints when it has started. */
  readonly announcement: readonly Line[];
  /** A command that the program runs for, with variables to add to the command's environment. */
  readonly command?:
    | { readonly words: readonly string[]; readonly variables: Promise<Environment> }
    | undefined;
  /** Ends the program. @returns the exit code */
  close(how: CommandEnd): Promise<number>;
}

/**
 * Runs a program until SIGINT, SIGTERM or SIGHUP, or until its command ends. An exit code of the command other than 0 wins over
 * the exit code of the program. If a shell of npm started the program, it ends with this shell.
 * @returns the exit code
 */
export async function runProgram(
  name: string,
  { announcement, command, close }: Program,
  { endSoon }: Pick<Call, 'endSoon'>,
): Promise<number> {
  const signalled = Promise.withResolvers<unknown>();
  if (command === undefined) onEnd(signalled.resolve);
  // Next to a command, stdout is for the command's output, which a program may read, and for what the user asked for.
  (command === undefined ? process.stdout : process.stderr).write(printLines(announcement));
  let commandCode: number | undefined;
  let interruption: NodeJS.Signals | undefined;
  if (command === undefined) await signalled.promise;
  else {
    const starting = command.variables.then((variables) => startCommand(command.words, variables));
    const running = await starting.catch(async (error) => {
      await close({ commandFailure: describeStartFailure(error).message });
      throw error;
    });
    onEnd((signal) => {
      interruption = signal;
      running.kill(signal);
    });
    commandCode = await running.ended;
  }
  const ownCode = await close({ interruption, commandCode });
  if (commandCode) process.stderr.write(`${name}: the command ended with exit code ${commandCode}\n`);
  const exitCode = commandCode || ownCode;
  // Otherwise the process ends only when the last line of the log has been read.
  endSoon(exitCode);
  return exitCode;
}

/** Calls back with each signal to end, and with SIGTERM when npm's shell has ended. */
export function onEnd(callback: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, callback);
  if (!isStartedByNpm()) return;
  // A signal to npm ends only the shell between npm and this process, which would keep its port.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback('SIGTERM');
  }, PARENT_INTERVAL).unref();
}
