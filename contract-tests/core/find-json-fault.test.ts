import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault } from './find-json-fault.ts';

test.for([
  ['', 'at its end, where a value should be'],
  ['{"id":1', 'at its end, where a comma or } should be'],
  ['[1,2', 'at its end, where a comma or ] should be'],
  ["{'id':1}", 'at character 2 of line 1, where a name in double quotes should be'],
  ['{"id" 1}', 'at character 7 of line 1, where a colon should be'],
  ['{"id":1,}', 'at character 9 of line 1, where a name in double quotes should be'],
  ['[1,\n NaN]', 'at character 2 of line 2, where a value should be'],
  ['{"id":01}', 'at character 8 of line 1, where a comma or } should be'],
  ['{"id":1} {"id":2}', 'at character 10 of line 1, where nothing more should be'],
  ['<!doctype html>', 'at character 1 of line 1, where a value should be'],
  ['{"name":"R\nex"}', 'at character 9 of line 1, where a value should be'],
] as const)('%j is not JSON %s', ([text, told]) => {
  expect(findJsonFault(text)).toBe(told);
});

test('it agrees with JSON.parse', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    ' ',
    '\n',
    '"',
    '\\',
  );
  const texts = fc.oneof(
    fc.json(),
    fc.array(parts, { maxLength: 8 }).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => (findJsonFault(text) === undefined) === isJson(text)),
    { numRuns: 5_000 },
  );
});
