import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { startCheckedProxy } from '../proxy/index.ts';
import { answerJson, startUpstream } from '../proxy/testing/start-upstream.ts';
import { findBarriers, inBrowser, measureWidth, openPage } from '../tools/testing/browser.ts';
import { get, post, send } from '../tools/testing/http-case.ts';
import { actionsOf, startForwarding } from './testing/open-console.ts';

const pathname = '/a-rather-long-tenant-name/store/v1';

/** Starts an upstream that answers with 62 violations, one of them for the number of animals, or with an empty list if there is a query. */
async function startBroken() {
  const animals = Array.from({ length: 60 }, (_, id) => ({ id: String(id), name: 'Rex', categoryId: 1 }));
  const broken = JSON.stringify(animals).replace('"id":"2","name":"Rex"', '"id":"2"');
  const url = await startUpstream((request, response) =>
    answerJson(request.url?.includes('?') ? '[]' : broken)(request, response),
  );
  return url.replace('/v1', pathname);
}

inBrowser('the console of a proxy shows violations with lines to copy, and requires its token', async () => {
  const upstream = await startBroken();
  const start = async () => {
    const proxy = await startCheckedProxy({ upstream, port: 0, block: true });
    onTestFinished(() => proxy.close());
    return { ...proxy, console: new URL(proxy.consoleUrl ?? '') };
  };
  const proxy = await start();
  const { origin, forwardTo } = await startForwarding(proxy.url);
  const options = { viewport: { width: 360, height: 800 }, bypassCSP: true };
  const page = await openPage(`${origin}/__console/`, options);
  const { see, follow } = actionsOf(page);
  await see('The proxy printed the address of this console');
  await page.goto(`${origin}/__console/${proxy.console.hash}`);
  await page.reload();
  await page.getByRole('heading', { name: 'Point your app at the proxy' }).waitFor();
  expect(await page.title()).toBe(`${new URL(upstream).host} · Animal Store checked proxy`);
  const views = page.getByRole('navigation').getByRole('link');
  expect(await views.allTextContents()).toEqual(['Requests', 'Coverage']);
  expect(await findBarriers(page)).toEqual([]);

  await send(proxy.url, get(`${pathname}/pets?x=1&token=a-secret`));
  await follow(/GET.*pets\?x=1/);
  await page.getByRole('heading', { name: '! 2 warnings', exact: true }).waitFor();
  await see('curl: insert the hidden key');
  expect(await page.getByRole('button', { name: /Fail the next/ }).count()).toBe(0);
  expect([await findBarriers(page), await measureWidth(page)]).toEqual([[], 360]);
  await see('curl -H "authorization: Bearer $ANIMAL_STORE_API_KEY"');
  await page.getByRole('region', { name: 'Request', exact: true }).getByLabel('API key').fill('test-key');
  await see("curl -H 'authorization: Bearer test-key'");
  await follow('Requests');
  await send(proxy.url, post(`${pathname}/pets`, gzipSync('{"name":7}'), { 'Content-Encoding': 'gzip' }));
  await follow(/POST/);
  await see('curl: save the body as the file "body"');
  await follow('Requests');
  await send(proxy.url, get(`${pathname}/pets`));
  await follow(/✗ 502\s+GET.*Response body.*(?:required|type) \+61/s);
  await page.getByRole('heading', { name: '✗ 62 violations of the contract' }).waitFor();
  await see('60 times');
  await see('received "0"');
  await see('The upstream answered 200. The client received 502 (response_violation).');
  expect(await page.locator('.code mark').count()).toBe(62);
  expect(await page.locator('mark[data-problem="required: name"]').allTextContents()).toEqual(['{']);
  expect(await measureWidth(page)).toBe(360);
  await follow('Coverage');
  await page.getByRole('row', { name: 'listPets ✓ 2', exact: true }).waitFor();
  await page.getByRole('row', { name: 'getPet ! not reached', exact: true }).waitFor();
  await send(proxy.url, get(`${pathname}/pets/1`));
  await page.getByRole('row', { name: 'getPet ✓ 1', exact: true }).waitFor();
  expect([await findBarriers(page), await measureWidth(page)]).toEqual([[], 360]);
  forwardTo((await start()).url);
  await proxy.close();
  await see('The token of the console is invalid');
  expect(await page.title()).not.toContain('not connected');
});
