import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { callCommand } from '../../tools/testing/call-command.ts';
import type { SendRequest } from '../client/send-request.ts';
import { resolveTarget, type Target, type TargetOptions } from '../client/target.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { answerSome, answerWith, change, combine } from '../deployments/changes.ts';
import type { Answer, Deployment } from '../deployments/deployment.ts';
import { isCreation } from '../deployments/messages.ts';
import { createError } from '../deployments/replies.ts';
import { askDeployment, startDeployment } from '../deployments/run-deployment.ts';
import { describeReport } from '../reporters/describe-report.ts';
import { clauses } from '../rules/clauses.ts';
import { runVerify } from '../run-verify.ts';
import type { Report, Result } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';

/** The command's file. */
export const cli = join(import.meta.dirname, '../bin.js');

/** Calls the function of the command, with a short time to settle unless the arguments have one. An empty key is none. */
export function runCommand(args: readonly string[], key = 'test-key', environment = {}) {
  const all = { FORCE_COLOR: '0', ANIMAL_STORE_API_KEY: key, ...environment };
  const settle = args.includes('--settle') ? [] : ['--settle', '100'];
  return callCommand('animal-store-verify', runVerify, [...args, ...settle], all);
}

/** Starts a deployment until the test has finished. @returns its base URL. */
export async function startForTest(deployment: Partial<Deployment> = {}): Promise<string> {
  const { url, close } = await startDeployment(deployment);
  onTestFinished(close);
  return url;
}

export const clauseIds = clauses.map(({ id }) => id);

/** Completes a target. Without a base URL, nothing is sent there. */
export function createTarget(options: Partial<TargetOptions> = {}): Target {
  const baseUrl = 'http://127.0.0.1:9/v1';
  return resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true, ...options });
}

/** Runs the suite, by default all clauses, with a short time to settle: a deployment in this process is never late. */
export async function runWith(
  sendRequest?: SendRequest,
  options?: Partial<TargetOptions>,
  only = clauseIds,
): Promise<Report> {
  return describeReport(await runSuite(createTarget({ settle: 100, ...options }), { only, sendRequest }));
}

/** Runs the suite against a deployment in this process. */
export async function runInProcess(
  behave: Answer,
  ...others: [options?: Partial<TargetOptions>, only?: string[]]
) {
  return runWith(await askDeployment({ createAnswer: () => behave }), ...others);
}

/** Answers requests by their number with an error. The first request is 1. */
export function refuseSome(isMeant: (count: number) => boolean, status: number, headers = {}): Answer {
  return answerSome(isMeant, createError(status, headers))();
}

/** Lists the ids of the clauses with one of these verdicts. */
export function idsOf({ outcomes }: Pick<Report, 'outcomes'>, ...verdicts: Result['verdict'][]): string[] {
  return outcomes.flatMap(({ clause, verdict }) => (verdicts.includes(verdict) ? [clause.id] : []));
}

/** Breaks one clause, list-pets/limit-is-a-maximum. */
export const noMaximum = { createAnswer: change.query((limit) => limit === '5', { limit: '6' }) };

/** Breaks one clause, list-pets/limit-invalid, which reads no responses of other clauses. */
export const zeroRedirects = { createAnswer: answerWith(({ query }) => query.get('limit') === '0', 302) };

/** A deployment with several defects, which show most parts of a report. */
export const severalDefects: Partial<Deployment> = {
  createAnswer: combine([
    ...brokenDeployments
      .filter(({ name }) => name === 'answers a categoryId exactly and keeps it as a double')
      .flatMap(({ createAnswer = [] }) => createAnswer),
    change.error(() => ({ headers: { 'content-type': 'application/json' } })),
    change.key(isCreation, /^test-key$/),
    answerWith(({ body }) => /9223372036854775808,|:1e400\}$/.test(body), 500),
  ]),
};
