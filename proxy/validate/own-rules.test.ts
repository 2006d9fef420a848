import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownRules } from '../testing/own-rules.ts';
import { exchangeRules } from './exchange-rules.ts';

const file = join(import.meta.dirname, '../../docs/reference/animal-store-proxy.md');

test('the reference page has each rule: npm run test:update writes them', async () => {
  const rows = [
    '| `required`, `type`, `enum`, `minimum`, … | error | a keyword of JSON Schema |',
    ...ownRules.map(({ id, severity, meaning }) => `| \`${id}\` | ${severity} | ${meaning} |`),
  ];
  const ofExchange = exchangeRules.map(({ id, meaning }) => `| \`${id}\` | ${meaning}. |`);
  const page = readFileSync(file, 'utf8')
    .replace(/(?<=\n\| Rule \| Level \| Meaning \|\n\| --- \| --- \| --- \|\n).*?(?=\n\n)/s, rows.join('\n'))
    .replace(/(?<=\n\| Rule \| Meaning \|\n\| --- \| --- \|\n).*?(?=\n\n)/s, ofExchange.join('\n'));
  for (const row of [...rows, ...ofExchange]) expect(page).toContain(row);
  await expect(page).toMatchFileSnapshot(file);
});
