import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../../testing/start-browser.ts';
import { resolveTarget } from '../client/target.ts';
import { askDeployment } from '../deployments/ask-deployment.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import type { Behaviour } from '../deployments/deployment.ts';
import type { Report } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import { withoutDredd } from '../testing/test-verdicts.ts';
import { reporters } from './reporters.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-'));
const browser = await startBrowser();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  if (typeof browser !== 'string') await browser.close();
});

/** Does several things wrong at once. */
function createBehaviour(): Behaviour {
  const names = [
    'answers a categoryId exactly and keeps it as a double',
    'does not say how to authenticate',
    'adds an animal for the bare key',
    'answers 500 to a categoryId beyond int64',
  ];
  const behaviours = brokenDeployments
    .filter(({ name }) => names.includes(name))
    .flatMap((deployment) => deployment.createBehaviour?.() ?? []);
  return behaviours.reduce(
    (inner, outer) => (request, asMock) =>
      outer(request, (asked) => inner(asked, asMock) as ReturnType<typeof asMock>),
  );
}

async function runReport(deployment: { readonly createBehaviour?: () => Behaviour } = {}): Promise<Report> {
  const sendRequest = await askDeployment({ name: 'is looked at', ...deployment });
  const target = resolveTarget({
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'test-key',
    allowsWrites: true,
    runs: 5,
  });
  return runSuite(target, { only: withoutDredd, sendRequest });
}

const broken = await runReport({ createBehaviour });

interface PageOptions extends BrowserContextOptions {
  readonly report?: Report;
  readonly baseline?: Report;
  readonly hash?: string;
}

/** Opens a report in a browser; nothing may go wrong in it, and nothing but its file be asked for. */
async function openReport(
  skip: (reason: string) => never,
  { report = broken, baseline, hash = '', ...options }: PageOptions = {},
): Promise<Page> {
  if (typeof browser === 'string') return skip(browser);
  const file = join(mkdtempSync(join(folder, 'x')), 'report.html');
  writeFileSync(file, reporters.html?.print(report, { baseline }) ?? '');
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB', ...options });
  const page = await context.newPage();
  const [requests, faults]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => faults.push(message.text()));
  onTestFinished(async () => {
    await context.close();
    expect([requests.filter((url) => !url.startsWith('file:')), faults]).toEqual([[], []]);
  });
  await page.goto(pathToFileURL(file).href + hash);
  return page;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const isVisible = (page: Page, text: string) => page.getByText(text).first().isVisible();
const [finding, follower, advised] = ['create-pet/int64-exact', 'create-pet/stored', 'advised/challenge'];
const [passed, skipped] = ['list-pets/limit-bounds', 'create-pet/category-type'];
const sentenceOf = (wanted: string) =>
  broken.outcomes.find(({ clause }) => clause.id === wanted)?.clause.sentence ?? '';

test.for(
  (['light', 'dark'] as const).flatMap((scheme) => [1280, 390].map((width) => [scheme, width] as const)),
)(
  'in %s, %d pixels wide, all can read it, and nothing scrolls sideways',
  async ([scheme, width], { skip }) => {
    const page = await openReport(skip, { colorScheme: scheme, viewport: { width, height: 900 } });
    await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
    await page.evaluate(axe);
    const faults = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
    );
    expect(faults).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  },
);

test('the first screen shows the verdict, the findings, and what was expected and received', async ({
  skip,
}) => {
  const page = await openReport(skip, { viewport: { width: 1280, height: 900 } });
  expect(await page.title()).toBe('http://127.0.0.1:9/v1 does not conform');
  expect(await page.locator('h1').innerText()).toMatch(
    /^✗ Does not conform\s+3 findings, \d+ of \d+ required clauses tested \(/,
  );
  const sides = page.locator('.finding .sides').first();
  expect(await sides.innerText()).toBe(
    'Expected\nthe categoryId 9223372036854775807 by its id\nReceived\n9223372036854774784',
  );
  expect(await sides.locator('mark').allInnerTexts()).toEqual(['5807', '4784']);
  const { y = 900, height = 0 } = (await sides.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(900);
  // In the zone of the reader.
  const local = new Date(broken.startedAt).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' });
  expect(await page.locator('.facts').innerText()).toContain(local);
});

test.for([true, false])(
  'with a script or without (%s), the counts filter',
  async (javaScriptEnabled, { skip }) => {
    const page = await openReport(skip, { javaScriptEnabled });
    const looksAt = async (label: string) => {
      await page.getByRole('radio', { name: label }).check();
      const kinds = [finding, advised, skipped].map(async (id) => isVisible(page, sentenceOf(id)));
      return [...(await Promise.all(kinds)), await page.getByText('Endpoints').last().isVisible()];
    };
    await page.locator('.contents').evaluate((list) => list.remove());
    expect(await looksAt('All')).toEqual([true, true, true, true]);
    expect(await looksAt('Failed')).toEqual([true, false, false, false]);
    expect(await looksAt('Recommendations')).toEqual([false, true, false, false]);
    expect(await looksAt('Not tested')).toEqual([false, false, true, false]);
    expect(await looksAt('Passed')).toEqual([false, false, false, true]);
  },
);

test('without a script all of it can be read, and no button is there that would do nothing', async ({
  skip,
}) => {
  const page = await openReport(skip, { javaScriptEnabled: false });
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('searchbox').count()).toBe(0);
  expect(await page.locator('.facts').innerText()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  await page.locator('summary', { hasText: 'GET /pets/{petId}' }).last().click();
  expect(await page.locator('.row', { hasText: 'get-pet/right-animal' }).innerText()).toMatch(
    /\d+ exchanges$/,
  );
});

test('the search shows what has the words, in folds too, and Escape brings all back', async ({ skip }) => {
  const page = await openReport(skip);
  expect(await isVisible(page, sentenceOf(passed))).toBe(false);
  await page.keyboard.press('/');
  await page.keyboard.type('LIMIT=1 and');
  expect(await isVisible(page, sentenceOf(passed))).toBe(true);
  expect(await page.locator('.finding:visible').count()).toBe(0);
  await page.keyboard.type(' nothing has this');
  expect(await page.getByRole('status').innerText()).toBe('Nothing here has "LIMIT=1 and nothing has this".');
  await page.keyboard.press('Escape');
  expect(await page.locator('.finding:visible').count()).toBe(4);
  expect(await isVisible(page, sentenceOf(passed))).toBe(false);
});

test('an address whose fragment cannot be decoded opens the report', async ({ skip }) => {
  const page = await openReport(skip, { hash: '#%' });
  expect(await isVisible(page, sentenceOf(finding))).toBe(true);
});

test('a click copies the script as it is', async ({ skip }) => {
  const page = await openReport(skip, { permissions: ['clipboard-read', 'clipboard-write'] });
  const button = page.locator('.finding button').first();
  await button.click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const script = broken.outcomes.find(({ clause }) => clause.id === finding)?.script;
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(script);
});

test.for([finding, follower, skipped, passed])(
  'a link to %s leads there, wherever it is folded',
  async (id, { skip }) => {
    const page = await openReport(skip, { hash: `#${id}`, viewport: { width: 1280, height: 300 } });
    const place = page.locator(`[id="${id}"]`);
    expect(await place.isVisible()).toBe(true);
    const { y = -1 } = (await place.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(300);
  },
);

test('every link of the page has its place, and each id is there once', async ({ skip }) => {
  const page = await openReport(skip, { baseline: await runReport() });
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(links.filter((link) => !ids.includes(link.slice(1)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the theme is switched by a button, and stays', async ({ skip }) => {
  const page = await openReport(skip, { colorScheme: 'light' });
  const readBackground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  await expect.poll(readBackground, { timeout: 5_000 }).toBe('rgb(255, 255, 255)');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(readBackground, { timeout: 5_000 }).toBe('rgb(18, 21, 26)');
  await page.reload();
  await expect.poll(readBackground, { timeout: 5_000 }).toBe('rgb(18, 21, 26)');
});

test.for([true, false])(
  'with a script or without (%s), all is open on paper, which is white',
  async (javaScriptEnabled, { skip }) => {
    const page = await openReport(skip, { javaScriptEnabled, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const id of [finding, follower, skipped, passed])
      expect(await isVisible(page, sentenceOf(id))).toBe(true);
    expect(await page.locator('pre').last().isVisible()).toBe(true);
    const colors = 'getComputedStyle(document.documentElement).backgroundColor';
    if (javaScriptEnabled) expect(await page.evaluate(colors)).toBe('rgb(255, 255, 255)');
  },
);

test('compared with an earlier report the page says what is new, known and fixed', async ({ skip }) => {
  const before = {
    ...broken,
    outcomes: broken.outcomes.map((result) => {
      const { id } = result.clause;
      if (id === passed) return { ...result, verdict: 'failed' as const };
      return [finding, follower].includes(id) ? { ...result, verdict: 'passed' as const } : result;
    }),
  };
  const page = await openReport(skip, { baseline: before });
  expect(await page.locator('header').innerText()).toMatch(
    /Compared with the report of .*: 2 new, \d+ known, 1 fixed/,
  );
  await page.getByRole('radio', { name: 'New' }).check();
  const shown = await page.locator('.finding:visible h3').allInnerTexts();
  expect(shown).toEqual([`✗ ${sentenceOf(finding)}`]);
  await page.getByRole('radio', { name: 'Passed' }).check();
  expect(await page.getByRole('link', { name: sentenceOf(passed) }).isVisible()).toBe(true);
});

const hostile = `</pre></script></style>'"><img src=x onerror=hacked=1><script>hacked=1</script>\u202e\x1b[2J &amp; javascript:hacked=1 ${'x'.repeat(500)}`;

test('texts of a deployment stay texts, in every field', async ({ skip }) => {
  const kept = new Set(['verdict', 'level', 'follows', 'conclusion']);
  const spoil = (name: string, value: unknown) =>
    typeof value === 'string' && !kept.has(name) ? `${value}${hostile}` : value;
  const spoiled = JSON.parse(JSON.stringify(broken), spoil) as Report;
  const viewport = { width: 390, height: 900 };
  const page = await openReport(skip, { report: spoiled, baseline: spoiled, viewport });
  const count =
    'document.querySelectorAll("img, script:not(:last-of-type), [onerror], [src], base, iframe").length';
  expect(await page.evaluate(`[${count}, document.scripts.length, typeof hacked]`)).toEqual([
    0,
    1,
    'undefined',
  ]);
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  // The text is all there, controls as what they are.
  const shown = hostile.replace('\u202e\x1b', '\\u202e\\u001b');
  expect(await page.locator('.finding h3').first().innerText()).toContain(shown);
  expect(await page.locator('.finding pre').last().textContent()).toContain(shown);
});

test('nothing but its own script runs in it', async ({ skip }) => {
  const page = await openReport(skip);
  page.removeAllListeners('console');
  const policies = await page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective));
    const script = document.createElement('script');
    script.textContent = 'hacked = 1';
    document.body.append(script);
  })`);
  expect([policies, await page.evaluate('typeof hacked')]).toEqual(['script-src-elem', 'undefined']);
});

test('it is small', () => {
  expect(Buffer.byteLength(reporters.html?.print(broken, {}) ?? '')).toBeLessThan(100_000);
});
