import { expect, test } from 'vitest';
import { printDuration } from './print-duration.ts';

test.for([
  [0, '<1 ms'],
  [0.99, '<1 ms'],
  [1, '1 ms'],
  [46.92, '47 ms'],
] as const)('%d milliseconds are printed as %s', ([ms, text]) => {
  expect(printDuration(ms)).toBe(text);
});
