import { expect, test } from 'vitest';
import { describeValue } from './errors.ts';
import { createReply } from './reply.ts';

test.for([
  [['x'], 'an array'],
  [{ a: 1n }, 'an object'],
  [null, 'null'],
  [12n, '12'],
  [0.5, '0.5'],
  [1, 'a number with a fraction'],
  [Infinity, 'a number far too large'],
  ['a "b"', '"a \\"b\\""'],
] as const)('a message names $1', ([value, name]) => {
  expect(describeValue(value)).toBe(name);
});

test('a message stays short, whatever was sent', () => {
  expect(describeValue('x'.repeat(1e6))).toMatch(/^"x{39}…$/);
});

test('a reply without a body has no headers of a body', () => {
  expect(createReply(204)).toEqual({ status: 204, headers: {}, body: '' });
});
