import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser } from '../testing/browser.ts';
import { get, post, send } from '../testing/http-case.ts';
import { openConsole, waitFor } from './testing/open-console.ts';

const readClipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');

inBrowser('the page has the base URL and a curl line to copy', async () => {
  const { mock, page } = await openConsole();
  await page.getByRole('button', { name: mock.url }).click();
  expect(await readClipboard(page)).toBe(mock.url);
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByLabel('API key').fill("it's");
  await page.getByText(`curl -H 'Authorization: Bearer it'\\''s' '${mock.url}/pets?limit=2'`).waitFor();
});

inBrowser('a request shows its violations, can be copied, and its operation can fail', async () => {
  const { mock, page } = await openConsole({ mock: { checkedProxy: true } });
  const body = '{"name":7, "categoryId":9007199254740993}';
  await send(mock.checkedUrl as string, post('/v1/pets', body));
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&status=sold'));
  await page.getByRole('link', { name: 'POST /v1/pets' }).click();
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByText('Request body property name must be string').waitFor();
  // The message of the mock is only in the response, since the violation reports the same.
  expect(await detail.getByRole('paragraph').getByText('name must be a string, not 7.').count()).toBe(0);
  expect(await detail.locator('.code mark').allTextContents()).toEqual(['"name":7']);
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
  await page.getByText('1 of 2 requests').waitFor();
  expect(await page.locator('.row').allInnerTexts()).toEqual([
    expect.stringContaining('query.limit minimum'),
  ]);
  expect(page.url()).toMatch(/#\/requests\?violations=with\+violations&operation=listPets$/);
  await page.reload();
  await page.getByText('1 of 2 requests').waitFor();
});

inBrowser('the keyboard is enough to use the page', async () => {
  const before = async ({ url }: Mock) => {
    for (const id of [1, 2, 3]) await send(url, get(`/v1/pets/${id}`));
  };
  const { mock, page } = await openConsole({ before });
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

inBrowser('a body has a mark at each violation, and a clearing can be undone', async () => {
  const refused = { Authorization: 'Bearer of-another', 'Content-Type': undefined };
  const before = async (mock: Mock) => {
    const url = mock.checkedUrl as string;
    await send(url, post('/v1/pets', '{"tag":{"name":"fine"},"name":7,"categoryId":1.50}'));
    await send(mock.url, post('/v1/pets', JSON.stringify({ name: 'x'.repeat(70_000), categoryId: 1 })));
    await send(mock.url, post('/v1/pets', '{"name":"Rex"}', refused));
  };
  const { mock, page } = await openConsole({
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
  await page.reload();
  await waitFor(() => expect(mock.requests()).toMatchObject([{ url: '/v1/pets/3' }]));
  expect(mock.violations()).toEqual([]);
  await page.getByText('1 request', { exact: true }).waitFor();
  // If a test or another tab clears the requests, the page does too.
  mock.clearRequests();
  await page.getByText('0 requests', { exact: true }).waitFor();
});

inBrowser('a hidden tab has no connection, and shows the new requests later', async () => {
  const { mock, page } = await openConsole({ hash: '#/requests' });
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

inBrowser('the page shows the latest thousand requests, and counts the others', async () => {
  const { mock, page } = await openConsole({ hash: '#/requests', mock: { animals: 3, journal: 1_050 } });
  await page.getByText('0 requests', { exact: true }).waitFor();
  const ask = (index: number) =>
    fetch(`${mock.url}/pets?limit=${1 + (index % 100)}`).then((answer) => answer.text());
  for (let count = 0; count < 1_050; count += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(count + index)));
  }
  const { id = 0 } = mock.requests({ limit: 1 })[0] ?? {};
  await page.locator(`a[href="#/requests/${id}"]`).waitFor();
  await page.getByText('1,000 requests, 50 older ones not shown', { exact: true }).waitFor();
  expect(await page.locator('.row').count()).toBe(1_000);
  // If the oldest violations are no longer kept, a request before them is not shown as clean.
  const place = 'response.body.code';
  const request = id - 10;
  const violation = { request, operation: 'listPets', method: 'GET', severity: 'error', place, at: place };
  const json = Array.from({ length: 1_000 }, (_, index) => ({
    ...violation,
    ...{ id: index + 1, rule: 'type', message: '' },
  }));
  await page.route(/__admin\/violations/, (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText('1,000 requests').waitFor();
  expect(await page.getByText('? violations no longer kept').count()).toBe(989);
  await page.getByRole('link', { name: /code type\s+\+999/ }).click();
  await page.getByText('✗ 1,000 violations of the contract').waitFor();
  expect(await page.locator('.code mark').allTextContents()).toEqual(['"code":"unauthorized"']);
  await page.getByRole('link', { name: '? violations no longer kept' }).first().click();
  await page.getByText('The violations of this request are no longer kept').waitFor();
  await page.evaluate("location.hash = '#/requests/9999'");
  await page.getByText('Request 9999 is not here').waitFor();
});

inBrowser('without a journal the page has the reason, and all tabs have the same theme', async () => {
  const { mock, page, origin } = await openConsole({ mock: { journal: 0 }, colorScheme: 'light' });
  await send(mock.url, get('/v1/pets'));
  await page.getByText('Its requests are not shown: The journal is off: --journal 0').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${origin}/docs`);
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  await other.getByRole('button', { name: 'Light', exact: true }).click();
  await page.getByRole('button', { name: 'Dark', exact: true }).waitFor();
});
