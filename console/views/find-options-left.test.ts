import { expect, test } from 'vitest';
import { findOptionsLeft } from './find-options-left.ts';

test.for([
  [{ used: 2 }, { status: 500 }],
  [
    { used: 2, times: 3 },
    { status: 500, times: 1 },
  ],
  [{ used: 3, times: 3 }, undefined],
] as const)('an undo adds a fault with %j again for the requests that were left: %j', ([count, left]) => {
  expect(findOptionsLeft({ id: 7, held: 0, status: 500, ...count })).toEqual(left);
});
