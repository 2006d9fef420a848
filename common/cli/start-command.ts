import { once } from 'node:events';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import spawn from 'cross-spawn';
import { type Environment, extendEnvironment } from './environment.ts';
import { UsageError } from './usage-error.ts';

/**
 * Starts a command with our stdin, stdout and stderr.
 * @param variables for its environment; undefined removes a variable.
 * @returns a promise of its exit code, or of 128 and the number of the signal that ended it, and a function that forwards a
 * signal.
 * @throws UsageError if the command cannot be started.
 */
export async function startCommand(words: readonly string[], variables: Environment) {
  const [name = '', ...args] = words;
  try {
    const child = spawn(name, args, { env: extendEnvironment(variables), stdio: 'inherit' });
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
    throw describeSpawnError(name, error as NodeJS.ErrnoException);
  }
}

/** Returns the error of a command that could not be started. @param name First word of the command. */
export function describeSpawnError(name: string, { code, message }: NodeJS.ErrnoException): UsageError {
  const hint = /\s/.test(name) ? `; without quotes it is -- ${name}` : '';
  const why = code === 'ENOENT' ? `there is no such program${hint}` : message;
  return new UsageError(`the command ${JSON.stringify(name)} could not be started: ${why}`);
}
