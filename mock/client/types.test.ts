import { expect, onTestFinished, test, vi } from 'vitest';
import { printInt64, rawJson, readInt64 } from './types.ts';

test('ids keep every digit, and a number is printed as its user wrote it', () => {
  const text = '{"id":9007199254740993,"categoryId":1}';
  const pet = JSON.parse(text, readInt64);
  expect(pet).toEqual({ id: 9007199254740993n, categoryId: 1n });
  expect(printInt64(pet)).toBe(text);
  expect(JSON.stringify({ categoryId: rawJson('1.50') })).toBe('{"categoryId":1.50}');
  for (const digits of ['abc', '']) expect(() => rawJson(digits)).toThrow(SyntaxError);
});

test('an engine that is too old is told from a wrong value', () => {
  const { stringify } = JSON;
  vi.stubGlobal('JSON', { stringify });
  onTestFinished(() => void vi.unstubAllGlobals());
  const since = 'Use Chrome 114, Firefox 135, Safari 18.4, Node 21 or later.';
  const missing = `This engine does not have JSON.rawJSON. ${since}`;
  expect(() => rawJson('1.5')).toThrow(missing);
  expect(() => printInt64({ id: 1n })).toThrow(missing);
  const rounded = `This engine does not show a reviver of JSON.parse the digits of a number. ${since}`;
  expect(() => readInt64('id', 2 ** 60)).toThrow(rounded);
  expect(readInt64('id', 7)).toBe(7n);
});
