// Takes docs/pictures/console.png and report.png: node testing/take-pictures.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { brokenDeployments } from '../contract-tests/deployments/broken-deployments.ts';
import { startDeployment } from '../contract-tests/deployments/run-deployment.ts';
import { verifyDeployment } from '../contract-tests/index.ts';
import { reporters } from '../contract-tests/reporters/reporters.ts';
import { startMock } from '../mock/index.ts';
import { get, post, send } from './http-case.ts';
import { startBrowser } from './start-browser.ts';

const browser = (await startBrowser()) as Browser;

async function takePicture(name: string, url: string, height: number, text: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height } });
  await page.goto(url);
  await page.getByText(text).waitFor();
  await page.screenshot({ path: join(import.meta.dirname, `../docs/pictures/${name}.png`) });
}

const mock = await startMock({ checkedProxy: true, log: 'silent' });
for (const request of [
  ...['?limit=500', '/119', '/999', '?status=available'].map((rest) => get(`/v1/pets${rest}`)),
  post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}'),
  get('/v1/pets', { Prefer: 'code=503' }),
  get('/v1/pets', { Authorization: undefined }),
  post('/v1/pets', '{"name":7,"categoryId":"9"}'),
])
  await send(mock.checkedUrl as string, request);
mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
await takePicture('console', `${new URL(mock.url).origin}/#/requests/8`, 560, '2 violations of the contract');
await mock.close();

const defect = 'answers a categoryId exactly and keeps it as a double';
const { url, close } = await startDeployment(brokenDeployments.find(({ name }) => name === defect) ?? {});
const report = await verifyDeployment({ baseUrl: url, apiKey: 'test-key', allowWrites: true });
await close();
const folder = mkdtempSync(join(tmpdir(), 'report-'));
const file = join(folder, 'report.html');
writeFileSync(file, reporters.html?.print(report, {}) ?? '');
await takePicture('report', pathToFileURL(file).href, 745, 'Does not conform');
await browser.close();
rmSync(folder, { recursive: true });
