import { expect, test } from 'vitest';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { Cause } from './failure.ts';
import { suspectChange } from './suspect-change.ts';

test.for<[sent: ExactJson, got: ExactJson, cause: Cause | undefined]>([
  [9_223_372_036_854_775_807n, 9_223_372_036_854_774_784n, { cause: 'rounded to a double' }],
  [9_007_199_254_740_993n, 9_007_199_254_740_992n, { cause: 'rounded to a double' }],
  [9_007_199_254_740_993n, 9_007_199_254_740_994n, { cause: 'rounded to a double' }],
  [-9_007_199_254_740_993n, -9_007_199_254_740_992n, { cause: 'rounded to a double' }],
  // No double.
  [2n ** 60n, 2n ** 60n + 1n, undefined],
  [4_294_967_297n, 1n, { cause: 'cut to 32 bits' }],
  [4_294_967_295n, -1n, { cause: 'cut to 32 bits' }],
  [-1n, 4_294_967_295n, { cause: 'cut to 32 bits' }],
  [1n, 2n, undefined],
  [1n, '1', { cause: 'turned into another type', type: 'string' }],
  [1n, '1.0', { cause: 'turned into another type', type: 'string' }],
  ['1', 1n, { cause: 'turned into another type', type: 'number' }],
  [1n, '2', undefined],
  [1n, [1n], undefined],
  [true, 'true', undefined],
  ['true', true, { cause: 'turned into another type', type: 'boolean' }],
  ['', null, { cause: 'turned into null' }],
  [' Rex ', 'Rex', { cause: 'trimmed' }],
  ['Rex', 'REX', { cause: 'case changed' }],
  ['Zoë', 'ZoÃ«', { cause: 'read as Latin-1' }],
  ['猫 Rex', '? Rex', { cause: 'stored as ASCII' }],
  ['猫 🐈', '猫 ?', undefined],
  ['猫 Rex', '? Tom', undefined],
  ['Rex', 'Tom?', undefined],
  ['é', 'è', undefined],
  ['Rex', '', undefined],
  ['Rex Tom', 'Tom', undefined],
  ['x'.repeat(300), 'x'.repeat(255), { cause: 'cut', characters: 255 }],
  ['Rex\0Tom', 'Rex', undefined],
  ['Rex', 'Tom', undefined],
])('%s that came back as %s: %o', ([sent, got, cause]) => {
  const fault = { expected: printExactJson(sent), received: printExactJson(got) };
  expect(suspectChange(fault)).toEqual(cause);
});

test('of a member that is missing or was added no change is suspected', () => {
  expect(suspectChange({ expected: '1', received: undefined })).toBe(undefined);
  expect(suspectChange({ expected: undefined, received: '1' })).toBe(undefined);
});
