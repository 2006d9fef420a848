import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findBarriers } from '../../testing/find-barriers.ts';
import { startBrowser } from '../../testing/start-browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

const browser = await startBrowser();
afterAll(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** Opens the API reference. The test fails on an error in the page, and on a request to another server. */
async function open(
  skip: (reason: string) => never,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  if (typeof browser === 'string') return skip(browser);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const [outside, faults]: [string[], string[]] = [[], []];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) outside.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser prints this for each refusal, which the page shows.
    if (!/^Failed to load resource: .* status of 4/.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    // Pictures in a style are data URLs.
    expect([outside.filter((one) => !one.startsWith('data:')), faults]).toEqual([[], []]);
  });
  await page.goto(url.replace(/\/v1$/, '/docs'));
  await page.locator('.opblock').first().waitFor();
  return page;
}

/** Sends the request of an operation from the page. @returns the status and the body of the response */
async function tryIt(page: Page, operation: string, values: Readonly<Record<string, string>> = {}) {
  const block = page.locator(`#operations-animals-${operation}`);
  await block.locator('.opblock-summary-control').click();
  for (const [name, value] of Object.entries(values)) {
    await (name === 'body' ? block.locator('textarea') : block.getByPlaceholder(name)).fill(value);
  }
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table .response');
  await answer.waitFor();
  const [status] = await answer.locator('.response-col_status').allInnerTexts();
  const [body] = await answer.locator('.highlight-code').allInnerTexts();
  return { status: status?.trim(), body: body?.trim(), block };
}

test('the page of a session lists the operations, and sends requests with its key and ids above 2^53', async ({
  skip,
}) => {
  const mock = await startTestMock();
  const session = mock.session('w1');
  session.configure({ apiKeys: ['own-key'] });
  const [id, categoryId] = [2n ** 63n - 1n, 9_007_199_254_740_993n];
  session.animals.replace([{ id, name: 'Rex', categoryId }]);
  const page = await open(skip, session.url);
  expect(await page.title()).toBe('API reference · Animal Store mock');
  const link = page.getByRole('link', { name: 'Console' });
  const console = new URL('/sessions/w1/', mock.url).href;
  expect(await link.evaluate(({ href }: { href: string }) => href)).toBe(console);
  const paths = page.locator('.opblock-summary-path, .opblock-summary-path__deprecated');
  expect(await paths.allInnerTexts()).toEqual(['/pets', '/pets', '/pets/{petId}']);
  // The page starts with test-key.
  expect((await tryIt(page, 'listPets', { limit: '2' })).status).toBe('401');
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.auth-btn-wrapper');
  await dialog.getByText('Logout').click();
  await page.locator('.auth-container input').fill('own-key');
  await dialog.getByText('Authorize').click();
  await dialog.getByText('Close').click();
  const body = `{"name":"Tom","categoryId":${categoryId}}`;
  expect((await tryIt(page, 'createPet', { body })).status).toBe('201');
  expect(session.animals.all().at(-1)).toMatchObject({ name: 'Tom', categoryId });
  const shown = `{\n  "id": ${id},\n  "name": "Rex",\n  "categoryId": ${categoryId}\n}`;
  expect(await tryIt(page, 'getPet', { petId: `${id}` })).toMatchObject({ status: '200', body: shown });
  expect(session.requests()[0]?.url).toMatch(/^\/v1\/pets\?limit=2&/);
  expect(mock.requests()).toEqual([]);
});

test('a request can be copied for three shells and for JavaScript', async ({ skip }) => {
  const mock = await startTestMock();
  const page = await open(skip, mock.url);
  const { block } = await tryIt(page, 'createPet');
  const samples: string[] = [];
  for (const name of await block.locator('.curl-command .btn').allInnerTexts()) {
    await block.locator('.curl-command .btn').getByText(name, { exact: true }).click();
    samples.push(`${name}: ${await block.locator('.curl-command .curl').innerText()}`);
  }
  const [bash, powershell, cmd, script = ''] = samples;
  expect([bash, powershell, cmd]).toEqual([
    expect.stringMatching(/^curl: curl -X 'POST'/),
    expect.stringMatching(/^curl \(PowerShell\): curl\.exe -X 'POST'/i),
    expect.stringMatching(/^curl \(cmd\): curl -X "POST"/),
  ]);
  const [, code = ''] = /^JavaScript: (.*)$/s.exec(script) ?? [];
  expect(await page.evaluate(`(async () => { const answer = ${code} return answer.status; })()`)).toBe(201);
});

test('the page is dark as the system is, its button is remembered, and both themes pass axe', async ({
  skip,
}) => {
  const { url } = await startTestMock();
  const options = { colorScheme: 'dark', viewport: { width: 390, height: 800 }, bypassCSP: true } as const;
  const page = await open(skip, url, options);
  const readScheme = () =>
    page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).colorScheme');
  expect(await readScheme()).toBe('dark');
  await tryIt(page, 'listPets');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'light' }).click();
  await page.reload();
  expect(await readScheme()).toBe('light');
  await tryIt(page, 'createPet');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByText('Available authorizations').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a dropped connection fails in a browser, which does not send the request again', async ({ skip }) => {
  if (typeof browser === 'string') return skip(browser);
  const mock = await startTestMock({ profile: 'empty', checkedProxy: true });
  for (const url of [mock.url, mock.checkedUrl as string]) {
    mock.reset();
    const page = await (await browser.newContext()).newPage();
    await page.goto(new URL('/docs', url).href);
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' };
    const script = `fetch('${url}/pets', ${JSON.stringify(request)}).then(({ status }) => status, () => 'failed')`;
    const add = () => page.evaluate(script);
    expect(await add()).toBe(201);
    mock.faults.add({ operation: 'createPet', drop: true, times: 2 });
    expect([await add(), await add()]).toEqual(['failed', 'failed']);
    expect([mock.animals.size, mock.requests().length]).toEqual([1, 3]);
    expect(await add()).toBe(201);
  }
});
