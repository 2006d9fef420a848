import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser } from '../tools/testing/browser.ts';
import { get, post, send } from '../tools/testing/http-case.ts';
import { openConsole, waitFor } from './testing/open-console.ts';

inBrowser('a request shows its violations, can be copied and sent again', async () => {
  const { mock, page, ...user } = await openConsole({ mock: { checkedProxy: true } });
  const { see, click, follow, choose, press } = user;
  const readClipboard = () => page.evaluate('navigator.clipboard.readText()');
  const size = await page.evaluate(`['navigation', 'resource']
  .flatMap((type) => performance.getEntriesByType(type))
  .filter(({ name }) => !name.includes('__admin'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`);
  expect(Number(size)).toBeGreaterThan(100_000);
  expect(Number(size)).toBeLessThan(200_000);
  await click(mock.checkedUrl as string);
  expect(await readClipboard()).toBe(mock.checkedUrl);
  const body = '{"tag":{"name":"fine"},"name":7, "categoryId":9007199254740993}';
  await send(mock.checkedUrl as string, post('/v1/pets', body));
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&status=sold'));
  await follow('POST /v1/pets');
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByRole('paragraph').getByText('name must be a string, not 7.').waitFor();
  await detail.getByText(`application/json, ${body.length} bytes`).waitFor();
  await detail.getByText('key 1', { exact: true }).waitFor();
  // The member that no schema has is a warning.
  const readMarks = () => detail.locator('.code mark').allTextContents();
  await waitFor(async () => expect(await readMarks()).toEqual(['"tag": {', '"name": 7,']));
  await page.locator('mark[data-problem="type: string"]').waitFor();
  await see('"categoryId": 9007199254740993');
  await detail.getByRole('button', { name: 'Show as sent' }).first().click();
  expect(await readMarks()).toEqual(['"tag":{', '"name":7,']);
  const copy = detail.getByRole('button', { name: 'Copy', exact: true }).first();
  await copy.click();
  expect(await readClipboard()).toBe(body);
  expect(await detail.getByText('curl -H').innerText()).toBe(
    `curl -H 'authorization: Bearer test-key' -H 'content-type: application/json' --data-raw '${body}' '${mock.checkedUrl}/pets'`,
  );
  // From other machines plain HTTP has no such clipboard.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await click('Copy as curl');
  const other = await page.context().newPage();
  await other.goto(mock.url.replace('/v1', '/'));
  expect(await other.evaluate('navigator.clipboard.readText()')).toContain('curl -H');
  await other.close();
  // Sent again, to the same port and with exact integers, it is the newest request, and is open.
  await press('r');
  await page.waitForURL(/#\/requests\/3$/);
  await page.locator('.row[aria-current][data-row="3"]').waitFor();
  expect(mock.requests().at(-1)).toMatchObject({ id: 3, isChecked: true, key: 'key 1', body });
  await page.goBack();
  await page.goBack();
  await detail.waitFor({ state: 'detached' });
  await choose('Violations', 'with violations');
  await choose('Operation', 'listPets');
  await see('1 of 3 requests');
  expect(await page.locator('.row').allInnerTexts()).toEqual([
    expect.stringMatching(/^✗ 400\s+GET.*limit must be an integer from 1 to 100, not "0"\s+minimum/s),
  ]);
  expect(page.url()).toMatch(/#\/requests\?violations=with\+violations&operation=listPets$/);
  await page.reload();
  await see('1 of 3 requests');
  await click('Clear');
  await see(`curl -H 'Authorization: Bearer test-key' '${mock.checkedUrl}/pets?limit=2'`);
  expect([mock.requests(), mock.violations()]).toEqual([[], []]);
  await choose('Violations', 'All requests');
  await send(mock.url, get('/v1/pets?staus=sold'));
  await follow('GET /v1/pets?staus=sold');
  await see(`Not checked. Send it to ${mock.checkedUrl} to see what breaks the contract.`);
});

inBrowser('a request that waits is in the list, and gets its response there', async () => {
  const { mock, page, see, choose, follow } = await openConsole({ hash: '#/requests' });
  await see('0 requests', true);
  mock.faults.add({ operation: 'listPets', delay: 600_000 });
  const sent = send(mock.url, get('/v1/pets?limit=2')).then(({ status }) => status);
  await see('… waiting');
  await send(mock.url, get('/v1/pets/1'));
  await see('2 requests', true);
  await choose('Status', 'waiting');
  await see('1 of 2 requests');
  await follow('GET /v1/pets?limit=2');
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByText('… waiting').waitFor();
  mock.faults.clear();
  expect(await sent).toBe(200);
  await detail.getByText('✓ 200').waitFor();
  await see('0 of 2 requests');
  await choose('Status', '2xx');
  expect(await page.locator('.row').allInnerTexts()).toEqual([
    expect.stringContaining('/v1/pets/1'),
    expect.stringContaining('/v1/pets?limit=2'),
  ]);
});

inBrowser('the keyboard is enough to use the page', async () => {
  const before = async ({ url }: Mock) => {
    for (const id of [1, 2, 3]) await send(url, get(`/v1/pets/${id}`));
  };
  const { mock, page, see, press } = await openConsole({ before });
  await see('3 requests');
  await press('j', 'j', 'j', 'k', 'Enter');
  const heading = page.getByRole('heading', { name: 'GET /v1/pets/2' });
  await heading.waitFor();
  await page.locator('.detail:focus').waitFor();
  await send(mock.url, get('/v1/pets/4'));
  await see('4 requests', true);
  await press('Escape');
  await heading.waitFor({ state: 'detached' });
  await page.locator('[href="#/requests/2"]:focus').waitFor();
  await press('/');
  await page.keyboard.type('pets/3');
  await see('1 of 4 requests');
  await press('Enter');
  await page.locator('[href^="#/requests/3"]:focus').waitFor();
  await press('/', 'ArrowDown');
  await page.locator('[href^="#/requests/3"]:focus').waitFor();
  await press('/');
  await press('Escape', 'Escape', '?');
  await page.getByRole('dialog').getByText('next and previous row').waitFor();
  await page.getByRole('dialog').getByText('violation, invalid request').waitFor();
  await press('Escape');
  await see('4 requests', true);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await press('3');
  await page.getByRole('heading', { name: 'Add a fault' }).waitFor();
});

inBrowser('a body that is not kept is named', async () => {
  const refused = { Authorization: 'Bearer of-another', 'Content-Type': undefined };
  const before = async ({ url, checkedUrl }: Mock) => {
    await send(checkedUrl as string, post('/v1/pets', '{"name":7,"categoryId":1}'));
    await send(url, post('/v1/pets', JSON.stringify({ name: 'x'.repeat(70_000), categoryId: 1 })));
    await send(url, post('/v1/pets', '{"name":"Rex"}', refused));
  };
  const options = { mock: { checkedProxy: true }, before, hash: '#/requests/2' };
  const { mock, page, see, goTo } = await openConsole(options);
  await see('curl: save the body as the file "body"');
  await goTo('#/requests/3');
  await see('The body is not kept. It was not read before the response');
  expect(await page.getByText('curl -H').innerText()).toContain("-H 'Content-Type:' --data-binary @body");
  // The filter finds texts of responses too.
  await goTo('#/requests');
  await page.getByLabel('Filter').fill('api key');
  await see('1 of 3 requests');
  await page.getByLabel('Filter').fill('');
  await see('3 requests', true);
  // If a test or another tab clears the requests, the page does too.
  mock.clearRequests();
  await see('0 requests', true);
});

inBrowser('a hidden tab later has the requests and the theme of others', async () => {
  const options = { hash: '#/requests', colorScheme: 'light' } as const;
  const { mock, page, see, click, origin } = await openConsole(options);
  // A poll of the start may show the first request. The second one comes by the stream.
  for (const count of ['0 requests', '1 request', '2 requests']) {
    await see(count, true);
    await send(mock.url, get('/v1/pets/1'));
  }
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await show(true);
  await send(mock.url, get('/v1/pets/7'));
  mock.faults.add({ operation: 'createPet', status: 500 });
  mock.configure({ now: '2030-12-05' });
  await show(false);
  await page.getByRole('link', { name: 'GET /v1/pets/7' }).waitFor();
  const title = '⚠ 500 on createPet · clock 2030-12-05 · Animal Store mock';
  await waitFor(async () => expect(await page.title()).toBe(title));
  const other = await page.context().newPage();
  await other.goto(origin);
  await click('Dark');
  await other.getByRole('button', { name: 'Light', exact: true }).click();
  await page.getByRole('button', { name: 'Dark', exact: true }).waitFor();
});

inBrowser('without a journal the page has the reason', async () => {
  const { mock, page, see } = await openConsole({ mock: { journal: 0 } });
  await send(mock.url, get('/v1/pets'));
  await see('Requests are not shown. The journal is off: --journal 0');
  // An error that says nothing about the journal is no reason: the page tries again.
  await page.route(/__admin\/requests/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await page.reload();
  await see('Not connected. Connecting again');
  await page.unroute(/__admin\/requests/);
  await see('The journal is off: --journal 0');
});

inBrowser('a response that a fault changed names the fault, and is no violation', async () => {
  const before = async (mock: Mock) => {
    mock.faults.add({ response: { body: [{ id: 'x' }] }, times: 1 });
    await send(mock.checkedUrl as string, get('/v1/pets'));
    mock.faults.add({ status: 404, times: 1 });
    await send(mock.url, get('/v1/pets/1'));
    mock.faults.add({ delay: 1, times: 1 });
    await send(mock.url, get('/v1/pets/2'));
  };
  const { page, see, follow } = await openConsole({ mock: { checkedProxy: true }, before });
  await see('3 requests');
  expect(await page.locator('.row').allInnerTexts()).toEqual([
    expect.stringMatching(/^✓ 200\s+GET\s+\/v1\/pets\/2\s+(<1|\d+) ms\s/s),
    expect.stringMatching(/^≠ 404\s+GET\s+\/v1\/pets\/1\s+Simulated failure: 404\s+fault 2\s/s),
    expect.stringMatching(/^≠ 200\s+GET\s+\/v1\/pets\s+response replaced\s+fault 1\s/s),
  ]);
  expect(await page.locator('.row code.tag').count()).toBe(0);
  // Next to the detail, and on a phone, all rows have the same height.
  const readHeights = async () => {
    const boxes = await Promise.all((await page.locator('.row').all()).map((row) => row.boundingBox()));
    return new Set(boxes.map((box) => box?.height));
  };
  await follow('GET /v1/pets/1');
  await page.getByRole('link', { name: 'fault 2', exact: true }).waitFor();
  expect(await readHeights()).toEqual(new Set([29]));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('Escape');
  await waitFor(async () => expect(await readHeights()).toEqual(new Set([49])));
});

inBrowser(
  'a request that a header has sent to a session is in its console, and is sent there again',
  async () => {
    const { mock, page, origin, ...user } = await openConsole();
    const session = mock.session('w1');
    await send(mock.url, get('/v1/pets?limit=2', session.headers));
    await page.goto(`${origin}/sessions/w1/`);
    await user.follow('GET /v1/pets?limit=2');
    await user.see(`-H 'x-animal-store-session: w1' '${session.url}/pets?limit=2'`);
    await user.press('r');
    await page.waitForURL(/#\/requests\/2$/);
    expect(session.requests()).toMatchObject([{ status: 200 }, { url: '/v1/pets?limit=2', status: 200 }]);
  },
);

inBrowser('a body that is no JSON is marked as a whole', async () => {
  const { mock, page, follow } = await openConsole({ mock: { checkedProxy: true } });
  const body = '{"name":"Rex",categoryId:1}';
  await send(mock.checkedUrl as string, post('/v1/pets', body));
  await follow('POST /v1/pets');
  await waitFor(async () => {
    const [mark] = await page.locator('.code mark').allTextContents();
    expect(mark).toBe(body);
  });
});
