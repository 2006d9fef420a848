import '../common/expect-node.ts';
import { createDeadline } from './core/deadline.ts';
import { createSendRequest } from './core/send-request.ts';
import { expectReady } from './expect-ready.ts';
import { type Conclusion, concludeReport, type Report } from './report.ts';
import { runSuite } from './run.ts';
import { resolveVerifyOptions, type VerifyOptions } from './verify-options.ts';

export { UsageError } from '../common/usage-error.ts';
export { type ConformanceOptions, describeConformance, type TestFunctions } from './describe-conformance.ts';
export { type Conclusion, CouldNotTell, type Report, type Result, type Traffic } from './report.ts';
export type { VerifyOptions } from './verify-options.ts';

/** What a run has shown, and what that says of the deployment. */
export interface Verification extends Report {
  readonly conclusion: Conclusion;
}

/**
 * Verifies a deployment as the command does; prints nothing, and never ends the process. In the report is no key, but texts of
 * the deployment may hold control characters.
 *
 * @throws UsageError naming the option that is wrong and what was expected; CouldNotTell when the deployment cannot be
 * reached or refuses the key.
 */
export async function verifyDeployment(options: VerifyOptions): Promise<Verification> {
  const { target, signal: interruption, ...others } = await resolveVerifyOptions(options);
  const signal = createDeadline(target, interruption);
  // A server may serve no more than one connection at a time.
  const sendRequest = createSendRequest(target);
  await expectReady(target, sendRequest, signal);
  const report = await runSuite(target, { ...others, sendRequest, signal });
  return { conclusion: concludeReport(report), ...report };
}
