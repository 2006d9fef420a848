import { expect, test } from '../../playwright/test.ts';

// Run by mock/playwright/test.browser.test.ts, which reads what each test attaches and which tests fail.

const { APP_ORIGIN = '', OTHER_ORIGIN = '' } = process.env;

/** Returns the program of a page that reads a URL. */
const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  `fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} }).then((response) => response.text())`;

const withKey = { Authorization: 'Bearer test-key' };
const nameOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  headers['X-Animal-Store-Session'] ?? '';
const rex = { name: 'Rex', categoryId: 1 };

test('a page reads its session from the mock, and other origins without a preflight', async ({
  mock,
  mockServer,
  page,
}) => {
  await mock.animals.replace([rex]);
  await page.goto('/');
  const list = await page.evaluate<string>(read(`${mockServer.url}/pets`, withKey));
  expect(JSON.parse(list)).toEqual([{ id: 1, ...rex }]);
  expect(await page.evaluate(read(`${OTHER_ORIGIN}/font`))).toBe('other');
  expect(await mock.requests()).toMatchObject([{ method: 'GET', url: '/v1/pets', status: 200 }]);
});

test.describe('with mockOrigins', () => {
  test.use({ mockOrigins: [`${OTHER_ORIGIN}/any/path`] });
  test('another origin gets the headers', async ({ page }) => {
    await page.goto(`${OTHER_ORIGIN}/named`);
  });
});

test.describe('with a proxy of the user', () => {
  // A server that gets the request for a page of another origin answers it itself, as a proxy may.
  test.use({ proxy: { server: APP_ORIGIN }, mockOrigins: ['http://app.example'] });
  test('the proxy stays, and a route adds the headers', async ({ mock, page }) => {
    await page.goto('http://app.example/');
    await expect(page.locator('body')).toHaveText(nameOf(mock));
  });
});

test('a route of the test comes first, and keeps the headers with fallback', async ({ mock, page }) => {
  await page.route('**/app', (route) => route.fallback());
  await page.goto('/app');
  await expect(page.locator('body')).toHaveText(mock.headers['X-Animal-Store-Session'] ?? '');
});

test('fails after a request', async ({ page, mockServer }) => {
  await page.goto('/');
  await page.evaluate(read(`${mockServer.url}/pets?limit=0&token=a-secret`, withKey));
  expect('the page').toBe('another page');
});

/** Returns the program of a page that reads a URL and, as a page of another origin may, gets no answer. */
const tryToRead = (url: string, headers?: Readonly<Record<string, string>>) =>
  `${read(url, headers)}.catch((error) => error.name)`;

test('redirects to another origin have no headers', async ({ page }) => {
  const redirect = (status: number, to: string) =>
    `/redirect?${new URLSearchParams({ status: `${status}`, to })}`;
  for (const status of [302, 307]) {
    await page.goto('/');
    const custom = { Authorization: 'Bearer app-secret', 'X-Custom': '1' };
    const to = (path: string) => redirect(status, `${OTHER_ORIGIN}/${status}/${path}`);
    expect(await page.evaluate(tryToRead(to('with-key'), custom))).toBe('TypeError');
    expect(await page.evaluate(tryToRead(to('simple')))).toBe('other');
    await page.goto(to('page'));
    await expect(page.locator('body')).toHaveText('other');
  }
});

test('a redirect to the app has the headers', async ({ page, mock }) => {
  await page.goto('/redirect?status=302&to=/app');
  await expect(page.locator('body')).toHaveText(nameOf(mock));
});

test('an origin that refuses preflights stays closed', async ({ page }) => {
  await page.goto('/');
  expect(await page.evaluate(tryToRead(`${OTHER_ORIGIN}/closed`, { 'X-Custom': '1' }))).toBe('TypeError');
});

test('the browser uses its cache, and sends preflights to the mock', async ({ page, mock, mockServer }) => {
  await page.goto('/');
  const first = await page.evaluate(read('/cached'));
  expect(await page.evaluate(read('/cached'))).toBe(first);
  await page.evaluate(read(`${mockServer.url}/pets?limit=1`, withKey));
  expect(await mock.preflights()).toMatchObject([
    { method: 'GET', url: '/v1/pets?limit=1', isFollowed: true },
  ]);
  expect(await mock.requests()).toHaveLength(1);
});

test('Playwright itself, other contexts, sockets and route.continue have the headers', async ({
  browser,
  context,
  mock,
  page,
  request,
}) => {
  const name = nameOf(mock);
  for (const client of [page.request, context.request, request])
    expect(await (await client.get('/app')).text()).toContain(name);
  const other = await browser.newContext();
  const otherPage = await other.newPage();
  await otherPage.goto('/app');
  await expect(otherPage.locator('body')).toHaveText(name);
  await other.close();
  await page.route('**/app', (route) => route.continue());
  await page.goto('/app');
  await expect(page.locator('body')).toHaveText(name);
  const message = page.evaluate<string>(`new Promise((resolve) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws'));
    socket.onmessage = ({ data }) => resolve(data);
    socket.onerror = () => resolve('error');
  })`);
  expect(await message).toBe(name);
});

test('a fault that breaks the connection is not repeated by the browser', async ({
  page,
  mock,
  mockServer,
}) => {
  await page.goto('/');
  await page.evaluate(read(`${mockServer.url}/pets?limit=1`, withKey));
  await mock.faults.add({ operation: 'listPets', drop: true, times: 1 });
  expect(await page.evaluate(tryToRead(`${mockServer.url}/pets?limit=1`, withKey))).toBe('TypeError');
  expect(await mock.requests()).toHaveLength(2);
});

test('may end its session', async ({ mock, mockServer }) => {
  const name = mock.headers['X-Animal-Store-Session'] ?? '';
  expect(await mockServer.sessions()).toEqual([name]);
  await mockServer.endSession(name);
});
