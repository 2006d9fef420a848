import '../common/cli/expect-node.ts';
import { Client, createDeadline } from './client/client.ts';
import { describeReport, describeResult } from './reporters/describe-report.ts';
import { resolveVerifyOptions } from './resolve-verify-options.ts';
import { expectReady } from './runner/expect-ready.ts';
import type { Report } from './runner/report.ts';
import { runSuite } from './runner/run.ts';
import type { VerifyOptions } from './verify-options.ts';

export { UsageError } from '../common/cli/usage-error.ts';
export type { TestFunctions } from '../common/find-test-functions.ts';
export { type ConformanceOptions, describeConformance } from './describe-conformance.ts';
export type { Cause, Failure } from './failures/failure.ts';
export { CouldNotTell, type Report, type Result, type Traffic, type Verdict } from './runner/report.ts';
export type { VerifyOptions } from './verify-options.ts';

/**
 * Verifies a deployment as the command does. It prints nothing and never ends the process. The report has no key, but strings
 * of the deployment may have control characters.
 *
 * @returns the report, with the verdict.
 * @throws UsageError naming the option that is wrong and what was expected; CouldNotTell when the deployment cannot be
 * reached or refuses the key.
 */
export async function verifyDeployment(options: VerifyOptions): Promise<Report> {
  const { target, signal, ...others } = await resolveVerifyOptions(options);
  const client = new Client(target, { signal: createDeadline(target, signal), patience: 0 });
  const ready = await expectReady(target, client);
  const onResult: VerifyOptions['onResult'] = (result, traffic) =>
    others.onResult?.(describeResult(result), traffic);
  return describeReport(await runSuite(target, { ...others, ...ready, onResult }));
}
