import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Mock } from '../mock/index.ts';
import type { MockOptions } from '../mock/mock-options.ts';
import { startCheckedProxy } from '../proxy/index.ts';
import { findBarriers } from '../testing/find-barriers.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startBrowser } from '../testing/start-browser.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

const browser = await startBrowser();
afterAll(async () => {
  if (typeof browser !== 'string') await browser.close();
});

interface ConsoleOptions extends BrowserContextOptions {
  readonly mock?: MockOptions;
  /** What happens before the page is opened. */
  readonly before?: (mock: Mock) => unknown;
  readonly hash?: string;
  readonly path?: string;
}

/** Opens the console of a mock. */
async function openConsole(skip: (reason: string) => never, options: ConsoleOptions = {}) {
  const { mock: mockOptions = {}, before, hash = '', path = '/', ...others } = options;
  const mock = await startTestMock(mockOptions);
  await before?.(mock);
  const { origin } = new URL(mock.url);
  return { mock, page: await openPage(skip, origin + path + hash, others), origin };
}

/** Opens a page. It may have no errors and send no requests to other origins. */
async function openPage(skip: (reason: string) => never, url: string, others: BrowserContextOptions = {}) {
  if (typeof browser === 'string') return skip(browser);
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...others });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const { origin } = new URL(url);
  const [outside, faults]: [string[], string[]] = [[], []];
  page.on('request', (request) => request.url().startsWith(origin) || outside.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  // Chromium reports each error response, which may be intended.
  page.on(
    'console',
    (message) => message.text().startsWith('Failed to load resource') || faults.push(message.text()),
  );
  onTestFinished(async () => {
    await context.close();
    expect([outside, faults]).toEqual([[], []]);
  });
  await page.goto(url);
  return page;
}

/** A busy machine may take some seconds. */
const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

const readClipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');

test('without requests the page shows how to send one, and then shows the first one', async ({ skip }) => {
  const { mock, page } = await openConsole(skip);
  await page.getByRole('heading', { name: 'Point your app at the mock' }).waitFor();
  await page.getByRole('button', { name: mock.url }).click();
  expect(await readClipboard(page)).toBe(mock.url);
  await send(mock.url, get('/v1/pets?limit=500'));
  const row = page.getByRole('link', { name: '/v1/pets?limit=500' });
  await row.waitFor();
  expect(await row.innerText()).toMatch(
    /^! 400\s+GET\s+\/v1\/pets\?limit=500\s+limit must be an integer from 1 to 100, not "500"\./,
  );
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.locator('pre').getByText(mock.url, { exact: true }).waitFor();
  await page.getByLabel('API key').fill("it's");
  await page.getByText(`curl -H 'Authorization: Bearer it'\\''s' '${mock.url}/pets?limit=2'`).waitFor();
});

test('a request shows its violations, can be copied, and its operation can be made to fail', async ({
  skip,
}) => {
  const { mock, page } = await openConsole(skip, { mock: { checkedProxy: true } });
  const body = '{"name":7, "categoryId":9007199254740993}';
  await send(mock.checkedUrl as string, post('/v1/pets', body));
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&status=sold'));
  await page.getByRole('link', { name: 'POST /v1/pets' }).click();
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByText('Request body property name must be string').waitFor();
  // The message of the mock is only in the response, since the violation reports the same.
  expect(await detail.getByRole('paragraph').getByText('name must be a string, not 7.').count()).toBe(0);
  expect(await detail.locator('.code mark').allTextContents()).toEqual(['"name":7']);
  await detail.getByText('request.body.name').waitFor();
  await detail.getByRole('button', { name: 'Format' }).first().click();
  expect(await detail.locator('.code pre').first().textContent()).toBe(
    `{\n  "name": 7,\n  "categoryId": 9007199254740993\n}`,
  );
  await detail.getByRole('button', { name: 'Copy' }).first().click();
  expect(await readClipboard(page)).toBe(body);
  expect(await detail.getByText('curl -H').innerText()).toBe(
    `curl -H 'authorization: Bearer test-key' -H 'content-type: application/json' --data-raw '${body}' '${mock.url}/pets'`,
  );
  // From other machines plain HTTP has no clipboard.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await detail.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByText('The text is selected').waitFor();
  expect(await page.evaluate('String(getSelection())')).toContain('9007199254740993');
  await detail.getByRole('button', { name: 'Fail the next createPet' }).click();
  await page.getByRole('link', { name: '500 on createPet, next 1' }).waitFor();
  expect(await page.title()).toBe('⚠ 500 on createPet, next 1 · Animal Store mock');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await waitFor(() => expect(mock.faults.list()).toEqual([]));
  await page.goBack();
  await detail.waitFor({ state: 'detached' });
  await page.getByLabel('Violations').selectOption('with violations');
  await page.getByLabel('Operation').selectOption('listPets');
  const readRows = () => page.locator('.row').allInnerTexts();
  const wanted = [expect.stringContaining('query.limit minimum')];
  await waitFor(async () => expect(await readRows()).toEqual(wanted));
  expect(page.url()).toMatch(/#\/requests\?violations=with\+violations&operation=listPets$/);
  await page.reload();
  await page.locator('.row').first().waitFor();
  expect(await page.locator('.row').count()).toBe(1);
});

test('the keyboard is enough to use the page', async ({ skip }) => {
  const before = async ({ url }: Mock) => {
    for (const id of [1, 2, 3]) await send(url, get(`/v1/pets/${id}`));
  };
  const { mock, page } = await openConsole(skip, { before });
  await page.getByText('3 requests').waitFor();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('j', 'j', 'j', 'k', 'Enter');
  await page.getByRole('heading', { name: 'GET /v1/pets/2' }).waitFor();
  await send(mock.url, get('/v1/pets/4'));
  await page.getByText('4 requests', { exact: true }).waitFor();
  await press('Escape');
  await page.getByRole('heading', { name: 'GET /v1/pets/2' }).waitFor({ state: 'detached' });
  await page.locator('[href="#/requests/2"]:focus').waitFor();
  await press('/');
  await page.keyboard.type('pets/3');
  await page.getByText('1 of 4 requests').waitFor();
  await press('Escape', 'Escape', '?');
  await page.getByRole('dialog').getByText('next and previous row').waitFor();
  await press('Escape');
  await page.getByText('4 requests', { exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.evaluate("location.hash = '#/animals/120'");
  await page.locator('form[aria-label="Edit 120"] [name="edit.120.name"]:focus').waitFor();
  await press('Escape');
  await page.locator('[href="#/animals/120"]:focus').waitFor();
});

test('a body has a mark at each violation and keeps its numbers, and a clearing can be undone', async ({
  skip,
}) => {
  const refused = { Authorization: 'Bearer of-another', 'Content-Type': undefined };
  const before = async (mock: Mock) => {
    const url = mock.checkedUrl as string;
    await send(url, post('/v1/pets', '{"tag":{"name":"fine"},"name":7,"categoryId":1.50}'));
    await send(mock.url, post('/v1/pets', JSON.stringify({ name: 'x'.repeat(70_000), categoryId: 1 })));
    await send(mock.url, post('/v1/pets', '{"name":"Rex"}', refused));
  };
  const { mock, page } = await openConsole(skip, {
    mock: { checkedProxy: true },
    before,
    hash: '#/requests/1',
  });
  await page.getByRole('button', { name: 'Format' }).first().click();
  await page.getByText('"categoryId": 1.50').waitFor();
  // The member that no schema has is a warning.
  expect(await page.locator('.code mark').allTextContents()).toEqual([
    '"tag": {',
    '"name": 7',
    '"categoryId": 1.50',
  ]);
  await page.evaluate("location.hash = '#/requests/2'");
  await page.getByText('curl — put the body into the file "body"').waitFor();
  await page.evaluate("location.hash = '#/requests/3'");
  await page.getByText('The body is not kept: it was not read before the response').waitFor();
  expect(await page.getByText('curl -H').innerText()).toContain("-H 'Content-Type:' --data-binary @body");
  // The server keeps cleared requests until the undo has expired. New requests stay.
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('0 requests', { exact: true }).waitFor();
  expect([mock.requests().length, mock.violations().length]).toEqual([3, 4]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('3 requests').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await send(mock.url, get('/v1/pets/3'));
  await page.getByText('1 request', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await waitFor(() => expect(mock.requests()).toMatchObject([{ url: '/v1/pets/3' }]));
  expect(mock.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.reload();
  await waitFor(() => expect(mock.requests()).toEqual([]));
  await send(mock.url, get('/v1/pets/4'));
  await page.getByText('1 request', { exact: true }).waitFor();
  // If a test or another tab clears the requests, the page does too.
  mock.clearRequests();
  await page.getByText('0 requests', { exact: true }).waitFor();
});

test('a hidden tab has no connection, and reads the new requests when it is shown again', async ({
  skip,
}) => {
  const { mock, page } = await openConsole(skip, { hash: '#/requests' });
  await page.getByText('0 requests', { exact: true }).waitFor();
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  const left = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'));
  await show(true);
  await left;
  await send(mock.url, get('/v1/pets/7'));
  mock.faults.add({ operation: 'createPet', status: 500 });
  mock.configure({ now: '2030-12-05' });
  await show(false);
  await page.getByRole('link', { name: 'GET /v1/pets/7' }).waitFor();
  expect(await page.title()).toBe('⚠ 500 on createPet · clock 2030-12-05 · Animal Store mock');
});

test('all edge cases fit a small screen, and Escape empties the filter', async ({ skip }) => {
  const options = {
    mock: { profile: 'edge-cases' },
    hash: '#/animals?limit=100&text=nothing-has-this',
  } as const;
  const { mock, page } = await openConsole(skip, { ...options, viewport: { width: 360, height: 800 } });
  await page.getByText('No animal matches').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Remove/ })
    .nth(19)
    .waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(mock.requests()).toEqual([]);
});

test('animals can be added, changed, removed and restored with exact ids, and errors of the API are shown', async ({
  skip,
}) => {
  const big = 9223372036854775807n;
  const { mock, page } = await openConsole(skip, { mock: { animals: 30 }, hash: '#/animals' });
  await page.getByText('20 of 30, newest first').waitFor();
  await page.getByText('Add an animal').click();
  const form = page.getByRole('form', { name: 'Add an animal' });
  await form.getByLabel('name').fill('Rex');
  await form.getByLabel('categoryId').fill('many');
  await form.getByRole('button', { name: 'Add' }).click();
  expect(await form.getByRole('alert').innerText()).toMatch(
    /^✗ 400 The animal: categoryId must be an integer from .* not "many"\.$/,
  );
  // The typed text stays, also after a reload.
  await page.reload();
  expect(await form.getByLabel('categoryId').inputValue()).toBe('many');
  await form.getByLabel('categoryId').fill(String(big));
  await form.getByLabel('id, or the next').fill(String(big));
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: `Remove ${big}` }).waitFor();
  expect(mock.animals.get(big)).toEqual({ id: big, name: 'Rex', categoryId: big });
  await page.getByRole('link', { name: `Edit ${big}` }).click();
  await page.keyboard.type('no');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: `Edit ${big}` }).click();
  expect(
    await page
      .getByRole('form', { name: `Edit ${big}` })
      .getByLabel('name')
      .inputValue(),
  ).toBe('Rex');
  const edit = page.getByRole('form', { name: `Edit ${big}` });
  await edit.getByLabel('name').fill('Max');
  await edit.getByLabel('status').selectOption('sold');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Remove ${big}` }).click();
  await page.getByText('20 of 30').waitFor();
  await page.locator('[data-row="30"]:focus').waitFor();
  await page.getByRole('button', { name: 'Remove 30' }).click();
  await page.getByText('20 of 29').waitFor();
  await page.keyboard.press('u');
  await page.getByText('20 of 30').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: `Edit ${big}` }).waitFor();
  expect(mock.animals.get(big)).toEqual({ id: big, name: 'Max', categoryId: big, status: 'sold' });
  // An edit is undone too.
  await page.keyboard.press('u');
  await waitFor(() => expect(mock.animals.get(big)).toMatchObject({ name: 'Rex' }));
  // The page uses the control API, so tests that count requests are not disturbed.
  expect(mock.requests()).toEqual([]);
});

test('faults can be turned on and off one by one', async ({ skip }) => {
  const { mock, page } = await openConsole(skip, { hash: '#/faults' });
  const turn = (name: string) => page.getByRole('switch', { name, exact: true }).click();
  await page.getByLabel('ms: 200').fill('5-10');
  for (const name of ['Latency', 'Error rate', 'getPet', 'Broken body', 'Drop']) {
    const count = mock.faults.list().length;
    await turn(name);
    await waitFor(() => expect(mock.faults.list()).toHaveLength(count + 1));
  }
  expect(mock.faults.list()).toMatchObject([
    { delay: '5-10' },
    { status: 500, probability: 0.05 },
    { operation: 'getPet', status: 500 },
    { response: { body: '[{"id":1}]' } },
    { drop: true, probability: 1 },
  ]);
  await page.getByRole('switch', { name: 'Error rate', checked: true }).click();
  await page.getByRole('switch', { name: 'Error rate', checked: false }).waitFor();
  expect(mock.faults.list()).toMatchObject([
    { delay: '5-10' },
    { operation: 'getPet' },
    { response: { body: '[{"id":1}]' } },
    { drop: true },
  ]);
  // An active fault changes with its field. If the field is invalid, the fault stays.
  await page.getByLabel('ms: 200').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('7 ms on everything').waitFor();
  await page.getByLabel('ms: 200').fill('soon');
  await page.keyboard.press('Enter');
  await page.locator('[name="fault.delay"]:invalid').waitFor();
  await page.getByText('7 ms on everything').waitFor();
  await page.getByRole('switch', { name: 'getPet', checked: true }).waitFor();
  // A switch shows faults of others too. Turning them off can be undone.
  mock.faults.add({ operation: 'listPets', status: 503 });
  await page.getByText('503 on listPets').waitFor();
  await page.getByRole('switch', { name: 'listPets', checked: true }).waitFor();
  await turn('listPets');
  await page.getByRole('switch', { name: 'listPets', checked: false }).waitFor();
  await page.getByText('Turned off: 503 on listPets.').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('switch', { name: 'listPets', checked: true }).waitFor();
  await turn('Latency');
  await page.getByRole('switch', { name: 'Latency', checked: false }).waitFor();
  expect(mock.faults.list()).toMatchObject([
    { operation: 'getPet' },
    { response: { body: '[{"id":1}]' } },
    { drop: true },
    { operation: 'listPets', status: 503 },
  ]);
});

test('a reset, snapshots and profiles can be undone, and the clock, the keys and the settings can be changed', async ({
  skip,
}) => {
  const { mock, page, origin } = await openConsole(skip, { mock: { animals: 3 }, hash: '#/state' });
  // Several changes have an undo at the same time.
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  await press('Take a snapshot');
  await page.getByRole('button', { name: 'Restore one' }).waitFor();
  mock.animals.remove(1);
  await press('Restore one');
  await waitFor(() => expect(mock.animals.size).toBe(3));
  mock.animals.remove(1);
  mock.faults.add({ operation: 'getPet', status: 500, times: 2 });
  mock.configure({ order: 'random', now: '2030-12-04' });
  await page.getByText('500 on getPet').waitFor();
  await press('Reset');
  await page.getByText('Reset. Undo').waitFor();
  expect([mock.animals.size, mock.faults.list(), mock.settings().order]).toEqual([3, [], 'newest']);
  await press('Undo');
  await waitFor(() => expect(mock.faults.list()).toMatchObject([{ operation: 'getPet', times: 2 }]));
  expect([mock.animals.size, mock.settings()]).toMatchObject([
    2,
    { order: 'random', now: new Date('2030-12-04') },
  ]);
  mock.faults.clear();
  await press('Fill with edge-cases');
  await page.getByText('The store has the animals of edge-cases').waitFor();
  expect(mock.animals.size).toBeGreaterThan(20);
  await press('Undo');
  await waitFor(() => expect(mock.animals.size).toBe(2));
  await waitFor(() => expect(mock.snapshots()).toEqual(['one']));
  // Changes by others are not undone.
  await press('Fill with default');
  await page.getByText('The store has the animals of default').waitFor();
  mock.animals.replace([{ name: 'Of another', categoryId: 1 }]);
  await page.getByText('1 animal', { exact: true }).waitFor();
  await press('Undo');
  await page.getByText('The animals have changed since').waitFor();
  expect(mock.animals.size).toBe(1);
  // The changes of the page are undone one by one.
  await press('Fill with edge-cases');
  await page.getByText('The store has the animals of edge-cases').waitFor();
  const many = mock.animals.size;
  await press('Fill with empty');
  await page.getByText('The store has the animals of empty').waitFor();
  await page.keyboard.press('u');
  await waitFor(() => expect(mock.animals.size).toBe(many));
  await page.getByText(`${many} animals`, { exact: true }).waitFor();
  await page.keyboard.press('u');
  await waitFor(() => expect(mock.animals.all()).toMatchObject([{ name: 'Of another' }]));
  await press('Fill with empty');
  await page.getByText('The store has the animals of empty').waitFor();
  await press('Close');
  await waitFor(() => expect(mock.snapshots()).toEqual(['one']));
  expect(mock.animals.size).toBe(0);
  await press('5 December 2030');
  await page.getByText('is removed: 404').waitFor();
  await page.getByRole('link', { name: 'clock 2030-12-05' }).waitFor();
  await page.getByLabel('Day of the mock').fill('2030-12-04');
  await page.getByText('works').waitFor();
  expect(mock.settings().now).toEqual(new Date('2030-12-04'));
  await press('Real time');
  await page.getByText('The real time').waitFor();
  await page.getByLabel('Name').first().fill('');
  await press('Take a snapshot');
  await page.locator('[name="snapshot"]:invalid:focus').waitFor();
  await page.getByLabel('Order of lists').selectOption('oldest');
  await page.getByLabel('A limit outside 1 to 100').selectOption('clamp');
  await page.getByLabel('API keys').fill('one two');
  await press('Accept only these');
  await page.getByText('2 accepted now').waitFor();
  expect(mock.settings()).toMatchObject({ order: 'oldest', limitPolicy: 'clamp', now: null });
  await page.getByLabel('Name').last().fill('w7');
  await press('Open');
  await page.waitForURL(`${origin}/sessions/w7/`);
  await page.getByText('session w7').waitFor();
  await send(mock.url, get('/sessions/w7/v1/pets/1', { Authorization: 'Bearer test-key' }));
  await page.getByRole('link', { name: 'GET /v1/pets/1' }).waitFor();
  expect(mock.requests()).toEqual([]);
});

test('an ended session is not created again by a page that shows it', async ({ skip }) => {
  const before = (mock: Mock) => mock.session('w1');
  const { mock, page, origin } = await openConsole(skip, { before, hash: '#/state' });
  const other = await page.context().newPage();
  // Opening the page creates the session.
  await other.goto(`${origin}/sessions/w2/`);
  await other.getByText('120 animals').waitFor();
  const end = (name: string) => page.getByRole('button', { name: `End ${name}` });
  await waitFor(() => expect(mock.sessions()).toEqual(['w1', 'w2']));
  await page.reload();
  await end('w2').click();
  await end('w2').waitFor({ state: 'detached' });
  await page.getByText('Session w2 ends in ten seconds').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await end('w2').click();
  expect(mock.sessions()).toEqual(['w1', 'w2']);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await other.getByText('Session w2 has ended').waitFor();
  // The page of the session, with a change to undo, does not create the session again either.
  await page.goto(`${origin}/sessions/w1/#/state`);
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByText('Reset. Undo').waitFor();
  await end('w1').click();
  await page.getByText('Session w1 ends in ten seconds').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText('Session w1 has ended').waitFor();
  await waitFor(async () => expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0));
  expect(mock.sessions()).toEqual([]);
  await page.goto(`${origin}/#/state`);
  mock.session('w1');
  expect(await other.title()).toBe('✗ ended · w2 · Animal Store mock');
  expect(mock.sessions()).toEqual(['w1']);
  await other.getByRole('button', { name: 'Open it again' }).click();
  await other.getByText('120 animals').waitFor();
  expect(mock.sessions()).toEqual(['w1', 'w2']);
});

test('the page shows the latest thousand requests, and counts the requests that it does not show', async ({
  skip,
}) => {
  const { mock, page } = await openConsole(skip, {
    hash: '#/requests',
    mock: { animals: 3, journal: 1_150 },
  });
  await page.getByText('0 requests', { exact: true }).waitFor();
  const ask = (index: number) =>
    fetch(`${mock.url}/pets?limit=${1 + (index % 100)}`).then((answer) => answer.text());
  for (let count = 0; count < 1_100; count += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(count + index)));
  }
  const { id = 0 } = mock.requests({ limit: 1 })[0] ?? {};
  await page.locator(`a[href="#/requests/${id}"]`).waitFor();
  await page.getByText('1,000 requests, 100 older ones not shown', { exact: true }).waitFor();
  expect(await page.locator('.row').count()).toBe(1_000);
  await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
  await page.getByText('1,000 requests, 150 older ones not shown').waitFor();
  // If the oldest violations are no longer kept, a request before them is not shown as clean.
  const place = 'response.body.code';
  const request = id + 40;
  const violation = {
    operation: 'listPets',
    method: 'GET',
    severity: 'error',
    place,
    at: place,
    rule: 'type',
  };
  const json = Array.from({ length: 1_000 }, (_, index) => ({
    ...violation,
    id: index + 1,
    request,
    message: '',
  }));
  await page.route(/__admin\/violations/, (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText('1,000 requests').waitFor();
  expect(await page.getByText('? violations no longer kept').count()).toBe(989);
  await page.getByRole('link', { name: /code type\s+\+999/ }).click();
  await page.getByText('✗ 1,000 violations of the contract').waitFor();
  await page.getByText('response.body.code', { exact: true }).waitFor();
  expect(await page.locator('.code mark').allTextContents()).toEqual(['"code":"unauthorized"']);
  await page.getByRole('link', { name: '? violations no longer kept' }).first().click();
  await page.getByText('The violations of this request are no longer kept').waitFor();
  await page.evaluate("location.hash = '#/requests/9999'");
  await page.getByText('Request 9999 is not here').waitFor();
});

test('the address of an animal opens it, also outside the list', async ({ skip }) => {
  const { page } = await openConsole(skip, { hash: '#/animals/5' });
  await page.getByRole('form', { name: 'Edit 5' }).waitFor();
  await page.getByText('20 of 120').waitFor();
  await page.evaluate("location.hash = '#/animals/500'");
  await page.getByText('No animal has the id 500.').waitFor();
});

test('without a journal the page shows the reason, and all tabs have the same theme', async ({ skip }) => {
  const { mock, page, origin } = await openConsole(skip, { mock: { journal: 0 }, colorScheme: 'light' });
  await send(mock.url, get('/v1/pets'));
  await page.getByText('Its requests are not shown: The journal is off: --journal 0').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${origin}/docs`);
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  await other.getByRole('button', { name: 'Light', exact: true }).click();
  await page.getByRole('button', { name: 'Dark', exact: true }).waitFor();
});

const hostile = `</pre></script>'"><img src=x onerror=hacked=1><script>hacked=1</script>{{1}}\u202e&amp;javascript:hacked=1 ${'x'.repeat(300)}`;

test('strings of clients never become markup, in any view', async ({ skip }) => {
  const before = async (mock: Mock) => {
    mock.animals.replace([{ name: hostile, categoryId: 1 }]);
    const header = hostile.replace('\u202e', '');
    await send(
      mock.url,
      post(`/v1/pets?a=${encodeURI(header)}"'<b>`, JSON.stringify({ name: hostile, [hostile]: 1 }), {
        'X-Bad': header,
      }),
    );
    mock.faults.add({ status: 500, message: hostile });
    mock.session('w1');
  };
  const { page } = await openConsole(skip, { before, viewport: { width: 360, height: 800 } });
  for (const hash of [
    '#/requests',
    '#/requests/1',
    '#/animals',
    '#/animals/1',
    '#/faults',
    '#/state',
    '#/set-up',
    `#/requests/${encodeURIComponent(hostile)}?text=${encodeURIComponent(hostile)}`,
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByRole('main').waitFor();
    await waitFor(async () =>
      expect(
        await page.evaluate(
          '[document.documentElement.scrollWidth, document.querySelectorAll("img, script:not([src]), [onerror], iframe, base").length, typeof hacked]',
        ),
        hash,
      ).toEqual([360, 0, 'undefined']),
    );
  }
});

test('the CSP allows only the script of the page, and no markup from strings', async ({ skip }) => {
  const { page } = await openConsole(skip);
  await page.getByRole('navigation').waitFor();
  page.removeAllListeners('console');
  const refused = await page.evaluate(`new Promise((resolve) => {
    const seen = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => { seen.push(effectiveDirective); if (seen.length === 3) resolve(seen); });
    const script = document.createElement('script');
    try { script.textContent = 'hacked = 1'; } catch {}
    document.body.append(script);
    try { document.body.innerHTML = '<b>'; } catch {}
    fetch('http://127.0.0.1:9/').catch(() => {});
  })`);
  expect(refused).toEqual(expect.arrayContaining(['require-trusted-types-for', 'connect-src']));
  expect(await page.evaluate('typeof hacked')).toBe('undefined');
});

test.for([
  ['light', 1280],
  ['dark', 360],
] as const)(
  'in %s with %d pixels axe finds no barriers, and nothing scrolls sideways',
  async ([colorScheme, width], { skip }) => {
    const before = async (mock: Mock) => {
      await send(mock.url, post('/v1/pets', '{"name":7}'));
      mock.faults.add({ operation: 'listPets', status: 500 });
      mock.configure({ now: '2030-12-05' });
      mock.session('w1');
    };
    // axe inserts styles.
    const options = { before, colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
    const { page } = await openConsole(skip, options);
    for (const view of ['requests', 'requests/1', 'animals/120', 'faults', 'state', 'set-up']) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
      await page.locator(`nav a[aria-current][href="#/${view.split('/')[0]}"]`).waitFor();
      expect([
        view,
        await findBarriers(page),
        await page.evaluate('document.documentElement.scrollWidth'),
      ]).toEqual([view, [], width]);
    }
  },
);

test('with --admin-token the page asks for the token', async ({ skip }) => {
  const { mock, page } = await openConsole(skip, { mock: { adminToken: 'secret-token' } });
  await page.getByLabel('Admin token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The admin token is invalid').waitFor();
  await page.getByLabel('Admin token').fill('secret-token');
  await page.keyboard.press('Enter');
  await page.getByText('120 animals').waitFor();
  await mock.close();
  await startTestMock({ port: Number(new URL(mock.url).port), adminToken: 'another-token' });
  await page.getByLabel('Admin token').fill('ключ');
  await page.keyboard.press('Enter');
  await page.locator('[name=token][title^="Only Latin letters"]:invalid').waitFor();
  await page.getByLabel('Admin token').fill('another-token');
  await page.keyboard.press('Enter');
  await page.getByText('120 animals').waitFor();
});

test('the page reports a stopped mock, and continues after a restart', async ({ skip }) => {
  const { mock, page } = await openConsole(skip);
  await page.getByText('120 animals').waitFor();
  await mock.close();
  await page.getByText('Not connected').waitFor();
  expect(await page.title()).toBe('✗ not connected · Animal Store mock');
  const again = await startTestMock({ port: Number(new URL(mock.url).port), animals: 5 });
  await page.getByText('5 animals').waitFor();
  await send(again.url, get('/v1/pets'));
  await page.getByRole('link', { name: 'GET /v1/pets' }).waitFor();
});

test('the page has less than 150 kB', async ({ skip }) => {
  const sizes: Promise<number>[] = [];
  if (typeof browser === 'string') return skip(browser);
  const { url } = await startTestMock();
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.on('response', (response) => {
    if (!response.url().includes('__admin')) sizes.push(response.body().then(({ length }) => length));
  });
  await page.goto(new URL('/', url).href);
  await page.getByText('120 animals').waitFor();
  const all = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(all).toBeLessThan(150_000);
});

test('the console of a proxy has requests and lines to copy', async ({ skip }) => {
  const upstream = await startTestMock({ checkedProxy: false });
  const proxy = await startCheckedProxy({ upstream: upstream.url, port: 0, apiKeys: ['test-key'] });
  onTestFinished(() => proxy.close());
  const page = await openPage(skip, proxy.consoleUrl ?? '');
  await page.getByRole('heading', { name: 'Point your app at the proxy' }).waitFor();
  expect(await page.title()).toBe(`${new URL(upstream.url).host} · Animal Store proxy`);
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
    'Requests',
    'Set up',
  ]);
  expect(await page.getByRole('main').textContent()).toContain(`npx animal-store-proxy '${upstream.url}'`);
  expect(await findBarriers(page)).toEqual([]);

  await send(proxy.url, get('/v1/pets?limit=0'));
  await page.getByRole('link', { name: /GET \/v1\/pets\?limit=0/ }).click();
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByText('request.query.limit').waitFor();
  expect(await detail.getByRole('button', { name: /Fail the next/ }).count()).toBe(0);
  await detail.getByLabel('Key').fill('test-key');
  await detail.getByText(`'${proxy.url}/pets?limit=0'`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the console of a proxy shows all violations of a response, fits a small screen, and requires its token', async ({
  skip,
}) => {
  const animals = Array.from({ length: 60 }, (_, id) => ({ id: String(id), name: 'Rex', categoryId: 1 }));
  const broken = JSON.stringify(animals.with(2, { id: '2', categoryId: 1 } as (typeof animals)[0]));
  const server = createServer(({ url = '' }, response) =>
    response
      .setHeader('Content-Type', 'application/json')
      .setHeader('X-Of-Upstream', 'seen')
      .end(url.includes('?') ? '[]' : broken),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a-rather-long-tenant-name/store/v1`;
  const start = async (port: number) => {
    const proxy = await startCheckedProxy({ upstream, port, errors: true });
    onTestFinished(() => proxy.close());
    return proxy;
  };
  const proxy = await start(0);
  const { origin, pathname, port } = new URL(proxy.url);
  await send(proxy.url, get(`${pathname}/pets?x=1&token=a-secret`));
  await send(proxy.url, post(`${pathname}/pets`, gzipSync('{"name":7}'), { 'Content-Encoding': 'gzip' }));
  await send(proxy.url, get(`${pathname}/pets/7`, { 'Idempotency-Key': 'abc-123-def' }));

  const page = await openPage(skip, `${origin}/__console/`, { viewport: { width: 360, height: 800 } });
  await page.getByText('Open the address of the console that the proxy has printed').waitFor();
  await page.goto(`${proxy.consoleUrl}/requests/1`);
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByRole('heading', { name: '! 2 warnings', exact: true }).waitFor();
  await detail.getByText('curl -H "authorization: Bearer $ANIMAL_STORE_API_KEY"').waitFor();
  expect(new URL(page.url()).hash).toBe('#/requests/1');
  expect(await page.title()).toBe(`${new URL(upstream).host} · Animal Store proxy`);
  await detail.getByText('curl — put in the hidden key').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.evaluate("location.hash = '#/requests/2'");
  await detail.getByText('curl — put the body into the file "body"').waitFor();
  await page.evaluate("location.hash = '#/requests/3'");
  await detail.getByText('curl — put in the hidden key').waitFor();

  await page.getByRole('link', { name: 'Requests' }).click();
  await send(proxy.url, get(`${pathname}/pets`));
  await page.getByRole('link', { name: /✗ 502\s+GET.*✗ response\.body.*\+60/s }).click();
  await detail.getByRole('heading', { name: '✗ 61 violations of the contract' }).waitFor();
  await detail.getByText('type — 60 times').waitFor();
  await detail.getByText('The upstream answered 200; the client got 502 (response_violation).').waitFor();
  expect(await detail.locator('.code mark').count()).toBe(61);
  expect(await detail.locator('mark[data-rule="lacks name"]').allTextContents()).toEqual(['{']);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.evaluate("location.hash = '#/requests?text=x-of-upstream'");
  await page.getByText('3 of 4 requests').waitFor();
  // Each of many requests at once is shown as broken.
  await page.mouse.move(0, 0);
  const many = Array.from({ length: 60 }, (_, index) => `q${index}=1`);
  await Promise.all(many.map((one) => send(proxy.url, get(`${pathname}/pets?${one}`))));
  await send(proxy.url, get(`${pathname}/pets?${many.join('&')}`));
  await page.evaluate("location.hash = '#/requests?text=pets%3Fq'");
  await page.getByRole('link', { name: /query\.q0 unknown-parameter\s+\+59/ }).waitFor();
  await waitFor(async () => {
    const rows = await page.locator('.row').allTextContents();
    expect(rows.filter((row) => !row.includes('unknown-parameter'))).toEqual([]);
  });

  await proxy.close();
  await start(Number(port));
  await page.getByText('The token of the console is invalid').waitFor();
  expect(await page.title()).not.toContain('not connected');
});
