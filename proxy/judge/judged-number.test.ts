import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgedInt64, toJudgedNumber, toJudgedValue } from './judged-number.ts';

test('an integer is within int64 if and only if its judged number is within the judged bounds', () => {
  const near = fc.bigInt({ min: -5000n, max: 5000n });
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    near.map((offset) => 2n ** 63n + offset),
    near.map((offset) => -(2n ** 63n) + offset),
    fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }),
  );
  fc.assert(
    fc.property(integer, (value) => {
      const number = toJudgedNumber(value);
      const isJudgedWithin = number >= judgedInt64.minimum && number <= judgedInt64.maximum;
      expect(isJudgedWithin).toBe(value >= -(2n ** 63n) && value < 2n ** 63n);
    }),
    { numRuns: 2000 },
  );
});

test('what a double holds is itself', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(toJudgedNumber(BigInt(value))).toBe(value + 0);
    }),
  );
});

test('integers are found at any depth, all else stays', () => {
  const value = { a: [1n, { b: 9223372036854775807n }], c: 'x', d: null, e: true, f: 1.5 };
  expect(toJudgedValue(value)).toEqual({
    a: [1, { b: 2 ** 63 - 1024 }],
    c: 'x',
    d: null,
    e: true,
    f: 1.5,
  });
});
