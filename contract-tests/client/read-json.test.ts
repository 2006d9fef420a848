import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { createTarget } from '../testing/run-suite.ts';
import { listKnownMembers, pickFields, readJson } from './read-json.ts';

const target = createTarget({ apiKey: 'test-key' });

const read = (body: string | Buffer) => readJson(body, target);

test('JSON is read with exact integers, and anything else is none', () => {
  expect(read('{"id":9223372036854775807}')).toEqual({ id: 2n ** 63n - 1n });
  expect(read(Buffer.from('"ä"'))).toBe('ä');
  expect([read('{'), read(''), read(Buffer.from([0x22, 0xe4, 0x22]))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // As a deployment may keep it.
  expect(read(`{"x":${'['.repeat(1_000)}${']'.repeat(1_000)},"y":1}`)).toEqual({ x: [], y: 1n });
});

test('of a string of more than 6,000 characters the beginning, the length and the hash are kept', () => {
  const short = 'x'.repeat(6_000);
  const long = `test-key ${'ä'.repeat(6_000)}`;
  const hash = createHash('sha256').update(long, 'utf16le').digest('hex');
  const kept = `[key] ${'ä'.repeat(991)}… (6009 characters, SHA-256 ${hash})`;
  expect(read(JSON.stringify({ a: [{ b: long, c: short, d: null }], e: 7 }))).toEqual({
    a: [{ b: kept, c: short, d: null }],
    e: 7n,
  });
  expect(read(JSON.stringify(long))).toBe(kept);
  expect(read(JSON.stringify(short))).toBe(short);
});

test('of a long body 500 elements and the known members are kept', () => {
  const known = { id: 1n, name: 'a', categoryId: 2n, status: 's', code: 'c', message: 'm' };
  const pick = (value: ExactJson) => pickFields(value, listKnownMembers(target.contract));
  expect(pick({ ...known, x: 1n })).toEqual(known);
  expect(pick([{ ...known, x: 1n }, 'y', null, [{ x: 1n }]])).toEqual([known, 'y', null, [{}]]);
  const many = pick(Array.from({ length: 501 }, () => 7n)) as readonly unknown[];
  expect(many).toHaveLength(500);
});
