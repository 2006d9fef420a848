import { expect, test } from 'vitest';
import type { ExactJson } from '../../common/exact-json.ts';
import { suspectCause } from './suspect-cause.ts';

test.for<[sent: ExactJson, got: ExactJson, cause: string | undefined]>([
  [9_223_372_036_854_775_807n, 9_223_372_036_854_774_784n, 'rounded to what a double can hold'],
  [9_007_199_254_740_993n, 9_007_199_254_740_992n, 'rounded to what a double can hold'],
  [4_294_967_297n, 1n, 'cut to 32 bits'],
  [3_000_000_000n, 2_147_483_647n, 'held to the range of 32 bits'],
  [1n, 2n, undefined],
  [1n, '1', 'turned into a string'],
  ['007', '7', 'taken for a number'],
  ['true', true, 'turned into a boolean'],
  ['', null, 'turned into null'],
  [' Rex ', 'Rex', 'trimmed'],
  ['Rex', 'REX', 'its case was changed'],
  ['e\u0301', '\u00e9', 'normalised to another Unicode form'],
  ['Zoë', 'ZoÃ«', 'UTF-8 was read as Latin-1'],
  ['猫 Rex', '? Rex', 'kept as Latin-1 or ASCII, with ? for the rest'],
  ['two  spaces', 'two spaces', 'spaces were joined'],
  ['<b> & "', '&lt;b&gt; &amp; &quot;', 'escaped for HTML'],
  ['<b>Rex</b>', 'Rex', 'markup was left out'],
  ['a\u0001b', 'ab', 'control characters were left out'],
  ['x'.repeat(300), 'x'.repeat(255), 'cut after 255 characters'],
  ['Rex', 'Tom', undefined],
])('%s that came back as %s: %s', ([sent, got, cause]) => {
  expect(suspectCause(sent, got)).toBe(cause);
});
