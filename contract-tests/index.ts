import '../common/expect-node.ts';
import { createDeadline } from './core/deadline.ts';
import { createSendRequest } from './core/send-request.ts';
import { expectReady } from './expect-ready.ts';
import type { Report } from './report.ts';
import { runSuite } from './run.ts';
import { resolveVerifyOptions, type VerifyOptions } from './verify-options.ts';

export { UsageError } from '../common/usage-error.ts';
export { type ConformanceOptions, describeConformance, type TestFunctions } from './describe-conformance.ts';
export { CouldNotTell, type Report, type Result, type Traffic, type Verdict } from './report.ts';
export type { VerifyOptions } from './verify-options.ts';

/**
 * Verifies a deployment as the command does. It prints nothing and never ends the process. The report has no key, but texts
 * of the deployment may have control characters.
 *
 * @returns the report, with the verdict.
 * @throws UsageError naming the option that is wrong and what was expected; CouldNotTell when the deployment cannot be
 * reached or refuses the key.
 */
export async function verifyDeployment(options: VerifyOptions): Promise<Report> {
  const { target, signal: interruption, ...others } = await resolveVerifyOptions(options);
  const signal = createDeadline(target, interruption);
  // A server may serve no more than one connection at a time.
  const sendRequest = createSendRequest(target);
  const { accepted } = await expectReady(target, sendRequest, signal);
  return runSuite(target, { ...others, sendRequest, signal, accepted });
}
