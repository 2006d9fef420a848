import { expect, inject, test } from 'vitest';
import { drawDifference } from '../../common/behaviour/behaviours.ts';
import { expectTrue, learnFromTraffic } from '../testing/expect-traffic-learned.ts';

const seeds = Array.from({ length: inject('roundTrips') }, (_, seed) => seed);

test.concurrent.for(seeds)('nothing is learned wrongly from the traffic of random:%i', async (seed) => {
  const behaviour = drawDifference(seed);
  const observed = expectTrue(await learnFromTraffic(behaviour, seed, seed % 3), behaviour);
  expect(observed.length).toBeGreaterThan(14);
});
