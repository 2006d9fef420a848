// Takes docs/pictures/console.png and report.png: node tools/testing/take-pictures.ts
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { brokenDeployments } from '../../contract-tests/deployments/broken-deployments.ts';
import { startDeployment } from '../../contract-tests/deployments/run-deployment.ts';
import { verifyDeployment } from '../../contract-tests/index.ts';
import { reporters } from '../../contract-tests/reporters/reporters.ts';
import { startMock } from '../../mock/index.ts';
import { get, post, send } from './http-case.ts';
import { startBrowser } from './start-browser.ts';

await using browser = (await startBrowser()) as Browser;

async function takePicture(
  name: string,
  height: number,
  address: { url?: string; html?: string },
  text: string,
) {
  const page = await browser.newPage({ viewport: { width: 1280, height } });
  await (address.url ? page.goto(address.url) : page.setContent(address.html ?? ''));
  await page.getByText(text).first().waitFor();
  await page.screenshot({ path: join(import.meta.dirname, `../../docs/pictures/${name}.png`) });
}

await using mock = await startMock({ checkedProxy: true, log: 'silent' });
for (const request of [
  ...['?limit=500', '/119', '/999', '?status=available'].map((rest) => get(`/v1/pets${rest}`)),
  post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}'),
  get('/v1/pets', { Prefer: 'code=503' }),
  get('/v1/pets', { Authorization: undefined }),
  post('/v1/pets', '{"name":7,"categoryId":"9"}'),
])
  await send(mock.checkedUrl as string, request);
mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
const url = `${new URL(mock.url).origin}/#/requests/8`;
await takePicture('console', 560, { url }, '2 violations of the contract');

const defect = 'answers a categoryId exactly and keeps it as a double';
const broken = await startDeployment(brokenDeployments.find(({ name }) => name === defect) ?? {});
const report = await verifyDeployment({ baseUrl: broken.url, apiKey: 'test-key', allowWrites: true });
await broken.close();
await takePicture('report', 745, { html: reporters.html?.print(report, {}) ?? '' }, 'Does not conform');
