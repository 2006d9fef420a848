import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedInt64, readBody, toCheckedNumber, toCheckedValue } from './read-body.ts';

test('an integer is within int64 if and only if its checked number is within the checked bounds', () => {
  const near = fc.bigInt({ min: -5000n, max: 5000n });
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    near.map((offset) => 2n ** 63n + offset),
    near.map((offset) => -(2n ** 63n) + offset),
    fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }),
  );
  fc.assert(
    fc.property(integer, (value) => {
      const number = toCheckedNumber(value);
      const isCheckedWithin = number >= checkedInt64.minimum && number <= checkedInt64.maximum;
      expect(isCheckedWithin).toBe(value >= -(2n ** 63n) && value < 2n ** 63n);
    }),
    { numRuns: 2000 },
  );
});

test('what a double holds is itself', () => {
  const isItself = (value: number) => Object.is(toCheckedNumber(BigInt(value)), value + 0);
  fc.assert(fc.property(fc.maxSafeInteger(), isItself));
});

test('integers are found at any depth, all else stays', () => {
  const others = { c: 'x', d: null, e: true, f: 1.5 };
  const checked = toCheckedValue({ a: [1n, { b: 9223372036854775807n }], ...others });
  expect(checked).toEqual({ a: [1, { b: 2 ** 63 - 1024 }], ...others });
});

test('a validator gets no more of a text than it needs', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(readBody({ headers, body: Buffer.from('a=1&'.repeat(100_000)) }).value).toHaveLength(1_000);
});
