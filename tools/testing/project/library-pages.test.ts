import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const page = read('docs/reference/library.md');

/** The modules that users import, each with the file in which it begins. */
const modules = [
  ['animal-store-mock', 'mock/index.ts'],
  ['animal-store-mock/client', 'mock/client/connect-mock.ts'],
  ['animal-store-mock/browser', 'mock/browser/create-browser-mock.ts'],
  ['animal-store-mock/playwright', 'mock/playwright/test.ts'],
  ['animal-store-mock/types', 'mock/client/types.ts'],
  ['animal-store-proxy', 'proxy/index.ts'],
  ['animal-store-contract-tests', 'contract-tests/index.ts'],
] as const;

test('these are all modules of the packages that a program imports', () => {
  const exported = ['mock', 'proxy', 'contract-tests'].flatMap((folder) => {
    const { name, exports } = JSON.parse(read(`${folder}/package.json`));
    const withTypes = Object.entries<{ types?: string }>(exports).filter(
      ([, { types }]) => types !== undefined,
    );
    return withTypes.map(([path]) => join(name, path));
  });
  expect(exported).toEqual(modules.map(([name]) => name));
});

test.for(modules)('the reference of the libraries names each function of %s', async ([name, file]) => {
  const functions = Object.keys(await import(join(root, file)));
  expect(functions.length).toBeGreaterThan(0);
  expect(functions.filter((one) => !page.includes(`\`${one}\``))).toEqual([]);
  expect(page.includes(`\`${name}\``)).toBe(true);
});
