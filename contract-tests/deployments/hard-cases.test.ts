import { test } from 'vitest';
import { isFailure } from '../runner/report.ts';
import { verify } from '../testing/test-verdicts.ts';
import { hardCases } from './hard-cases.deployments.ts';

test.concurrent.for(hardCases)(
  'a deployment that $name does not fail',
  { timeout: 300_000 },
  async (deployment, { expect }) => {
    expect((await verify(deployment)).filter(isFailure)).toEqual([]);
  },
);
