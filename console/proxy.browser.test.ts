import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { startCheckedProxy } from '../proxy/index.ts';
import { findBarriers, inBrowser, measureWidth, openPage } from '../testing/browser.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { startForwarding } from './testing/open-console.ts';

inBrowser('the console of a proxy has requests and lines to copy', async () => {
  const upstream = await startTestMock({ checkedProxy: false });
  const proxy = await startCheckedProxy({ upstream: upstream.url, port: 0, apiKeys: ['test-key'] });
  onTestFinished(() => proxy.close());
  const page = await openPage(proxy.consoleUrl ?? '');
  await page.getByRole('heading', { name: 'Point your app at the proxy' }).waitFor();
  expect(await page.title()).toBe(`${new URL(upstream.url).host} · Animal Store proxy`);
  const views = page.getByRole('navigation').getByRole('link');
  expect(await views.allTextContents()).toEqual(['Requests', 'Set up']);
  expect(await page.getByRole('main').textContent()).toContain(`npx animal-store-proxy '${upstream.url}'`);
  expect(await findBarriers(page)).toEqual([]);

  await send(proxy.url, get('/v1/pets?limit=0'));
  await page.getByRole('link', { name: /GET \/v1\/pets\?limit=0/ }).click();
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByText('request.query.limit').waitFor();
  expect(await detail.getByRole('button', { name: /Fail the next/ }).count()).toBe(0);
  await detail.getByLabel('Key').fill('test-key');
  await detail.getByText(`'${proxy.url}/pets?limit=0'`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

inBrowser('the console of a proxy shows all violations, and requires its token', async () => {
  const animals = Array.from({ length: 60 }, (_, id) => ({ id: String(id), name: 'Rex', categoryId: 1 }));
  const broken = JSON.stringify(animals.with(2, { id: '2', categoryId: 1 } as (typeof animals)[0]));
  const server = createServer(({ url = '' }, response) =>
    response.setHeader('Content-Type', 'application/json').end(url.includes('?') ? '[]' : broken),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a-rather-long-tenant-name/store/v1`;
  const start = async () => {
    const proxy = await startCheckedProxy({ upstream, port: 0, errors: true });
    onTestFinished(() => proxy.close());
    return proxy;
  };
  const proxy = await start();
  const { pathname } = new URL(proxy.url);
  const { origin, forwardTo } = await startForwarding(proxy.url);
  await send(proxy.url, get(`${pathname}/pets?x=1&token=a-secret`));
  await send(proxy.url, post(`${pathname}/pets`, gzipSync('{"name":7}'), { 'Content-Encoding': 'gzip' }));
  const page = await openPage(`${origin}/__console/`, { viewport: { width: 360, height: 800 } });
  await page.getByText('Open the address of the console that the proxy has printed').waitFor();
  await page.goto(`${origin}/__console/${new URL(proxy.consoleUrl ?? '').hash}/requests/1`);
  const detail = page.getByRole('region', { name: 'Request', exact: true });
  await detail.getByRole('heading', { name: '! 2 warnings', exact: true }).waitFor();
  await detail.getByText('curl -H "authorization: Bearer $ANIMAL_STORE_API_KEY"').waitFor();
  expect(await page.title()).toBe(`${new URL(upstream).host} · Animal Store proxy`);
  await detail.getByText('curl — put in the hidden key').waitFor();
  expect(await measureWidth(page)).toBe(360);
  await page.evaluate("location.hash = '#/requests/2'");
  await detail.getByText('curl — put the body into the file "body"').waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await send(proxy.url, get(`${pathname}/pets`));
  await page.getByRole('link', { name: /✗ 502\s+GET.*✗ response\.body.*\+60/s }).click();
  await detail.getByRole('heading', { name: '✗ 61 violations of the contract' }).waitFor();
  await detail.getByText('type — 60 times').waitFor();
  await detail.getByText('The upstream answered 200; the client got 502 (response_violation).').waitFor();
  expect(await detail.locator('.code mark').count()).toBe(61);
  expect(await detail.locator('mark[data-rule="lacks name"]').allTextContents()).toEqual(['{']);
  expect(await measureWidth(page)).toBe(360);
  forwardTo((await start()).url);
  await proxy.close();
  await page.getByText('The token of the console is invalid').waitFor();
  expect(await page.title()).not.toContain('not connected');
});
