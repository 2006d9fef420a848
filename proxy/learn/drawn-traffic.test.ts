import { expect, inject, test } from 'vitest';
import { namedBehaviours } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { drawDifference } from '../../tools/testing/draw-difference.ts';
import { expectTrue, learnFromTraffic } from '../testing/expect-traffic-learned.ts';

const behaviours: readonly [what: string, behaviour: Difference, resets: number][] = [
  ['the default', {}, 0],
  ['a limited rate and a slow list', namedBehaviours.slow, 0],
  ['a full store', { fullStore: 'after10' }, 0],
  ['pages of 30 and slow replicas', { pageSize: 30, listDelay: 700, getDelay: 200 }, 0],
  ['a limit above 100 that becomes 50', { limitAbove100: 50, longestName: 100 }, 1],
  ['unique names, refused with 409', { uniqueNames: 'conflict' }, 0],
  ['strict', namedBehaviours.strict, 2],
  ['lenient', namedBehaviours.lenient, 1],
];

test.concurrent.for(behaviours)(
  'nothing is learned wrongly from the traffic of %s',
  async ([, behaviour, resets], { onTestFinished }) => {
    const learned = await learnFromTraffic(behaviour, 7, resets, onTestFinished);
    const observed = expectTrue(learned, behaviour);
    expect(observed.length).toBeGreaterThan(14);
  },
);

const seeds = Array.from({ length: inject('roundTrips') }, (_, seed) => seed);

test.concurrent.for(seeds)(
  'nothing is learned wrongly from the traffic of the behaviour drawn with seed %i',
  async (seed, { onTestFinished }) => {
    const behaviour = drawDifference(seed);
    const learned = await learnFromTraffic(behaviour, seed, seed % 3, onTestFinished);
    expect(expectTrue(learned, behaviour).length).toBeGreaterThan(14);
  },
);
