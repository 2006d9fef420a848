import { inject, test } from 'vitest';
import { isFailure } from '../runner/report.ts';
import { verify } from '../testing/test-verdicts.ts';
import { hardCases } from './hard-cases.deployments.ts';

test.concurrent.for(hardCases.filter((_, index) => index % inject('everyOther') === 0))(
  'a deployment that $name does not fail',
  { timeout: 300_000 },
  async (deployment, { expect }) => {
    expect((await verify(deployment)).filter(isFailure)).toEqual([]);
  },
);
