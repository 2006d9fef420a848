import { expect, test } from 'vitest';
import { isRoundedFraction } from './rounded-fraction.ts';

const zeros = '0'.repeat(500_000);

test.for([
  '7.0',
  '70e-1',
  '0.000',
  '-0',
  `7.${'0'.repeat(900)}`,
  '1.5',
  '1e400',
  '9'.repeat(500),
  'pets',
  '',
])('%s is no fraction that a double rounds to an integer', (source) => {
  expect(isRoundedFraction(source)).toBe(false);
});

test('a number with very many digits takes linear time', () => {
  // Quadratic time would take minutes.
  const huge = [`7.${zeros}1`, `7.${zeros}`, `1${zeros}e-5`, '9'.repeat(500_000), `1e${'9'.repeat(500_000)}`];
  expect(huge.map(isRoundedFraction)).toEqual([true, false, false, false, false]);
});
