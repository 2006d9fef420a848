import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tolerances } from './tolerances.ts';

test('docs/decisions/suite.md has the tolerances', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/decisions/suite.md'), 'utf8');
  const rows = Object.entries(tolerances).map(([name, sentence]) => `| ${name} | ${sentence} |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
