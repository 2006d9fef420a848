import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { docsPages } from './docs-pages.ts';
import { printDocsPage } from './print-docs-page.ts';

const docs = join(import.meta.dirname, '../docs');

afterEach(() => vi.restoreAllMocks());

test.for(Object.values(docsPages))('the page %s exists', (page) => {
  expect(existsSync(join(docs, page))).toBe(true);
});

test('a page is named from the working directory, or by its whole path if it is elsewhere', () => {
  expect(printDocsPage(docsPages.index)).toBe(join('docs', docsPages.index));
  vi.spyOn(process, 'cwd').mockReturnValue(join(docs, '../mock'));
  expect(printDocsPage(docsPages.index)).toBe(join(docs, docsPages.index));
});

test('a page that the documents do not have is not found', () => {
  expect(printDocsPage('guides/nothing.md')).toBeUndefined();
});
