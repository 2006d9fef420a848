import { redact } from '../../common/text/redact.ts';
import { Client } from '../client/client.ts';
import { keysOf } from '../client/secrets.ts';
import { resolveTarget, suiteVersion, type Target } from '../client/target.ts';
import { requiredIds } from '../rules/clauses.ts';
import { conclude, REPORT_VERSION, type Report } from './report.ts';

/** Returns the report of a run that could not start, so that it has neither a deployment nor options. @param reason without keys */
export function reportUnstarted(reason: string): Report {
  const target = resolveTarget({ baseUrl: 'http://localhost', apiKey: '', allowsWrites: false });
  return { ...reportUntried(new Client(target), [], new Date(), reason), baseUrl: '' };
}

/** Returns the report of a run whose deployment cannot be tested. */
export function reportUntried(
  { target, requests }: Client,
  only: readonly string[],
  startedAt: Date,
  reason: string,
): Report {
  const untested = { reason: redact(reason, keysOf(target)), outcomes: [], leftOut: requiredIds };
  const nothing = { requests, animalsAdded: 0, added: [], leftOut: [] };
  return { ...conclude(untested), ...describeRun(target, only, startedAt), ...untested, ...nothing };
}

/** Returns what a report says of the run itself. */
export function describeRun(target: Target, only: readonly string[], startedAt: Date) {
  const { allowsWrites, timeout, deadline, settle, concurrency, categoryId, maxRate } = target;
  const headers = Object.keys(target.headers);
  const given = {
    ...(categoryId !== undefined && { categoryId: String(categoryId) }),
    ...(Number.isFinite(maxRate) && { maxRate }),
    ...(headers.length > 0 && { headers }),
    ...(target.insecure && ({ insecure: true } as const)),
  };
  return {
    version: REPORT_VERSION,
    suite: suiteVersion,
    contract: target.contract.document.info?.version ?? '',
    node: process.versions.node,
    options: { allowsWrites, timeout, deadline, settle, concurrency, only, ...given },
    baseUrl: redact(target.baseUrl, keysOf(target)),
    run: target.runId,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
  };
}
