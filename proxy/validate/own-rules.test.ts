import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownRules } from './own-rules.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/animal-store-proxy.md'), 'utf8');

test('the reference page explains each rule, and no other one', () => {
  const [, table = ''] = /\n\| Rule \| Meaning \|\n(.*?)\n\n/s.exec(page) ?? [];
  const rows = table.split('\n').slice(1);
  const names = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)]);
  const ofSchema = ['required', 'type', 'enum', 'minimum'];
  expect(new Set(names.map(([, name]) => name))).toEqual(new Set([...ofSchema, ...ownRules]));
});
