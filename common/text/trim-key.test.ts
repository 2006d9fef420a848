import { expect, test } from 'vitest';
import { describeControl, describeEnds, trimKey } from './trim-key.ts';

test.for([
  ['a-key', 'a-key'],
  ['a-key\n', 'a-key'],
  ['a-key\r\n', 'a-key'],
  ['a-key\n\n', 'a-key'],
  ['a-key\r', 'a-key'],
  ['\na-key', '\na-key'],
  [' a-key ', ' a-key '],
  ['\n', ''],
] as const)('of %j the key is %j', ([text, key]) => {
  expect(trimKey(text)).toBe(key);
});

test.for([
  ['a\tkey', 'a tab (U+0009), which is its character 2'],
  ['key\n', 'a line break (U+000A), which is its character 4'],
  ['key\r', 'a carriage return (U+000D), which is its character 4'],
  ['\ufeffkey', 'a byte order mark (U+FEFF), which is its character 1'],
  ['k\u200bey', 'an invisible character (U+200B), which is its character 2'],
  ['key\u{e0041}', 'an invisible character (U+E0041), which is its character 4'],
  ['a key', undefined],
  ['Schlüssel', undefined],
] as const)('what nobody can see in %j is %j', ([key, description]) => {
  expect(describeControl(key)).toBe(description);
});

test.for([
  ['', 'be empty'],
  [' ', 'be empty'],
  [' key', 'begin with a space'],
  ['key ', 'end with a space'],
  ['a key', undefined],
] as const)('the key %j must not %s', ([key, description]) => {
  expect(describeEnds(key)).toBe(description);
});
