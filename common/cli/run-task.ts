import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toHarmless, toOneLine } from '../text/harmless-text.ts';
import { createHideGiven } from './read-options.ts';
import { StartError } from './usage-error.ts';

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
