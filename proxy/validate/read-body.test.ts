import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedInt64, toCheckedNumber } from './read-body.ts';

test('an integer is within int64 if and only if its checked number is within the checked bounds', () => {
  const near = fc.bigInt({ min: -5000n, max: 5000n });
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.maxSafeInteger().map(BigInt),
    near.map((offset) => 2n ** 63n + offset),
    near.map((offset) => -(2n ** 63n) + offset),
    fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }),
  );
  const property = fc.property(integer, (value) => {
    const number = toCheckedNumber(value);
    const isCheckedWithin = number >= checkedInt64.minimum && number <= checkedInt64.maximum;
    expect(isCheckedWithin).toBe(BigInt.asIntN(64, value) === value);
    if (Number.isSafeInteger(Number(value))) expect(number).toBe(Number(value));
  });
  fc.assert(property, { numRuns: 2000 });
});
