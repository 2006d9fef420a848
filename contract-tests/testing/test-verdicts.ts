import { expect, onTestFinished, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../core/target.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { runSuite } from '../run.ts';

/** How many cases a property is tried with: there are hundreds of deployments, and what is made up comes on top of tables. */
export const RUNS = 8;

/** The clauses that deployments are tried with: Dredd takes a second for each. */
export const withoutReplay = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));

/** Tests that the suite fails each deployment on just the clauses that it breaks. */
export function testVerdicts(deployments: readonly Deployment[]): void {
  test.for(deployments)(
    'a deployment that $name fails on just the clauses that it breaks',
    { timeout: 30_000 },
    expectVerdicts,
  );
}

/** Runs the suite against a deployment, and expects it to fail on just the clauses that the deployment breaks. */
export async function expectVerdicts(deployment: Deployment): Promise<void> {
  const { url, close } = await startDeployment(deployment);
  onTestFinished(close);
  const target = resolveTarget({ apiKey: 'test-key', runs: RUNS, ...deployment.target, baseUrl: url });
  const { outcomes } = await runSuite(target, { only: withoutReplay });
  const of = (wanted: string) => outcomes.filter(({ verdict }) => verdict === wanted);
  expect(of('error')).toEqual([]);
  // What goes over the whole store may meet whatever breaks another clause.
  const isSequence = (id: string) => id.startsWith('store/') && !deployment.breaks.includes(id);
  const failed = of('failed')
    .map(({ clause }) => clause.id)
    .filter((id) => !isSequence(id) || deployment.breaks.length === 0);
  expect(failed.toSorted(), failed.join(', ')).toEqual(deployment.breaks.toSorted());
}
