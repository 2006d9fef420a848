import { expect, inject, test } from 'vitest';
import { triedChoices } from '../../common/behaviour/behaviours.ts';
import { choices } from '../../common/behaviour/choices.ts';
import { drawDifference } from '../../tools/testing/draw-difference.ts';
import { listValues } from '../../tools/testing/list-values.ts';
import { expectLearned } from '../testing/expect-learned.ts';

const limits = ['limitWord', 'limitFraction', 'limitLeadingZero', 'limitEmpty'] as const;
const others = [
  ['uniqueNames', 'ignoringCase'] as const,
  ['uniqueNames', 'conflict'] as const,
  ['uniqueNames', 'conflictIgnoringCase'] as const,
  ['errorCodes', { '400 limit': 'LIMIT', '400 malformed': 'JSON', '404 path': 'ROUTE' }] as const,
  ['pageSize', 12] as const,
  ['limitAbove100', 30] as const,
  ['longestName', 100] as const,
  ...limits.flatMap((name) => listValues(name).map((value) => [name, value] as const)),
  ['emptyNames', 'blank'] as const,
  ['otherMediaTypes', 'read'] as const,
  ['errorMembers', { timestamp: 'string', path: 'string' }] as const,
  ['animalMembers', { updatedAt: 'string', tags: 'array' }] as const,
  ['animalMembers', { isOld: 'boolean', single: { _links: 'object' } }] as const,
  ['ids', 'random:6'] as const,
  ['ids', 'time'] as const,
];

const singles = [...triedChoices.map((name) => [name, choices[name].values[1]] as const), ...others].map(
  ([name, value]) => ({
    name,
    behaviour: { [name]: value },
  }),
);

/** A run against a deployment that shows each new animal late, in ms. */
const SLOW_RUN = 300_000;

test.concurrent.for(singles)(
  'the behaviour $behaviour is learned',
  { timeout: SLOW_RUN },
  async ({ name, behaviour }) => {
    expect(await expectLearned(behaviour)).toContain(name);
  },
);

const seeds = Array.from({ length: inject('roundTrips') }, (_, seed) => seed);

test.concurrent.for(seeds)(
  'nothing is learned wrongly from the behaviour drawn with seed %i',
  { timeout: SLOW_RUN },
  async (seed) => {
    expect((await expectLearned(drawDifference(seed))).length).toBeGreaterThan(18);
  },
);
