import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { type Environment, extendEnvironment } from './read-options.ts';
import { UsageError } from './usage-error.ts';

/** A command that is running. */
export interface Running {
  /** Its exit code, or 128 and the number of the signal that ended it. */
  readonly ended: Promise<number>;
  /** Hands a signal on to it; the first SIGINT only where no terminal has done so. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/**
 * Starts a command, which has our stdin, stdout and stderr.
 * @param variables added to its environment; one that is undefined is taken out of it.
 * @throws UsageError when it cannot be started, but on Windows, where a shell starts it and says so.
 */
export async function startBeside(words: readonly string[], variables: Environment): Promise<Running> {
  const [name = '', ...args] = words;
  const isWindows = process.platform === 'win32';
  const options = { env: extendEnvironment(variables), stdio: 'inherit' } as const;
  try {
    // Only a shell finds npm.cmd.
    const child = isWindows
      ? spawn(toShellLine(words), { ...options, shell: true })
      : spawn(name, args, options);
    await once(child, 'spawn');
    const ended = once(child, 'exit').then(([code, signal]) => code ?? 128 + toNumber(signal));
    // Ctrl-C reaches every process of a terminal, and many a test runner gives up all at once when it comes twice.
    let isTold = [0, 1, 2].some((descriptor) => isatty(descriptor));
    const kill = (signal: NodeJS.Signals) => {
      if (signal !== 'SIGINT' || !isTold) child.kill(signal);
      else isTold = false;
    };
    return { ended, kill };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = /\s/.test(name) ? `; without quotes it is -- ${name}` : '';
    const why = code === 'ENOENT' ? `there is no such program${hint}` : message;
    throw new UsageError(`the command ${JSON.stringify(name)} could not be started: ${why}`);
  }
}

function toNumber(signal: NodeJS.Signals): number {
  return constants.signals[signal];
}

/** What `cmd.exe` has a meaning for. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Writes words as one line of `cmd.exe`: each that needs it between quotes as programs read them, and all with what the
 * shell itself would read escaped. Source: the rules of CommandLineToArgvW, and of cross-spawn
 */
export function toShellLine([name = '', ...args]: readonly string[]): string {
  const quoted = args.map((word) =>
    /^[\w.:/\\@=+-]+$/.test(word)
      ? word
      : `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`,
  );
  return [name, ...quoted].map((word) => word.replaceAll(SPECIAL, '^$&')).join(' ');
}
