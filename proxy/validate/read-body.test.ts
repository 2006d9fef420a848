import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

test('a validator gets no more of a text than it needs', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(readBody({ headers, body: Buffer.from('a=1&'.repeat(100_000)) }).value).toHaveLength(1_000);
});
