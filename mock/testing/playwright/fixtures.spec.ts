import { expect, test } from '../../playwright/test.ts';

// Run by mock/playwright/test.browser.test.ts, which reads what each test attaches and which tests fail.

const { OTHER_ORIGIN = '' } = process.env;

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
  test('another origin gets the header', async ({ page }) => {
    await page.goto(`${OTHER_ORIGIN}/named`);
  });
});

test('a route of the test comes first, and keeps the header with fallback', async ({ mock, page }) => {
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

test('a redirect to the app has the header', async ({ page, mock }) => {
  await page.goto('/redirect?to=/app');
  await expect(page.locator('body')).toHaveText(nameOf(mock));
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
