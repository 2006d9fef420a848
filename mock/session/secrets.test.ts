import { expect, test } from 'vitest';
import { redact } from '../../common/text/redact.ts';
import { Secrets } from './secrets.ts';

test('a key that is set later is redacted as a whole, whether it contains an earlier key or is a part of one', () => {
  const added: string[] = [];
  const secrets = new Secrets(['abcd'], (keys) => added.push(...keys));
  secrets.add(['abcd', 'abcdefgh']);
  secrets.add(['cdef']);
  expect(redact('1 abcd 2 abcdefgh 3 cdef', secrets.keys)).toBe('1 [key] 2 [key] 3 [key]');
  expect([secrets.all, added]).toEqual([
    ['abcd', 'abcdefgh', 'cdef'],
    ['abcdefgh', 'cdef'],
  ]);
});
