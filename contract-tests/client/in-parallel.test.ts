import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('every item has its turn, a few at once', async () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await inParallel(items, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await delay(1);
    underWay -= 1;
    done.push(item);
  });
  expect(done.toSorted((one, other) => one - other)).toEqual(items);
  expect(most).toBe(8);
});

test('the failure that is told is that of the first item, though another has failed sooner', async () => {
  const begun: number[] = [];
  const run = inParallel([30, 1, 20, 5, 6, 7, 8, 9, 10, 11], async (ms) => {
    begun.push(ms);
    await delay(ms);
    throw new Error(`${ms}`);
  });
  await expect(run).rejects.toThrow('30');
  expect(begun).toEqual([30, 1, 20, 5, 6, 7, 8, 9]);
});
