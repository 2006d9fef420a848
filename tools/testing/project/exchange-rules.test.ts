import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clauses } from '../../../contract-tests/rules/clauses.ts';
import { exchangeRules } from '../../../proxy/validate/exchange-rules.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/animal-store-proxy.md'), 'utf8');

test('each rule of the proxy for one exchange has the id of a clause of the suite', () => {
  const ids = clauses.map(({ id }) => id);
  expect(exchangeRules.length).toBeGreaterThan(0);
  expect(exchangeRules.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

test('docs/reference/animal-store-proxy.md has the rules for one exchange', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+\/[a-z-]+)` \| (.+)\. \|$/gm)].map(([, id, text]) => [
    id,
    text,
  ]);
  expect(rows).toEqual(exchangeRules.map(({ id, sentence }) => [id, sentence]));
});
