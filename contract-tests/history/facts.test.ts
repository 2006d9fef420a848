import { expect, test } from 'vitest';
import { createExchange } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { readFacts } from './facts.ts';
import { History } from './history.ts';

/** Returns the history of a run in which one list had so many animals, one time after the other. */
function recordLists(lengths: readonly number[]): History {
  const history = new History(createTarget(), 'contract-test');
  for (const length of lengths) {
    const animals = Array.from({ length }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }));
    const body = JSON.stringify(animals);
    history.record(createExchange({ status: 200, path: '/pets?limit=100', body, isAuthorized: true }), false);
  }
  return history;
}

test.for<[areByChance: boolean, ...lengths: number[]]>([
  [true, 60, 57, 59, 58],
  [false, 60, 57, 60, 57],
  // New animals that come into a list one after the other only make it longer.
  [false, 57, 58, 59, 60, 60],
])('that lists have lengths by chance is %s after %i, %i, %i and %i animals', ([areByChance, ...lengths]) => {
  expect(readFacts(recordLists(lengths)).haveLengthsByChance).toBe(areByChance);
});

test('a list may be as long as any with its limit or a smaller one', () => {
  const history = new History(createTarget(), 'contract-test');
  for (const [limit, length] of [
    [20, 20],
    [50, 10],
  ] as const) {
    const animals = Array.from({ length }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }));
    const told = { status: 200, path: `/pets?limit=${limit}`, isAuthorized: true };
    history.record(createExchange({ ...told, body: JSON.stringify(animals) }), false);
  }
  const { longestUpTo } = readFacts(history);
  expect([19, 20, 50, 100].map(longestUpTo)).toEqual([0, 20, 20, 20]);
});
