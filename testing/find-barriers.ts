import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What on a page keeps somebody out, as axe-core finds it. It has styles of its own: the page is to be opened with `bypassCSP`. */
export async function findBarriers(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`);
}
