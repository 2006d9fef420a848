import { expect, test } from '../../playwright/test.ts';

// Run by mock/playwright/test.browser.test.ts, which reads what each test attaches and which tests fail.

const { OTHER_ORIGIN = '' } = process.env;

/** Returns the program of a page that reads a URL. */
const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  `fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} }).then((response) => response.text())`;

const withKey = { Authorization: 'Bearer test-key' };
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

test('baggage of the page stays', async ({ mock, mockServer, page }) => {
  await page.goto('/');
  await page.evaluate(read(`${mockServer.url}/pets`, { ...withKey, baggage: 'user=7' }));
  const [request] = await mock.requests();
  expect(request?.headers.baggage).toMatch(/^user=7,animal-store-session=baggage-of-the-page-stays-/);
});

test.describe('with mockOrigins', () => {
  test.use({ mockOrigins: [`${OTHER_ORIGIN}/any/path`] });
  test('another origin gets the headers', async ({ page }) => {
    await page.goto(`${OTHER_ORIGIN}/named`);
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

test('may end its session', async ({ mock, mockServer }) => {
  const name = mock.headers['X-Animal-Store-Session'] ?? '';
  expect(await mockServer.sessions()).toEqual([name]);
  await mockServer.endSession(name);
});
