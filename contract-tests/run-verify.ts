import type { Call } from '../common/cli/run-task.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { parseVerifyArguments } from './options.ts';
import { reportFailedStart } from './report-failed-start.ts';
import { runCompare } from './run-compare.ts';
import { verify } from './verify.ts';

/**
 * Runs the command `animal-store-verify`, or its command `compare`.
 * @param interruption ends the run. @returns the exit code. @throws CouldNotTell, UsageError
 */
export async function runVerify(call: Call, interruption?: AbortSignal): Promise<number> {
  const [first, ...argv] = call.argv;
  if (first === 'compare') return runCompare({ ...call, argv });
  try {
    return await verify(parseVerifyArguments(call.argv, call.environment), interruption);
  } catch (error) {
    // After any other failure, the reports are written.
    if (error instanceof UsageError) reportFailedStart(call, error.message);
    throw error;
  }
}
