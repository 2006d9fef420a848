import { expect, test } from 'vitest';
import { printReceived } from './print-received.ts';

test.for([
  [3, '"1", "2", "3"'],
  [4, '"1", "2", "3" and 1 more'],
  [12, '"1", "2", "3" and 9 more'],
] as const)('of %i values of one parameter, the first three are shown', ([count, shown]) => {
  const query = Array.from({ length: count }, (_, index) => `limit=${index + 1}`).join('&');
  expect(printReceived({ query, name: 'limit' })).toBe(shown);
});
