import { expect, test } from 'vitest';
import { expectSomeChecked } from './expect-violations.ts';

const listed = { isChecked: true, operation: 'listPets' } as const;

test('of an operation without a request nothing was checked, unless the journal is full and may have dropped one', () => {
  const check = (count: number) => () =>
    expectSomeChecked(Array(count).fill(listed), { operation: 'createPet' });
  expect(check(999)).toThrow('The journal has no request of createPet, so nothing was checked.');
  expect(check(1_000)).not.toThrow();
});
