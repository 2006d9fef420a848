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
  const print = (level: string) =>
    ofMessages
      .filter(({ severity }) => severity === level)
      .map(({ id, meaning }) => `| \`${id}\` | ${meaning} |`);
  const rowsOf = {
    Error: ['| `required`, `type`, `enum`, `minimum`, … | a keyword of JSON Schema |', ...print('error')],
    Warning: print('warning'),
  };
  const page = readFileSync(file, 'utf8').replaceAll(
    /(?<=\n\| (Error|Warning) \| Meaning \|\n\| --- \| --- \|\n).*?(?=\n\n)/gs,
    (_rows, severity: 'Error' | 'Warning') => rowsOf[severity].join('\n'),
  );
  const rows = Object.values(rowsOf).flat();
  for (const row of [...rows, ...exchangeRules.map(({ id }) => `\`${id}\``)]) expect(page).toContain(row);
  await expect(page).toMatchFileSnapshot(file);
});
