import { expect, test } from 'vitest';
import { clauses } from '../../../contract-tests/rules/clauses.ts';
import { exchangeRules } from '../../../proxy/validate/exchange-rules.ts';

test('each rule of the proxy for one exchange has the id of a clause of the suite', () => {
  const ids = clauses.map(({ id }) => id);
  expect(exchangeRules.length).toBeGreaterThan(0);
  expect(exchangeRules.filter(({ id }) => !ids.includes(id))).toEqual([]);
});
