import type { Page } from 'playwright-core';
import { build } from 'rolldown';
import { expect } from 'vitest';
import { inBrowser, openPage } from '../tools/testing/browser.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';

/** Opens the API reference of a mock or a session. */
async function openDocs(url: string): Promise<Page> {
  const page = await openPage(url.replace(/\/v1$/, '/docs'));
  await page.locator('.opblock').first().waitFor();
  return page;
}

/** Sends the request of an operation from the page. @returns the status */
async function tryIt(page: Page, operation: string, values: Readonly<Record<string, string>> = {}) {
  const block = page.locator(`#operations-animals-${operation}`);
  await block.locator('.opblock-summary-control').click();
  for (const [name, value] of Object.entries(values)) {
    await (name === 'body' ? block.locator('textarea') : block.getByPlaceholder(name)).fill(value);
  }
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table .response');
  await answer.waitFor();
  return (await answer.locator('.response-col_status').first().innerText()).trim();
}

inBrowser(
  'the API reference sends requests to its session, with the usual key and with another one',
  async () => {
    const mock = await startTestMock();
    const session = mock.session('w1');
    const page = await openDocs(session.url);
    const paths = page.locator('.opblock-summary-path, .opblock-summary-path__deprecated');
    expect(await paths.allInnerTexts()).toEqual(['/pets', '/pets', '/pets/{petId}']);
    const body = '{"name":"Tom","categoryId":7}';
    expect(await tryIt(page, 'createPet', { body })).toBe('201');
    expect(session.animals.all().at(-1)).toMatchObject({ name: 'Tom', categoryId: 7n });

    session.configure({ apiKeys: ['own-key'] });
    expect(await tryIt(page, 'listPets', { limit: '2' })).toBe('401');
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.auth-btn-wrapper');
    await dialog.getByText('Logout').click();
    await page.locator('.auth-container input').fill('own-key');
    for (const name of ['Authorize', 'Close']) await dialog.getByText(name).click();
    expect(await tryIt(page, 'getPet', { petId: '1' })).toBe('200');
  },
);

inBrowser.for(['the mock', 'the checked proxy'])(
  'a browser sees a drop of %s before and after the operation, and does not send the request again',
  async (service) => {
    const mock = await startTestMock({ profile: 'empty', checkedProxy: service === 'the checked proxy' });
    const { animals, requests, faults, checkedUrl: url = mock.url } = mock;
    const page = await openPage(new URL('/health', url).href);
    const send = async (target: string) => {
      const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
      const request = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' };
      const answer = await fetch(target, request).catch(() => undefined);
      return answer?.status ?? 'failed';
    };
    const add = () => page.evaluate(send, `${url}/pets`);
    expect(await add()).toBe(201);
    faults.add({ operation: 'createPet', drop: true, times: 2 });
    expect([await add(), await add()]).toEqual(['failed', 'failed']);
    expect([animals.size, requests().length]).toEqual([1, 3]);
    expect(await add()).toBe(201);
    faults.add({ operation: 'createPet', after: 'drop', times: 1 });
    expect(await add()).toBe('failed');
    expect([animals.size, requests().length]).toEqual([3, 5]);
  },
);

inBrowser('a page drives the mock with the client, which is one file', async () => {
  const { url } = await startTestMock();
  const { output } = await build({ input: 'mock/client/connect-mock.ts', write: false });
  expect([output.length, output[0].imports]).toEqual([1, []]);
  const page = await openPage(new URL('/health', url).href);
  await page.route('**/sessions/w2/**', (route) => route.abort());
  const script = `import('data:text/javascript,' + encodeURIComponent(${JSON.stringify(output[0].code)}))
    .then(async ({ connectMock }) => {
      const [one, two] = ['w1', 'w2'].map((name) => connectMock(location.origin).session(name));
      const [{ id }] = await one.animals.replace([{ id: 2n ** 60n, name: 'Rex', categoryId: 1 }]);
      await fetch(one.url + '/pets');
      return [id, (await one.waitForRequest()).time, await two.reset().catch(({ message }) => message)];
    })`;
  const message = expect.stringContaining('let the development server forward /__admin and /sessions');
  expect(await page.evaluate(script)).toEqual([2n ** 60n, expect.any(Date), message]);
});
