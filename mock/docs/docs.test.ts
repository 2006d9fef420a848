import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findBarriers } from '../../testing/find-barriers.ts';
import { get, post, send } from '../../testing/http-case.ts';
import { startBrowser } from '../../testing/start-browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

const browser = await startBrowser();
afterAll(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** Opens the API reference; nothing may go wrong in it, and nothing but its mock be asked. */
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
    // Said of each refusal that the page then shows.
    if (!/^Failed to load resource: .* status of 4/.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    // What the pictures in a style are.
    expect([outside.filter((one) => !one.startsWith('data:')), faults]).toEqual([[], []]);
  });
  await page.goto(url.replace(/\/v1$/, '/docs'));
  await page.locator('.opblock').first().waitFor();
  return page;
}

/** Sends the request of an operation from the page. @returns the status, and what came. */
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

test('it lists the operations of the contract, and each is tried with the key filled in', async ({
  skip,
}) => {
  const mock = await startTestMock({ animals: 3 });
  const page = await open(skip, mock.url);
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

test('an id above 2^53 is shown as it came, and sent as it was typed', async ({ skip }) => {
  const mock = await startTestMock();
  const id = 2n ** 63n - 1n;
  mock.animals.replace([{ id, name: 'Rex', categoryId: 9_007_199_254_740_993n }]);
  const page = await open(skip, mock.url);
  const categoryId = 9_007_199_254_740_993n;
  const added = await tryIt(page, 'createPet', { body: `{"name":"Tom","categoryId":${categoryId}}` });
  expect(added.status).toBe('201');
  expect(mock.animals.all().at(-1)).toMatchObject({ name: 'Tom', categoryId });
  const { status, body } = await tryIt(page, 'getPet', { petId: `${id}` });
  const shown = `{\n  "id": ${id},\n  "name": "Rex",\n  "categoryId": ${categoryId}\n}`;
  expect([status, body]).toEqual(['200', shown]);
});

test('a request is there to copy, for three shells and for JavaScript', async ({ skip }) => {
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
  // In the page itself, which is where a frontend has it.
  expect(await page.evaluate(`(async () => { const answer = ${code} return answer.status; })()`)).toBe(201);
});

test('a session has its own, with a key of its own to fill in', async ({ skip }) => {
  const mock = await startTestMock({ animals: 1 });
  const session = mock.session('w1');
  session.configure({ apiKeys: ['own-key'] });
  const page = await open(skip, session.url);
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

test.for(['light', 'dark'] as const)(
  'it is %s where the system is, and its button is remembered',
  async (colorScheme, { skip }) => {
    const { url } = await startTestMock();
    const options = { colorScheme, viewport: { width: 390, height: 800 }, bypassCSP: true };
    const page = await open(skip, url, options);
    const background = () =>
      page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).colorScheme');
    const other = colorScheme === 'dark' ? 'light' : 'dark';
    expect(await background()).toBe(colorScheme);
    await page.getByRole('button', { name: other }).click();
    await page.reload();
    expect(await background()).toBe(other);
    await tryIt(page, 'createPet');
    await tryIt(page, 'listPets');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Available authorizations').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  },
);

test('it is there without a key, for this machine alone, and no other site gets anything of it', async () => {
  const { url } = await startTestMock({ adminToken: 's3cr-token', apiKeys: ['a-key-of-my-own'] });
  for (const path of ['/docs', '/docs/page.js', '/docs/openapi.json', '/sessions/w1/docs']) {
    const { status, headers, text } = await send(url, get(path, { Authorization: undefined }));
    expect([status, headers['content-security-policy']], path).toEqual([
      200,
      expect.stringMatching(/^default-src 'none'/),
    ]);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(text).not.toContain('my-own');
    expect((await send(url, get(path, { Host: 'evil.test' }))).status).toBe(403);
  }
  const { status, headers } = await send(url, get('/docs/'));
  expect([status, new URL(headers.location ?? '', `${new URL(url).origin}/docs/`).pathname]).toEqual([
    308,
    '/docs',
  ]);
  for (const path of ['/docs/nothing.js', '/docs/..%2Fpackage.json', '/docsx', '/docs/page.js/x']) {
    expect((await send(url, get(path))).status, path).toBe(404);
  }
});

test('it is read and nothing else, and leads to no console where there is none', async () => {
  const { url } = await startTestMock({ admin: false });
  expect((await send(url, get('/docs'))).text).not.toContain('Console');
  const { status, headers } = await send(url, post('/docs', '{}'));
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  expect((await send(url, post('/docs/nothing.js', '{}'))).status).toBe(404);
});

test('neither faults nor the journal meet the page, and no session is made to look at it', async () => {
  const mock = await startTestMock();
  mock.faults.add({ status: 500 });
  for (const path of ['/docs', '/docs/openapi.json', '/sessions/w1/docs/openapi.json']) {
    expect((await send(mock.url, get(path))).status).toBe(200);
  }
  expect([mock.requests(), mock.sessions()]).toEqual([[], []]);
});
