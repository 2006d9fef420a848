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

test('an animal without room hides none that come before it in an order by id', () => {
  const list = { ids: new Set([1n, 2n]), query: { limit: 20 }, bytes: 100 } as unknown as ListAnswer;
  const missing = [
    { id: 4n, name: 'x'.repeat(5_000) },
    { id: 3n, name: 'Rex' },
  ];
  const facts = { largestBytes: 200, largestOfOthers: 0, longestUpTo: () => 10 } as Partial<Facts> as Facts;
  expect(hasNoRoom(list, missing, { ...facts, idOrder: 'ascending' })).toBe(false);
  expect(hasNoRoom(list, missing, { ...facts, idOrder: undefined })).toBe(true);
});
