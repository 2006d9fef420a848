import { type ExpectStatic, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../client/target.ts';
import { askDeployment } from '../deployments/ask-deployment.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { isFailure, listHeadlines } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';

/** How many cases a property is tried with: there are hundreds of deployments, and tables are tried besides. */
const RUNS = 5;

/** How long a list may lag behind, in milliseconds: what is not there will not come. */
const SETTLE = 30;

/** The clauses that deployments are tried with: Dredd takes a second for each. */
export const withoutDredd = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));

/** Tests that the suite fails each deployment on just the clauses that it breaks; some run at once, since most wait. */
export function testVerdicts(title: string, deployments: readonly Deployment[]): void {
  test.concurrent.for(deployments)(title, { timeout: 60_000 }, (deployment, { expect }) =>
    expectVerdicts(deployment, expect),
  );
}

/** Where a deployment is that is asked in the process: nothing is sent there. */
const nowhere = { url: 'http://127.0.0.1:9/v1', close: () => {} };

/** Clauses about the whole store may fail besides: they meet whatever breaks another clause. */
async function expectVerdicts(deployment: Deployment, expect: ExpectStatic): Promise<void> {
  const { breaks, overHttp, basePath, createBehaviour } = deployment;
  const needsServer = overHttp || basePath !== undefined || createBehaviour === undefined;
  const { url, close } = needsServer ? await startDeployment(deployment) : nowhere;
  const target = resolveTarget({
    apiKey: 'test-key',
    allowsWrites: true,
    runs: RUNS,
    settle: SETTLE,
    ...deployment.target,
    baseUrl: url,
  });
  const sendRequest = needsServer ? undefined : await askDeployment(deployment);
  const { outcomes } = await runSuite(target, { only: withoutDredd, sendRequest }).finally(close);
  const of = (wanted: string) => outcomes.filter(({ verdict }) => verdict === wanted);
  expect(of('error')).toEqual([]);
  const required = listHeadlines({ outcomes }).filter(isFailure);
  // A defect of a recommendation has none.
  expect(required.length).toBeLessThanOrEqual(deployment.headlines?.[0] ?? 1);
  if (deployment.headlines !== undefined) expect(required).toHaveLength(deployment.headlines[0]);
  const isBesides = (id: string) => id.startsWith('store/') && !breaks.includes(id) && breaks.length > 0;
  const failed = of('failed').filter(({ clause }) => !isBesides(clause.id));
  const unexpected = failed.filter(({ clause }) => !breaks.includes(clause.id));
  expect(failed.map(({ clause }) => clause.id).toSorted(), JSON.stringify(unexpected)).toEqual(
    breaks.toSorted(),
  );
}
