import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('eight items are processed at a time, and the error of the first item counts', async () => {
  const begun: number[] = [];
  const run = inParallel([30, 1, 20, 5, 6, 7, 8, 9, 10, 11], async (ms) => {
    begun.push(ms);
    await delay(ms);
    throw new Error(`${ms}`);
  });
  await expect(run).rejects.toThrow('30');
  expect(begun).toEqual([30, 1, 20, 5, 6, 7, 8, 9]);
  const done: number[] = [];
  await inParallel(begun, async (item) => void done.push(item), 3);
  expect(done).toEqual(begun);
});
