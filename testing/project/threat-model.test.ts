import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/reference/limits.md'), 'utf8');

/** The rows of a limit: its value, its module and its name there. */
const rows = [...page.matchAll(/^\| [^|]+ \| (-?[\d,]+)[^|]* \| [^|]+ \| `([^`]+)` `([^`]+)` \|$/gm)].map(
  ([, value = '', module = '', name = '']) => ({ value: Number(value.replaceAll(',', '')), module, name }),
);

test('every row of the tables is read', () => {
  expect(page.match(/^\| (?!---|Limit )/gm)).toHaveLength(rows.length);
});

test.for(rows)('$name of $module is $value', async ({ value, module, name }) => {
  const file = module.startsWith('node:') ? module : join(root, module);
  const [constant = '', member] = name.split('.');
  const exported = (await import(file))[constant];
  expect(member === undefined ? exported : exported[member]).toBe(value);
});

test('every limit that a module exports is in the table', () => {
  const exclude = ['**/dist/**', '**/node_modules/**', '**/testing/**'];
  const files = globSync('{common,mock,proxy}/**/*.ts', { cwd: root, exclude });
  const limits = files.flatMap((module) => {
    const code = readFileSync(join(root, module), 'utf8');
    const names = code.matchAll(/^export const ((?:MAX|MOST|LONGEST|LARGEST)\w*) =/gm);
    return [...names].map(([, name]) => `${module} ${name}`);
  });
  const listed = rows.map(({ module, name }) => `${module} ${name}`);
  expect(limits.filter((limit) => !listed.includes(limit))).toEqual([]);
});
