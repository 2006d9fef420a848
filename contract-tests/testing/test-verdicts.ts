import { type ExpectStatic, test } from 'vitest';
import { resolveTarget } from '../core/target.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { runSuite } from '../run.ts';

/** How many cases a property is tried with: there are hundreds of deployments, and tables are tried besides. */
const RUNS = 8;

/** Tests that the suite fails each deployment on just the clauses that it breaks; some run at once, since most wait. */
export function testVerdicts(title: string, deployments: readonly Deployment[]): void {
  test.concurrent.for(deployments)(title, { timeout: 30_000 }, (deployment, { expect }) =>
    expectVerdicts(deployment, expect),
  );
}

/** Clauses about the whole store may fail besides: they meet whatever breaks another clause. */
async function expectVerdicts(deployment: Deployment, expect: ExpectStatic): Promise<void> {
  const { breaks } = deployment;
  const { url, close } = await startDeployment(deployment);
  const target = resolveTarget({ apiKey: 'test-key', runs: RUNS, ...deployment.target, baseUrl: url });
  const results = await runSuite(target).finally(close);
  const of = (wanted: string) => results.filter(({ verdict }) => verdict.kind === wanted);
  expect(of('error').map(({ clause, verdict }) => ({ clause: clause.id, verdict }))).toEqual([]);
  const isBesides = (id: string) => id.startsWith('store/') && !breaks.includes(id) && breaks.length > 0;
  const failed = of('failed').filter(({ clause }) => !isBesides(clause.id));
  const evidence = failed.map(({ clause, verdict }) => `${clause.id}: ${showVerdict(verdict)}`).join('\n');
  expect(failed.map(({ clause }) => clause.id).toSorted(), evidence).toEqual(breaks.toSorted());
}

/** A verdict without its exchange, whose key and bodies are long. */
function showVerdict(verdict: object): string {
  return JSON.stringify({ ...verdict, exchange: undefined });
}
