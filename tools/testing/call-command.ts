import { vi } from 'vitest';
import { attempt, type Call } from '../../common/cli/run-task.ts';
import type { CliResult } from './watch-process.ts';

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls the function of a command in this process, with no other variables than those given. What it prints is returned, and is
 * not printed.
 */
export async function callCommand(
  name: string,
  run: (call: Call) => Promise<number>,
  argv: readonly string[],
  environment: Call['environment'] = {},
): Promise<CliResult> {
  // Standard variables, such as NO_COLOR, are of the process.
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  using stdout = vi.spyOn(process.stdout, 'write').mockImplementation(takeText);
  using stderr = vi.spyOn(process.stderr, 'write').mockImplementation(takeText);
  const before = endSignals.map((signal) => process.listeners(signal));
  const { exitCode, failure } = await attempt(name, run, { argv, environment, endSoon: () => {} });
  vi.unstubAllEnvs();
  // The process of a command ends with them.
  for (const [index, signal] of endSignals.entries())
    for (const listener of process.listeners(signal))
      if (!before[index]?.includes(listener)) process.off(signal, listener);
  const [printed, errors] = [stdout, stderr].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
  return {
    stdout: `${printed}`,
    stderr: `${errors}${failure === undefined ? '' : `${failure}\n`}`,
    exitCode,
  };
}

function takeText(_text: unknown, ...more: readonly unknown[]): boolean {
  const done = more.at(-1);
  if (typeof done === 'function') done();
  return true;
}
