import { expect } from 'vitest';
import { inBrowser, openPage } from '../testing/browser.ts';
import { get, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

// All other tests with a browser are in the files *.browser.test.ts.
inBrowser('the console shows a request with the reason of its 400, and has less than 150 kB', async () => {
  const mock = await startTestMock();
  const page = await openPage(new URL('/', mock.url).href);
  await page.getByRole('heading', { name: 'Point your app at the mock' }).waitFor();
  await send(mock.url, get('/v1/pets?limit=500'));
  const row = page.getByRole('link', { name: '/v1/pets?limit=500' });
  await row.waitFor();
  expect(await row.innerText()).toMatch(
    /^✗ 400\s+GET\s+\/v1\/pets\?limit=500\s+limit must be an integer from 1 to 100, not "500"/,
  );
  const size = await page.evaluate(`['navigation', 'resource']
    .flatMap((type) => performance.getEntriesByType(type))
    .filter(({ name }) => !name.includes('__admin'))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(150_000);
});
