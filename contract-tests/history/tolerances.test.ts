import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Facts } from './facts.ts';
import type { ListAnswer } from './history.ts';
import { hasNoRoom, tolerances } from './tolerances.ts';

test('docs/decisions/suite.md has the tolerances', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/decisions/suite.md'), 'utf8');
  const rows = Object.entries(tolerances).map(([name, sentence]) => `| ${name} | ${sentence} |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test('an empty list has room for animals, also if lists have lengths by chance', () => {
  const facts: Partial<Facts> = { haveLengthsByChance: true };
  const list = (...ids: bigint[]) => ({ ids: new Set(ids), query: { limit: 20 } }) as unknown as ListAnswer;
  expect(hasNoRoom(list(1n), [], facts as Facts)).toBe(true);
  expect(hasNoRoom(list(), [], facts as Facts)).toBe(false);
});

test('where lists are in an order by id, only what comes next needs room, also if it is not known yet', () => {
  const list = { ids: new Set([1n, 2n]), query: { limit: 20 } } as unknown as ListAnswer;
  const missing = [
    { id: 9n, name: 'x'.repeat(5_000) },
    { id: 4n, name: 'Rex' },
  ];
  const common = { roomOf: () => 100, largestOfOthers: 0, longestUpTo: () => 10 };
  const isFull = (facts: Partial<Facts>) => hasNoRoom(list, missing, { ...common, ...facts } as Facts);
  const sizes = new Map([
    [4n, 20],
    [9n, 5_020],
  ]);
  expect(isFull({ idOrder: 'ascending', sizes })).toBe(false);
  expect(isFull({ idOrder: 'ascending', sizes: new Map([...sizes, [3n, 5_020]]) })).toBe(true);
  expect(isFull({ idOrder: undefined, sizes })).toBe(true);
});
