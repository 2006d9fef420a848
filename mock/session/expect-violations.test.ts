import { expect, test } from 'vitest';
import { expectSomeChecked } from './expect-violations.ts';

const listed = { isChecked: true, operation: 'listPets' } as const;

test('of an operation without a request nothing was checked, unless the journal is full and may have dropped one', () => {
  const check = (count: number) => () =>
    expectSomeChecked(Array(count).fill(listed), { operation: 'createPet' });
  expect(check(999)).toThrow('The journal has no request of createPet, so nothing was checked.');
  expect(check(1_000)).not.toThrow();
});

test('an operation whose requests went past the checked proxy was not checked, also in a full journal', () => {
  const added = { isChecked: false, operation: 'createPet' } as const;
  const all = [added, ...Array(999).fill(listed)];
  expect(() => expectSomeChecked(all, { operation: 'createPet' })).toThrow(
    'The only request of createPet was sent past the checked proxy, so nothing was checked.',
  );
});
