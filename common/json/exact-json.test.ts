import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson, printExactJson } from './exact-json.ts';

const zeros = '0'.repeat(500_000);

test.for<[value: unknown, ...texts: string[]]>([
  [0n, '0', '-0', '0.0', '0e99999999999'],
  [100n, '100', '1E+2', '100.0', '100000e-3', '1.00e2', '\r\n\t 1e2'],
  [9007199254740993n, '9007199254740993'],
  [9223372036854775807n, '9223372036854775807', '9.223372036854775807e18'],
  [-9223372036854775808n, '-9223372036854775808'],
  [9223372036854775808n, '9223372036854775808'],
  [10n ** 399n, `1${'0'.repeat(399)}`],
  [1.5, '1.5'],
  [0.1, '1e-1'],
  [0, '1e-999999999'],
  // Quadratic time would take minutes.
  [Infinity, '1e400', '1e999999999', '9'.repeat(1_000_000), `1${zeros}.${zeros}1e-5`],
  ['9007199254740993', '"9007199254740993"'],
])('%s is parsed exactly', ([value, ...texts]) => {
  for (const json of texts) expect(parseExactJson(json)).toBe(value);
});

test.for(['7.00000000000000000001', '9007199254740993.5', '1e-400'])(
  'the fraction %s becomes no integer',
  (source) => {
    expect(typeof parseExactJson(source)).toBe('number');
  },
);

test('what is printed is parsed as the same, every integer exact', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  }));
  const property = fc.property(value, (original) => {
    // A number may stand after white space.
    for (const indent of [undefined, 2])
      expect(parseExactJson(printExactJson(original as never, indent))).toEqual(original);
  });
  fc.assert(property, { seed: 1 });
});
