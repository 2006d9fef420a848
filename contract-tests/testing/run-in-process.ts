import type { SendRequest } from '../client/send-request.ts';
import { resolveTarget, type Target, type TargetOptions } from '../client/target.ts';
import { askDeployment } from '../deployments/ask-deployment.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { answerSome, answerWith, change, combine } from '../deployments/changes.ts';
import type { Behaviour, Deployment } from '../deployments/deployment.ts';
import { createError } from '../deployments/replies.ts';
import { isCreation } from '../deployments/requests.ts';
import type { Report, Result } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import { withoutDredd } from './test-verdicts.ts';

/** Completes a target. @param options without a base URL, nothing is sent there. */
export function createTarget(options: Partial<TargetOptions> = {}): Target {
  return resolveTarget({
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'test-key',
    allowsWrites: true,
    ...options,
  });
}

/** Creates a function that sends requests to a deployment in this process. */
export function askInProcess(deployment: Partial<Deployment> = {}): Promise<SendRequest> {
  return askDeployment({ name: '', ...deployment });
}

/** Runs the suite, by default all clauses without Dredd. */
export function runWith(
  sendRequest: SendRequest | undefined,
  options?: Partial<TargetOptions>,
  only: readonly string[] = withoutDredd,
): Promise<Report> {
  return runSuite(createTarget({ runs: 5, ...options }), { only, sendRequest });
}

/** Runs the suite against a deployment in this process. */
export async function runInProcess(
  behave: Behaviour,
  options?: Partial<TargetOptions>,
  only?: readonly string[],
): Promise<Report> {
  return runWith(await askInProcess({ createBehaviour: () => behave }), options, only);
}

/** Answers the requests of some numbers with an error, and the others as the mock does. The first request is 1. */
export function refuseSome(
  isMeant: (count: number) => boolean,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Behaviour {
  return answerSome(isMeant, () => createError(status, headers))();
}

/** Lists the ids of the clauses with one of these verdicts. */
export function idsOf({ outcomes }: Pick<Report, 'outcomes'>, ...verdicts: Result['verdict'][]): string[] {
  return outcomes.flatMap(({ clause, verdict }) => (verdicts.includes(verdict) ? [clause.id] : []));
}

/** A deployment with several defects, which show most parts of a report. */
export const severalDefects: Partial<Deployment> = {
  createBehaviour: combine([
    ...brokenDeployments
      .filter(({ name }) => name === 'answers a categoryId exactly and keeps it as a double')
      .flatMap(({ createBehaviour = [] }) => createBehaviour),
    change.error(() => ({ headers: { 'content-type': 'application/json' } })),
    change.key(isCreation, /^test-key$/),
    answerWith(({ body }) => /9223372036854775808,|:1e400\}$/.test(body), createError(500)),
  ]),
};
