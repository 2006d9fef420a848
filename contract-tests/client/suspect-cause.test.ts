import { expect, test } from 'vitest';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { suspectCause } from './suspect-cause.ts';

test.for<[sent: ExactJson, got: ExactJson, cause: string | undefined]>([
  [9_223_372_036_854_775_807n, 9_223_372_036_854_774_784n, 'rounded to what a double can hold'],
  [9_007_199_254_740_993n, 9_007_199_254_740_992n, 'rounded to what a double can hold'],
  [4_294_967_297n, 1n, 'cut to 32 bits'],
  [1n, 2n, undefined],
  [1n, '1', 'turned into a string'],
  ['007', '7', 'parsed as a number'],
  ['true', true, 'turned into a boolean'],
  ['', null, 'turned into null'],
  [' Rex ', 'Rex', 'trimmed'],
  ['Rex', 'REX', 'its case was changed'],
  ['Zoë', 'ZoÃ«', 'UTF-8 was read as Latin-1'],
  ['猫 Rex', '? Rex', 'stored as Latin-1 or ASCII, with ? for other characters'],
  ['x'.repeat(300), 'x'.repeat(255), 'cut after 255 characters'],
  ['Rex', 'Tom', undefined],
])('%s that came back as %s: %s', ([sent, got, cause]) => {
  expect(suspectCause(sent, got)).toBe(cause);
});
