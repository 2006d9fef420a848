import { expect, test } from 'vitest';
import { listSingles } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { idsOf, runWith } from '../testing/run-suite.ts';
import { askDeployment } from './run-deployment.ts';

const values: readonly Difference[] = [
  ...listSingles(),
  { rateLimit: 'every20th' },
  { fullStore: 'after10' },
];

test.concurrent.for(values)('a mock with the behaviour %j conforms', async (behaviour) => {
  const report = await runWith(await askDeployment({ options: { behaviour } }));
  const required = report.outcomes.filter(({ clause }) => clause.level === 'required');
  expect(idsOf({ outcomes: required }, 'failed', 'error')).toEqual([]);
});
