import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, inBrowser, measureWidth, openPage, themes } from '../../tools/testing/browser.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import type { Report } from '../runner/report.ts';
import { runWith, severalDefects } from '../testing/run-suite.ts';
import { reporters } from './reporters.ts';

const skipped = 'list-pets/limit-default';
const ofRun = await runWith(await askDeployment(severalDefects));

/** The report of a run with findings, and with one clause that is not tested. */
const broken: Report = {
  ...ofRun,
  outcomes: ofRun.outcomes.map((one) =>
    one.clause.id === skipped
      ? { ...one, verdict: 'not tested', reason: 'the longest list has 3 animals; 21 are needed' }
      : one,
  ),
};

type PageOptions = BrowserContextOptions & { readonly report?: Report; readonly hash?: string };

/** Opens a report. */
function openReport({ report = broken, hash = '', ...options }: PageOptions = {}): Promise<Page> {
  const file = join(createFolder({ 'report.html': reporters.html?.print(report, {}) ?? '' }), 'report.html');
  return openPage(pathToFileURL(file).href + hash, { timezoneId: 'Asia/Tokyo', locale: 'en-GB', ...options });
}

const openAll = 'for (const fold of document.querySelectorAll("details")) fold.open = true';
const isVisible = async (page: Page, text: string) =>
  (await page.getByText(text).locator('visible=true').count()) > 0;
const background = 'getComputedStyle(document.documentElement).backgroundColor';
/** The ids of a clause of each kind in the report. */
const finding = 'create-pet/int64-exact';
const follower = 'create-pet/stored';
const recommended = 'recommended/challenge';
const passed = 'list-pets/limit-bounds';
const resultOf = (wanted: string) => broken.outcomes.find(({ clause }) => clause.id === wanted);
const sentenceOf = (wanted: string) => resultOf(wanted)?.clause.sentence ?? '';

inBrowser('in light and in dark axe finds no barriers, and nothing scrolls sideways', async () => {
  const page = await openReport();
  await page.evaluate(openAll);
  for (const colorScheme of themes) {
    const width = colorScheme === 'light' ? 1280 : 390;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect([await findBarriers(page), await measureWidth(page)]).toEqual([[], width]);
  }
});

inBrowser('the first screen has the verdict, the findings, and expected and received values', async () => {
  const page = await openReport({ viewport: { width: 1280, height: 900 } });
  expect(await page.title()).toBe('http://127.0.0.1:9/v1 does not conform');
  expect(await page.locator('h1').innerText()).toMatch(/^✗ Does not conform\s+2 findings, \d+ of \d+ req/);
  const quote = `Specification: “${resultOf(finding)?.clause.quote}”`;
  expect(await page.locator('.finding blockquote').first().innerText()).toBe(quote);
  const sides = page.locator('.finding .sides').first();
  const also = '; also 500: "It is refused." instead of 201 or a 4xx for the categoryId -9223372036854775808';
  const values = ['the categoryId 9223372036854775807 when fetched by its id', `9223372036854774784${also}`];
  expect(await sides.innerText()).toBe(`Expected\n${values.join('\nReceived\n')}`);
  expect(await sides.locator('mark').allInnerTexts()).toEqual(['5807', '4784']);
  const { y = 1000, height = 0 } = (await sides.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(900);
  // In the reader's time zone.
  const style = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'Asia/Tokyo' } as const;
  const time = page.locator('.facts time');
  expect(await time.innerText()).toBe(new Date(broken.startedAt).toLocaleString('en-GB', style));
  expect(await time.getAttribute('title')).toBe(broken.startedAt);
  expect((await page.content()).length).toBeLessThan(200_000);
  // A click copies the script as it is.
  await page.locator('.finding button').first().click();
  await page.getByRole('button', { name: 'Copy ✓' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(resultOf(finding)?.script);
});

inBrowser.for([true, false])('the counts filter with a script or without: %s', async (javaScriptEnabled) => {
  const page = await openReport({ javaScriptEnabled, colorScheme: 'dark' });
  const choose = async (label: string) => {
    await page.getByRole('radio', { name: label }).check();
    const kinds = [finding, recommended, skipped].map(async (id) => isVisible(page, sentenceOf(id)));
    return [...(await Promise.all(kinds)), await page.getByText('Endpoints').last().isVisible()];
  };
  await page.locator('.contents').evaluate((list) => list.remove());
  const shown: boolean[][] = [];
  for (const label of ['All', 'Failed', 'Recommendations', 'Not tested', 'Passed'])
    shown.push(await choose(label));
  const only = (place: number) => [0, 1, 2, 3].map((index) => index === place);
  expect(shown).toEqual([[true, true, true, true], only(0), only(1), only(2), only(3)]);
  // Without a script there is no button that does nothing.
  expect((await page.getByRole('button').count()) > 0).toBe(javaScriptEnabled);
  await page.getByRole('radio', { name: 'All' }).check();
  await page.emulateMedia({ media: 'print' });
  for (const id of [finding, follower, skipped, passed])
    expect(await isVisible(page, sentenceOf(id))).toBe(true);
  if (javaScriptEnabled) expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)');
});

inBrowser('a mark of the specification leads to the clause with its evidence', async () => {
  const page = await openReport();
  const row = page.locator('.sentences > li', { hasText: 'int64 · yes · Identifier of the category.' });
  const mark = row.getByRole('link', { name: '✗ fails' });
  await mark.click();
  expect(new URL(page.url()).hash).toBe(`#${finding}`);
  const clause = page.locator(`[id="${finding}"]`);
  expect(await clause.getByText('curl').first().isVisible()).toBe(true);
  // The row itself has every clause that tests the sentence.
  await row.getByText('Identifier of the category.').click();
  await row.getByRole('link', { name: sentenceOf(finding) }).waitFor();
});

inBrowser('known failures have their own section, and fixed ones are listed', async () => {
  const known = { reason: 'The gateway rounds', until: '2030-01-31', isExpired: false };
  const outcomes = broken.outcomes.map((one) => (one.clause.id === finding ? { ...one, known } : one));
  const page = await openReport({ report: { ...broken, outcomes, fixed: [{ clause: passed }] } });
  await page.getByRole('radio', { name: 'Known' }).check();
  expect(await page.locator('.finding:visible h3').allInnerTexts()).toEqual([`! 2. ${sentenceOf(finding)}`]);
  expect(await isVisible(page, 'Known: The gateway rounds (until 2030-01-31)')).toBe(true);
  const links = page.locator('a');
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(hrefs.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  await page.getByRole('radio', { name: 'Passed' }).check();
  expect(await page.getByRole('link', { name: passed }).isVisible()).toBe(true);
});

const hostile = `</pre></script></style>'"><img src=x onerror=hacked=1><script>hacked=1</script>\u202e\x1b[2J &amp; javascript:hacked=1 ${'x'.repeat(500)}`;

inBrowser('strings of a deployment never become markup, and no script but its own runs', async () => {
  const kept = new Set(['verdict', 'level', 'follows', 'conclusion']);
  const spoil = (name: string, value: unknown) =>
    typeof value === 'string' && !kept.has(name) ? `${value}${hostile}` : value;
  // The texts stand in for the data that they are made from.
  const outcomes = broken.outcomes.map(({ failures, suspected, ...texts }) => texts);
  const spoiled = JSON.parse(JSON.stringify({ ...broken, outcomes }), spoil) as Report;
  const viewport = { width: 390, height: 900 };
  const page = await openReport({ report: spoiled, viewport });
  const markup = 'img, script:not(:last-of-type), [onerror], [src], base, iframe';
  const found = `[document.querySelectorAll("${markup}").length, document.scripts.length, typeof hacked]`;
  expect(await page.evaluate(found)).toEqual([0, 1, 'undefined']);
  await page.evaluate(openAll);
  expect(await measureWidth(page)).toBe(390);
  // The whole string is there, with escaped control characters.
  const shown = hostile.replace('\u202e\x1b', '\\u202e\\u001b');
  expect(await page.locator('.finding h3').first().innerText()).toContain(shown);
  expect(await page.locator('.finding pre').last().textContent()).toContain(shown);
  page.removeAllListeners('console');
  const directive = await page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective));
    const script = document.createElement('script');
    script.textContent = 'hacked = 1';
    document.body.append(script);
  })`);
  expect([directive, await page.evaluate('typeof hacked')]).toEqual(['script-src-elem', 'undefined']);
});
