import { expect, test } from 'vitest';
import { formatJson } from './format-json.ts';

test.for([
  ['{"id":9007199254740993}', '{\n  "id": 9007199254740993\n}'],
  ['[1e2, 1.50, "2"]', '[\n  1e2,\n  1.50,\n  "2"\n]'],
  ['{"id":', undefined],
] as const)('the body %s is formatted with each number as it was sent', ([body, formatted]) => {
  expect(formatJson(body)).toBe(formatted);
});
