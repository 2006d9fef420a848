import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bodyRules } from './body-rules.ts';
import { exchangeRules } from './exchange-rules.ts';
import { pathRules } from './path-rules.ts';
import { prismRules } from './prism-rules.ts';
import { requestRules } from './request-rules.ts';
import { responseRules } from './response-rules.ts';

const file = join(import.meta.dirname, '../../docs/reference/animal-store-proxy.md');

test('the reference page has each rule: npm run test:update writes them', async () => {
  const ofPrism = Object.entries(prismRules).flatMap(([code, { rule = code, meaning }]) =>
    meaning === undefined ? [] : [{ id: rule, meaning, severity: 'error' }],
  );
  const ofMessages = [...ofPrism, ...requestRules, ...pathRules, ...bodyRules, ...responseRules];
  const rows = [
    '| `required`, `type`, `enum`, `minimum`, … | error | a keyword of JSON Schema |',
    ...ofMessages.map(({ id, severity, meaning }) => `| \`${id}\` | ${severity} | ${meaning} |`),
  ];
  // As functions, since a row may have a $, which is special in a replacement.
  const page = readFileSync(file, 'utf8').replace(
    /(?<=\n\| Rule \| Severity \| Meaning \|\n\| --- \| --- \| --- \|\n).*?(?=\n\n)/s,
    () => rows.join('\n'),
  );
  for (const row of [...rows, ...exchangeRules.map(({ id }) => `\`${id}\``)]) expect(page).toContain(row);
  await expect(page).toMatchFileSnapshot(file);
});
