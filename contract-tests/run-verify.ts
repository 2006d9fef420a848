import { readOptions } from '../common/cli/read-options.ts';
import type { Call } from '../common/cli/run-task.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { suiteVersion } from './client/target.ts';
import { compare } from './learn/compare.ts';
import { compareCommand, parseVerifyArguments } from './options.ts';
import { reportFailedStart } from './report-failed-start.ts';
import { verify } from './verify.ts';

/**
 * Runs the command `animal-store-verify`, or its command `compare`.
 * @param interruption ends the run. @returns the exit code. @throws CouldNotTell, UsageError
 */
export async function runVerify({ argv, environment }: Call, interruption?: AbortSignal): Promise<number> {
  if (argv[0] !== 'compare') return runSuiteCommand({ argv, environment }, interruption);
  const given = readOptions(compareCommand, argv.slice(1), { environment, version: suiteVersion });
  const { text, hasDrift } = compare(given.first, given.second);
  process.stdout.write(toHarmless(text));
  return hasDrift && given.failOnDrift ? 1 : 0;
}

async function runSuiteCommand(call: Omit<Call, 'endSoon'>, interruption?: AbortSignal): Promise<number> {
  try {
    return await verify(parseVerifyArguments(call.argv, call.environment), interruption);
  } catch (error) {
    // After any other failure, the reports are written.
    if (error instanceof UsageError) reportFailedStart(call, error.message);
    throw error;
  }
}
