import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { printGet } from '../tools/bench/print-request.ts';
import { sendRaw } from '../tools/bench/send-raw.ts';
import { inBrowser } from '../tools/testing/browser.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { openConsole, waitFor } from './testing/open-console.ts';

inBrowser('the page shows the latest thousand requests, and counts the others', async () => {
  const options = { hash: '#/requests', mock: { animals: 3, journal: 1_050, checkedProxy: true } };
  const fill = ({ url }: Mock) => {
    const sent = Array(1_049).fill(printGet('/v1/pets'));
    return sendRaw(url, { bytes: sent.join(''), expected: sent.map(() => '200').join(' ') });
  };
  const { mock, page, see, goTo } = await openConsole({ ...options, before: fill });
  await see('1,000 requests, 49 older requests not shown', true);
  await send(mock.url, get('/v1/pets'));
  const { id = 0 } = mock.requests({ limit: 1 })[0] ?? {};
  await page.locator(`a[href="#/requests/${id}"]`).waitFor();
  await see('1,000 requests, 50 older requests not shown', true);
  expect(await page.locator('.row').count()).toBe(1_000);
  // The row of a linked request is on the screen.
  await page.goto(page.url().replace(/#.*/, `#/requests/${id - 900}`));
  await page.locator('.row[aria-current]').waitFor();
  await waitFor(async () => {
    const { y = -1 } = (await page.locator('.row[aria-current]').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(700);
  });
  await goTo('#/requests/9999');
  await see('Request 9999 is not available');
});
