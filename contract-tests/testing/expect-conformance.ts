import { expect } from 'vitest';
import type { Difference } from '../../mock/choices/choices.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { isFailure } from '../runner/report.ts';
import { runWith } from './run-suite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Number of drawn behaviours that a test tries. */
    drawnBehaviours: number;
    /** One deployment in so many is tried, of those that `npm test` leaves out. */
    everyOther: number;
  }
}

/** Throws unless a mock with a behaviour, in this process, fails no required clause. */
export async function expectConformance(behaviour: Difference): Promise<void> {
  const { outcomes } = await runWith(await askDeployment({ options: { behaviour } }));
  expect(outcomes.filter((result) => result.verdict === 'error' || isFailure(result))).toEqual([]);
}
