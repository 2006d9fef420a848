import { expect, test } from 'vitest';
import { Latest } from './latest.ts';

const entryAt = (time: Date) => ({ id: 0, time });

test('an entry of a request that arrived before all were removed is not added, and ids continue', () => {
  const latest = new Latest(2);
  const before = new Date(Date.now() - 1);
  expect(latest.add(entryAt(before))).toBe(true);
  latest.clear();
  expect(latest.add(entryAt(before))).toBe(false);
  expect(latest.add(entryAt(new Date(Date.now() + 1_000)))).toBe(true);
  expect(latest.list().map(({ id }) => id)).toEqual([2]);
});

test('removing some entries keeps later ones, whenever their requests arrived', () => {
  const latest = new Latest(2);
  const early = new Date(0);
  for (let count = 0; count < 3; count += 1) latest.add(entryAt(early));
  latest.clear(2);
  expect(latest.add(entryAt(early))).toBe(true);
  expect(latest.list().map(({ id }) => id)).toEqual([3, 4]);
});
