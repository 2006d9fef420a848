import { expect, test } from 'vitest';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { Cause } from './failure.ts';
import { suspectChange } from './suspect-change.ts';

test.for<[sent: ExactJson, got: ExactJson, cause: Cause | undefined]>([
  [9_223_372_036_854_775_807n, 9_223_372_036_854_774_784n, { cause: 'rounded to a double' }],
  [9_007_199_254_740_993n, 9_007_199_254_740_992n, { cause: 'rounded to a double' }],
  [4_294_967_297n, 1n, { cause: 'cut to 32 bits' }],
  [1n, 2n, undefined],
  [1n, '1', { cause: 'turned into another type', type: 'string' }],
  ['true', true, { cause: 'turned into another type', type: 'boolean' }],
  ['', null, { cause: 'turned into null' }],
  [' Rex ', 'Rex', { cause: 'trimmed' }],
  ['Rex', 'REX', { cause: 'case changed' }],
  ['Zoë', 'ZoÃ«', { cause: 'read as Latin-1' }],
  ['猫 Rex', '? Rex', { cause: 'stored as ASCII' }],
  ['x'.repeat(300), 'x'.repeat(255), { cause: 'cut', characters: 255 }],
  ['Rex', 'Tom', undefined],
])('%s that came back as %s: %o', ([sent, got, cause]) => {
  const fault = { expected: printExactJson(sent), received: printExactJson(got) };
  expect(suspectChange(fault)).toEqual(cause);
});
