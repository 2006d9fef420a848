import { expect, test } from 'vitest';
import type { Result } from '../runner/report.ts';
import { printCompared, printDuration } from './parts.ts';

test.for([
  [0.1234, '0.123 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [12_345, '12.3 s'],
  [119_900, '120 s'],
  [120_000, '2 min'],
  [900_000, '15 min'],
] as const)('%d ms are printed as %s', ([ms, printed]) => {
  expect(printDuration(ms)).toBe(printed);
});

test.for([
  [{ responses: 12, lists: 12, animals: 41 }, '41 animals in 12 lists'],
  [{ responses: 1, lists: 1, animals: 1 }, '1 animal in 1 list'],
  [{ responses: 3, lists: 1, animals: 4 }, '4 animals in 3 responses'],
  [{ responses: 1, lists: 0, animals: 0 }, '1 response'],
] as const)('%o is printed as %s', ([compared, printed]) => {
  expect(printCompared({ compared } as Result)).toBe(printed);
});
