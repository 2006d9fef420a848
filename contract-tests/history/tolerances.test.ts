import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../client/exchange.ts';
import type { Facts } from './facts.ts';
import { type Animal, knownSince, type ListAnswer, type Observation } from './history.ts';
import { hasNoRoom, isLate, tolerances } from './tolerances.ts';

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

test.for<[headers: Record<string, string>, isExcused: boolean]>([
  [{}, false],
  [{ age: '8' }, true],
  // An age has no fractions of a second.
  [{ age: '5' }, true],
  [{ age: '2' }, false],
  // It is older than any response may be.
  [{ age: '3600' }, false],
  [{ 'cache-control': 'max-age=8' }, true],
  [{ 'cache-control': 'max-age=3600' }, true],
  [{ 'x-cache': 'HIT' }, true],
])('a response with the headers %j may lack what is new since 5 s: %s', ([headers, isExcused]) => {
  const response = { status: 200, headers, body: Buffer.from('[]') };
  const exchange = { at: 20_000, response } as Exchange;
  expect(isLate(exchange, 15_000, 0)).toBe(isExcused);
});

test('a status that an animal had before is as new as its return', () => {
  const toObservation = (status: string, index: number) =>
    ({ shown: { status }, exchange: { end: 10 * (index + 1) } }) as unknown as Observation;
  const observations = ['sold', 'pending', 'sold', 'sold'].map(toObservation);
  expect(knownSince({ observations } as unknown as Animal, observations[3] as Observation)).toBe(30);
});
