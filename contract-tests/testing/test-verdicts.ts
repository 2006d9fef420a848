import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../client/target.ts';
import { askDeployment } from '../deployments/ask-deployment.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { isFailure, listHeadlines, type Result } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';

/** How many cases a property is tried with: there are hundreds of deployments, and tables are tried besides. */
const RUNS = 5;

/** How long a list may lag behind, in milliseconds: what is not there will not come. */
const SETTLE = 30;

/** The clauses that deployments are tried with: Dredd takes a second for each. */
export const withoutDredd = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));

/** Where a deployment is that is asked in the process: nothing is sent there. */
const nowhere = { url: 'http://127.0.0.1:9/v1', close: () => {} };

/** Runs the suite on a deployment. @throws Error if the suite itself has failed */
export async function verify(deployment: Deployment): Promise<readonly Result[]> {
  const { overHttp, basePath, prepare } = deployment;
  const needsServer = overHttp || basePath !== undefined || prepare !== undefined;
  const { url, close } = needsServer ? await startDeployment(deployment) : nowhere;
  const target = resolveTarget({
    ...{ apiKey: 'test-key', allowsWrites: true, runs: RUNS, settle: SETTLE },
    ...deployment.target,
    baseUrl: url,
  });
  const sendRequest = needsServer ? undefined : await askDeployment(deployment);
  const { outcomes } = await runSuite(target, { only: withoutDredd, sendRequest }).finally(close);
  const error = outcomes.find(({ verdict }) => verdict === 'error');
  if (error !== undefined) throw new Error(`${error.clause.id}: ${error.reason}`);
  return outcomes;
}

/** Prints what failed, as `headline + headline (other clauses)`, or what was left out of a run that conforms. */
export function printVerdict(outcomes: readonly Result[]): string {
  const headlines = listHeadlines({ outcomes }).filter(isFailure).map(toId);
  // The clauses of store/ meet whatever breaks another one.
  const isOther = (id: string) => !headlines.includes(id) && !id.startsWith('store/');
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed').map(toId);
  const others = failed.filter(isOther).toSorted().join(', ');
  const parts = [headlines.join(' + '), others && `(${others})`].filter(Boolean);
  return parts.join(' ') || `conforms${printLeftOut(outcomes)}`;
}

function printLeftOut(outcomes: readonly Result[]): string {
  const isLeftOut = ({ verdict }: Result) => verdict === 'not tested' || verdict === 'not applicable';
  const byCause = Map.groupBy(outcomes.filter(isLeftOut), ({ cause = 'not applicable' }) => cause);
  const print = (results: readonly Result[]) =>
    results.length > 6 ? `${results.length} clauses` : results.map(toId).join(', ');
  return [...byCause].map(([cause, results]) => ` without ${print(results)} (${cause})`).join(' and');
}

const toId = ({ clause }: Result) => clause.id;

const table = readFileSync(join(import.meta.dirname, '../deployments/verdicts.txt'), 'utf8');

/** The expected verdicts, each with the names of the deployments that get it. */
export const expectedVerdicts = table
  .split(/\n\n(?=\S)/)
  .slice(1)
  .map((group) => {
    const [head = '', ...names] = group.trimEnd().split('\n');
    const [verdict = '', reason] = head.split(': ');
    return { verdict, reason, names: names.map((name) => name.trim()) };
  });

/** Returns the expected verdict on a deployment. */
export function expectedOf(wanted: string): string {
  return expectedVerdicts.find(({ names }) => names.includes(wanted))?.verdict ?? 'not in verdicts.txt';
}

/** Tests the verdict on each deployment. Some run at once, since most wait. */
export function testVerdicts(deployments: readonly Deployment[]): void {
  const title = 'a deployment that $name gets the verdict of the table';
  // On a busy machine the runs at once wait for each other.
  test.concurrent.for(deployments)(title, { timeout: 300_000 }, async (deployment, { expect }) => {
    expect(printVerdict(await verify(deployment))).toBe(expectedOf(deployment.name));
  });
}
