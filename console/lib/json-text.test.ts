import { expect, test } from 'vitest';
import { findJsonParts, formatJson } from './json-text.ts';

test('formatted JSON keeps every number, and each value has its path', () => {
  const json = '[{"id":1e400,"b":{},"a":[ "\\u0041,\\"]"]},-0.0]';
  expect(formatJson(json)).toBe(
    '[\n  {\n    "id": 1e400,\n    "b": {},\n    "a": [\n      "A,\\"]"\n    ]\n  },\n  -0.0\n]',
  );
  for (const other of ['{"a":1', '{"a":1}}', '['.repeat(30_000) + ']'.repeat(30_000), ''])
    expect(formatJson(other)).toBeUndefined();
  const paths = (text: string) =>
    findJsonParts(text).map(({ path, start, end }) => `${path} ${text.slice(start, end)}`);
  expect(paths('[{"id":1,"a":{"id" : "x"}},2]')).toEqual([
    ' [',
    '.0 {',
    '.0.id "id":1',
    '.0.a "a":{',
    '.0.a.id "id" : "x"',
    '.1 2',
  ]);
  expect(paths('}{"a":[1,"cut of')).toEqual([' {', '.a "a":[', '.a.0 1', '.a.1 "cut of']);
});
