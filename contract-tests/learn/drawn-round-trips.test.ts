import { expect, inject, test } from 'vitest';
import { drawDifference, listColumns } from '../../common/behaviour/behaviours.ts';
import { expectLearned } from '../testing/expect-learned.ts';

const [firstColumn = {}] = listColumns();
const others = [
  ['uniqueNames', 'ignoringCase'],
  ['ids', 'random:6'],
  ['ids', 'time'],
] as const;
const singles = [...Object.entries(firstColumn), ...others].map(([name, value]) => ({
  name,
  behaviour: { [name]: value },
}));

test.concurrent.for(singles)('the behaviour $behaviour is learned', async ({ name, behaviour }) => {
  expect(await expectLearned(behaviour)).toContain(name);
});

const seeds = Array.from({ length: inject('roundTrips') }, (_, seed) => seed);

test.concurrent.for(seeds)('nothing is learned wrongly from random:%i', async (seed) => {
  expect((await expectLearned(drawDifference(seed))).length).toBeGreaterThan(18);
});
