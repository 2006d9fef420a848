import { expect, onTestFinished, test } from 'vitest';
import { runSuite } from '../run-suite.ts';
import { resolveTarget } from '../target.ts';
import { brokenDeployments } from './broken-deployments.ts';
import type { Deployment } from './deployment.ts';
import { startDeployment } from './start-deployment.ts';

/** The clauses that fail, and in what way the suite itself does. */
async function verify(deployment: Deployment): Promise<{ failed: string[]; errors: string[] }> {
  const { url, close } = await startDeployment(deployment);
  onTestFinished(close);
  const results = await runSuite(resolveTarget({ baseUrl: url, apiKey: 'test-key' }));
  const of = (kind: string) => results.filter(({ verdict }) => verdict.kind === kind);
  return {
    failed: of('failed').map(({ clause }) => clause.id),
    errors: of('error').map(({ clause, verdict }) => `${clause.id}: ${JSON.stringify(verdict)}`),
  };
}

test.for(brokenDeployments)(
  'a deployment that $name fails on just the clauses that it breaks',
  async (deployment) => {
    const { failed, errors } = await verify(deployment);
    expect(errors).toEqual([]);
    expect(failed.toSorted()).toEqual(deployment.breaks.toSorted());
  },
);
