import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { type Environment, extendEnvironment } from './read-options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Starts a command with our stdin, stdout and stderr.
 * @param variables for its environment; undefined removes a variable.
 * @returns a promise of its exit code, or of 128 and the number of the signal that ended it, and a function that forwards a
 * signal.
 * @throws UsageError if the command cannot be started. On Windows the shell that starts it prints the error.
 */
export async function startCommand(words: readonly string[], variables: Environment) {
  const [name = '', ...args] = words;
  const options = { env: extendEnvironment(variables), stdio: 'inherit' } as const;
  try {
    // Only a shell finds npm.cmd.
    const child =
      process.platform === 'win32'
        ? spawn(toShellLine(words), { ...options, shell: true })
        : spawn(name, args, options);
    await once(child, 'spawn');
    const ended = once(child, 'exit').then(
      ([code, signal]) => code ?? 128 + constants.signals[signal as NodeJS.Signals],
    );
    // A terminal sends the first SIGINT to every process. Many test runners give up at once when it arrives twice.
    let skipsInterrupt = [0, 1, 2].some((descriptor) => isatty(descriptor));
    const kill = (signal: NodeJS.Signals) => {
      if (signal !== 'SIGINT' || !skipsInterrupt) child.kill(signal);
      else skipsInterrupt = false;
    };
    return { ended, kill };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = /\s/.test(name) ? `; without quotes it is -- ${name}` : '';
    const why = code === 'ENOENT' ? `there is no such program${hint}` : message;
    throw new UsageError(`the command ${JSON.stringify(name)} could not be started: ${why}`);
  }
}

/** Characters with a meaning in `cmd.exe`. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/** Quotes words as one line of `cmd.exe`. Source: the rules of CommandLineToArgvW, and of cross-spawn */
export function toShellLine([name = '', ...args]: readonly string[]): string {
  const quoted = args.map((word) =>
    /^[\w.:/\\@=+-]+$/.test(word)
      ? word
      : `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`,
  );
  return [name, ...quoted].map((word) => word.replaceAll(SPECIAL, '^$&')).join(' ');
}
