import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startBrowser } from './start-browser.ts';

// The files of a worker share it, and Playwright closes it when the worker ends.
const browser = await startBrowser();

/** Declares a test that is skipped if there is no browser. */
export const inBrowser = test.skipIf(typeof browser === 'string');

export const themes = ['light', 'dark'] as const;

/** Opens a page. It may have no errors and send no requests to other origins. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (typeof browser === 'string') throw new Error(browser);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ permissions, ...options });
  const page = await context.newPage();
  // A busy machine may take some seconds.
  page.setDefaultTimeout(20_000);
  const { protocol, host } = new URL(url);
  const [outside, faults]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${protocol}//${host}/`) || request.url().startsWith('data:');
    if (!isOwn) outside.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // Chromium reports each error response, which may be intended.
    if (!message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect([outside, faults]).toEqual([[], []]);
  });
  await page.goto(url);
  return page;
}

/** Returns the width of a page in pixels; more than the window has scrolls sideways. */
export function measureWidth(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth');
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the barriers that axe-core finds on a page. axe inserts styles: open a page with a CSP with `bypassCSP`. */
export async function findBarriers(page: Page): Promise<unknown> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe);
  return page.evaluate(`axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`);
}
