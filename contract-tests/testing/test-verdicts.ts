import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import type { Deployment } from '../deployments/deployment.ts';
import { askDeployment, startDeployment } from '../deployments/run-deployment.ts';
import { ONCE_WRONG } from '../rules/rule.ts';
import { isFailure, listFindings, type Result } from '../runner/report.ts';
import { runWith } from './run-suite.ts';

/** Returns the results of clauses, by default of all, on a deployment. @throws Error if the suite itself has failed */
export async function verify(deployment: Deployment, only?: string[]): Promise<readonly Result[]> {
  const { overHttp, basePath, target } = deployment;
  const server = overHttp || basePath !== undefined ? await startDeployment(deployment) : undefined;
  const sendRequest = server ? undefined : await askDeployment(deployment);
  // A list that lags behind need not be waited for: what is not there will not come.
  const options = { settle: 30, ...target, ...(server && { baseUrl: server.url }) };
  const { outcomes } = await runWith(sendRequest, options, only).finally(server?.close);
  const error = outcomes.find(({ verdict }) => verdict === 'error');
  if (error !== undefined) throw new Error(`${error.clause.id}: ${error.reason}`);
  return outcomes;
}

/**
 * Prints the findings of what failed, as `finding + finding`, or what was left out of a run that conforms. The findings of
 * recommendations are printed if no required clause failed.
 */
export function printVerdict(outcomes: readonly Result[]): string {
  const findings = listFindings({ outcomes });
  const failures = findings.filter(isFailure);
  const shown = (failures.length > 0 ? failures : findings).map(toId);
  return shown.join(' + ') || `conforms${printLeftOut(outcomes)}`;
}

/** Maximum number of clauses that a verdict names. */
const MOST_NAMED = 6;

function printLeftOut(outcomes: readonly Result[]): string {
  const isLeftOut = ({ verdict }: Result) => verdict === 'not tested';
  const byCause = Map.groupBy(outcomes.filter(isLeftOut), ({ cause = 'no verdict' }) => cause);
  const print = (cause: string, results: readonly Result[]) => {
    // What ends a run leaves out all clauses that come later.
    if (cause === 'no verdict') return 'the other clauses';
    if (results.length <= MOST_NAMED) return results.map(toId).join(', ');
    // Not the number, which each new clause would change.
    return results.length > outcomes.length / 2 ? 'most clauses' : 'many clauses';
  };
  return [...byCause].map(([cause, results]) => ` without ${print(cause, results)} (${cause})`).join(' and');
}

const toId = ({ clause }: Result) => clause.id;

const table = readFileSync(join(import.meta.dirname, '../deployments/verdicts.txt'), 'utf8');

/** The verdicts of the deployments that are no rows under the clause that they break, with the names of the deployments. */
export const exceptions = table
  .split(/\n\n(?=\S)/)
  .slice(1)
  .map((group) => {
    const [head = '', ...names] = group.trimEnd().split('\n');
    const [verdict = '', reason] = head.split(': ');
    return { verdict, reason, names: names.map((name) => name.trim()) };
  });

/** Returns the expected verdict on a deployment: the clause that it breaks, or what verdicts.txt says. */
export function expectedOf({ name, breaks }: Deployment): string {
  const exception = exceptions.find(({ names }) => names.includes(name));
  return breaks ?? exception?.verdict ?? 'a row under the clause that it breaks, or in verdicts.txt';
}

/** Returns the clauses that show what is wrong with a deployment: only those that it breaks, or undefined for all. */
export function clausesOf(deployment: Deployment): string[] | undefined {
  const findings = expectedOf(deployment).split(' + ');
  // These are about all responses of a run, which the requests of other clauses need to show.
  const isWhole = findings.some((id) => id === ONCE_WRONG || id.startsWith('store/'));
  return isWhole ? undefined : findings;
}

/** Tests the verdict on each deployment. Some run at once, since most wait. */
export function testVerdicts(deployments: readonly Deployment[]): void {
  const title = 'a deployment that $name gets its verdict';
  // On a busy machine the runs at once wait for each other.
  test.concurrent.for(deployments)(title, { timeout: 300_000 }, async (deployment, { expect }) => {
    expect(printVerdict(await verify(deployment))).toBe(expectedOf(deployment));
  });
}
