import { expect, onTestFinished, test } from 'vitest';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import { RUNS, withoutReplay } from '../testing/test-verdicts.ts';
import { lawfulDeployments } from './lawful-deployments.ts';
import { startDeployment } from './start-deployment.ts';

test('every lawful deployment has a name of its own', () => {
  const names = lawfulDeployments.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a lawful deployment breaks what is advised at most', () => {
  const broken = lawfulDeployments.flatMap(({ breaks }) => breaks);
  expect(broken.filter((id) => !id.startsWith('advised/'))).toEqual([]);
});

test.for(lawfulDeployments)('a deployment that $name passes', { timeout: 30_000 }, async (deployment) => {
  const { url, close } = await startDeployment(deployment);
  onTestFinished(close);
  const target = resolveTarget({ apiKey: 'test-key', runs: RUNS, ...deployment.target, baseUrl: url });
  const { outcomes } = await runSuite(target, { only: withoutReplay });
  const faults = outcomes
    .filter(({ verdict }) => verdict === 'error' || verdict === 'failed')
    .filter(({ clause }) => !deployment.breaks.includes(clause.id));
  expect(faults).toEqual([]);
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed').map(({ clause }) => clause.id);
  expect(failed).toEqual(deployment.breaks);
});
