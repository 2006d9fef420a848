import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { findBarriers, inBrowser, openPage, themes } from '../tools/testing/browser.ts';
import { get, post, send } from '../tools/testing/http-case.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { actionsOf, openConsole, startForwarding, waitFor } from './testing/open-console.ts';

const hostile = `</pre></script>'"><img src=x onerror=hacked=1><script>hacked=1</script>{{1}}\u202e&amp;javascript:hacked=1 ${'x'.repeat(300)}`;

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

const describePage = `[typeof hacked, document.documentElement.scrollWidth,
  document.querySelectorAll('img, script:not([src]), [onerror], iframe, base').length]`;

inBrowser('in light and in dark no string becomes markup, and axe finds no barriers', async () => {
  const before = async (mock: Mock) => {
    mock.animals.add({ id: 1_000, name: hostile, categoryId: 1 });
    const header = hostile.replace('\u202e', '');
    const body = JSON.stringify({ name: hostile, [hostile]: 1 });
    await send(mock.url, post(`/v1/pets?a=${encodeURI(header)}"'<b>`, body, { 'X-Bad': header }));
    mock.faults.add({ operation: 'listPets', status: 500, message: hostile });
    mock.configure({ now: '2030-12-05' });
    mock.session('w1');
  };
  // axe inserts styles, and without the CSP markup would have an effect.
  const options = { before, bypassCSP: true, mock: { profile: 'edge-cases' } } as const;
  const { page, goTo } = await openConsole(options);
  const encoded = encodeURIComponent(hostile);
  const views = 'requests/1 animals faults state requests'.split(' ');
  for (const colorScheme of themes) {
    const width = colorScheme === 'light' ? 1280 : 360;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const view of [...views, `requests/${encoded}?text=${encoded}`]) {
      await goTo(`#/${view}`);
      await page.locator(`nav a[aria-current][href="#/${view.split(/[/?]/)[0]}"]`).waitFor();
      const many = page.getByRole('button', { name: /^Remove/ }).nth(20);
      if (view === 'animals') await many.waitFor();
      const readFacts = () => page.evaluate(describePage);
      await waitFor(async () => expect(await readFacts(), view).toEqual(['undefined', width, 0]));
      expect([colorScheme, view, await findBarriers(page)]).toEqual([colorScheme, view, []]);
    }
  }
});

inBrowser('the page asks for the admin token, and continues after a restart', async () => {
  const mock = await startTestMock({ adminToken: 'secret-token' });
  const { origin, forwardTo } = await startForwarding(mock.url);
  const page = await openPage(`${origin}/`);
  const { see, fill, press } = actionsOf(page);
  const enter = async (token: string) => {
    await fill('Admin token', token);
    await press('Enter');
  };
  await enter('wrong');
  await see('The admin token is invalid');
  await enter('secret-token');
  await see('120 animals');
  // The next mock starts with the same ids.
  await send(mock.url, get('/v1/pets/1'));
  await see('1 request', true);
  // Nothing listens there.
  forwardTo('http://127.0.0.1:9');
  await mock.close();
  await see('Not connected');
  expect(await page.title()).toBe('✗ not connected · Animal Store mock');
  const again = await startTestMock({ adminToken: 'secret-token', animals: 5 });
  forwardTo(again.url);
  await see('5 animals');
  await send(again.url, get('/v1/pets'));
  await page.getByRole('link', { name: 'GET /v1/pets' }).waitFor();
  forwardTo((await startTestMock({ adminToken: 'another-token' })).url);
  await again.close();
  await enter('ключ');
  await page.locator('[name=token][title^="Use only Latin letters"]:invalid').waitFor();
  await enter('another-token');
  await see('120 animals');
});
