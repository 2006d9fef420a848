import { inject, test } from 'vitest';
import { drawDifference } from '../../tools/testing/draw-difference.ts';
import { expectConformance } from '../testing/expect-conformance.ts';

const seeds = Array.from({ length: inject('drawnBehaviours') }, (_, seed) => seed);

test.concurrent.for(seeds)('a mock with the behaviour the behaviour drawn with seed %i conforms', (seed) =>
  expectConformance(drawDifference(seed)),
);
