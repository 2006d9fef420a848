import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { findBarriers, inBrowser, measureWidth, openPage } from '../testing/browser.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { NOWHERE, openConsole, startForwarding, waitFor } from './testing/open-console.ts';

const hostile = `</pre></script>'"><img src=x onerror=hacked=1><script>hacked=1</script>{{1}}\u202e&amp;javascript:hacked=1 ${'x'.repeat(300)}`;

inBrowser('strings of clients never become markup, in any view', async () => {
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
  const { page } = await openConsole({ before, viewport: { width: 360, height: 800 } });
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

inBrowser('the CSP allows only the script of the page, and no markup from strings', async () => {
  const { page } = await openConsole();
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

inBrowser.for([
  ['light', 1280],
  ['dark', 360],
] as const)(
  'in %s with %d pixels axe finds no barriers, and nothing scrolls sideways',
  async ([colorScheme, width]) => {
    const before = async (mock: Mock) => {
      await send(mock.url, post('/v1/pets', '{"name":7}'));
      mock.faults.add({ operation: 'listPets', status: 500 });
      mock.configure({ now: '2030-12-05' });
      mock.session('w1');
    };
    // axe inserts styles.
    const options = { before, colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
    const { page } = await openConsole(options);
    for (const view of ['requests', 'requests/1', 'animals/120', 'faults', 'state', 'set-up']) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
      await page.locator(`nav a[aria-current][href="#/${view.split('/')[0]}"]`).waitFor();
      expect([view, await findBarriers(page), await measureWidth(page)]).toEqual([view, [], width]);
    }
  },
);

inBrowser('the page asks for the admin token, and continues after a restart', async () => {
  const mock = await startTestMock({ adminToken: 'secret-token' });
  const { origin, forwardTo } = await startForwarding(mock.url);
  const page = await openPage(`${origin}/`);
  const enter = async (token: string) => {
    await page.getByLabel('Admin token').fill(token);
    await page.keyboard.press('Enter');
  };
  await enter('wrong');
  await page.getByText('The admin token is invalid').waitFor();
  await enter('secret-token');
  await page.getByText('120 animals').waitFor();
  forwardTo(NOWHERE);
  await mock.close();
  await page.getByText('Not connected').waitFor();
  expect(await page.title()).toBe('✗ not connected · Animal Store mock');
  const again = await startTestMock({ adminToken: 'secret-token', animals: 5 });
  forwardTo(again.url);
  await page.getByText('5 animals').waitFor();
  await send(again.url, get('/v1/pets'));
  await page.getByRole('link', { name: 'GET /v1/pets' }).waitFor();
  forwardTo((await startTestMock({ adminToken: 'another-token' })).url);
  await again.close();
  await enter('ключ');
  await page.locator('[name=token][title^="Only Latin letters"]:invalid').waitFor();
  await enter('another-token');
  await page.getByText('120 animals').waitFor();
});
