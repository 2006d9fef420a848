import { inject, test } from 'vitest';
import { drawDifference } from '../../common/behaviour/behaviours.ts';
import { expectConformance } from '../testing/expect-conformance.ts';

const seeds = Array.from({ length: inject('drawnBehaviours') }, (_, seed) => seed);

test.concurrent.for(seeds)('a mock with the behaviour random:%i conforms', (seed) =>
  expectConformance(drawDifference(seed)),
);
