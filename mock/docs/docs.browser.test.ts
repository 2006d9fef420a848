import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, inBrowser, measureWidth, openPage } from '../../testing/browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

/** Opens the API reference of a mock or a session. */
async function openDocs(url: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(url.replace(/\/v1$/, '/docs'), options);
  await page.locator('.opblock').first().waitFor();
  return page;
}

/** Sends the request of an operation from the page. @returns the status and the body. */
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

inBrowser('the API reference lists the operations, and sends requests with the key filled in', async () => {
  const mock = await startTestMock({ animals: 3 });
  const page = await openDocs(mock.url);
  expect(await page.title()).toBe('API reference · Animal Store mock');
  const link = page.getByRole('link', { name: 'Console' });
  expect(await link.evaluate(({ href }: { href: string }) => href)).toBe(new URL('/', mock.url).href);
  expect(
    await page.locator('.opblock-summary-path, .opblock-summary-path__deprecated').allInnerTexts(),
  ).toEqual(['/pets', '/pets', '/pets/{petId}']);
  expect(await tryIt(page, 'listPets', { limit: '2' })).toMatchObject({ status: '200' });
  expect(await tryIt(page, 'createPet')).toMatchObject({ status: '201' });
  expect(await tryIt(page, 'getPet')).toMatchObject({ status: '200' });
  expect(mock.requests().map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    'listPets 200',
    'createPet 201',
    'getPet 200',
  ]);
});

inBrowser('an id above 2^53 is shown and sent exactly', async () => {
  const mock = await startTestMock();
  const id = 2n ** 63n - 1n;
  mock.animals.replace([{ id, name: 'Rex', categoryId: 9_007_199_254_740_993n }]);
  const page = await openDocs(mock.url);
  const categoryId = 9_007_199_254_740_993n;
  const added = await tryIt(page, 'createPet', { body: `{"name":"Tom","categoryId":${categoryId}}` });
  expect(added.status).toBe('201');
  expect(mock.animals.all().at(-1)).toMatchObject({ name: 'Tom', categoryId });
  const { status, body } = await tryIt(page, 'getPet', { petId: `${id}` });
  const shown = `{\n  "id": ${id},\n  "name": "Rex",\n  "categoryId": ${categoryId}\n}`;
  expect([status, body]).toEqual(['200', shown]);
});

inBrowser('a request can be copied for three shells and for JavaScript', async () => {
  const mock = await startTestMock();
  const page = await openDocs(mock.url);
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
  // In the page itself, as in a frontend.
  expect(await page.evaluate(`(async () => { const answer = ${code} return answer.status; })()`)).toBe(201);
});

inBrowser('a session has its own API reference, with its own key', async () => {
  const mock = await startTestMock({ animals: 1 });
  const session = mock.session('w1');
  session.configure({ apiKeys: ['own-key'] });
  const page = await openDocs(session.url);
  expect((await tryIt(page, 'listPets')).status).toBe('401');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.auth-btn-wrapper').getByText('Logout').click();
  await page.locator('.auth-container input').fill('own-key');
  await page.locator('.auth-btn-wrapper').getByText('Authorize').click();
  await page.locator('.auth-btn-wrapper').getByText('Close').click();
  const execute = page.getByRole('button', { name: 'Execute' });
  const answered = page.waitForResponse((response) => response.url().includes('/sessions/w1/v1/pets?'));
  await execute.click();
  expect((await answered).status()).toBe(200);
  expect([mock.requests().length, session.requests().length]).toEqual([0, 2]);
});

inBrowser.for(['light', 'dark'] as const)(
  'in %s axe finds no barriers, nothing scrolls sideways, and the theme remains after a reload',
  async (colorScheme) => {
    const { url } = await startTestMock();
    const options = { colorScheme, viewport: { width: 390, height: 800 }, bypassCSP: true };
    const page = await openDocs(url, options);
    const background = () =>
      page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).colorScheme');
    const other = colorScheme === 'dark' ? 'light' : 'dark';
    expect(await background()).toBe(colorScheme);
    await page.getByRole('button', { name: other }).click();
    await page.reload();
    expect(await background()).toBe(other);
    await tryIt(page, 'createPet');
    await tryIt(page, 'listPets');
    expect(await measureWidth(page)).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Available authorizations').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  },
);
