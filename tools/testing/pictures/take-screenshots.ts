import type { Browser } from 'playwright-core';
import { brokenDeployments } from '../../../contract-tests/deployments/broken-deployments.ts';
import { startDeployment } from '../../../contract-tests/deployments/run-deployment.ts';
import { verifyDeployment } from '../../../contract-tests/index.ts';
import { reporters } from '../../../contract-tests/reporters/reporters.ts';
import { type Mock, startMock } from '../../../mock/index.ts';
import { get, post, send } from '../http-case.ts';
import { startBrowser } from '../start-browser.ts';

/** A page of which pictures are taken. */
interface Screen {
  readonly name: string;
  /** In pixels. */
  readonly height: number;
  readonly address: { readonly url: string } | { readonly html: string };
  /** A text that is there when the page is complete. */
  readonly text: string;
}

/** In pixels. */
const WIDTH = 1280;

const colorSchemes = ['light', 'dark'] as const;

/** Takes pictures of the console and of a report, light and dark, as `console-light.png` and so on. */
export async function takeScreenshots(folder: string): Promise<void> {
  const browser = await startBrowser();
  if (typeof browser === 'string') throw new Error(browser);
  await using _ = browser;
  await using mock = await startMock({ port: 0, checkedProxy: true, log: 'silent' });
  await sendRequests(mock);
  mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
  const url = `${new URL(mock.url).origin}/#/requests/8`;
  const screens: Screen[] = [
    { name: 'console', height: 560, address: { url }, text: '2 violations of the contract' },
    { name: 'report', height: 745, address: { html: await createReport() }, text: 'Does not conform' },
  ];
  for (const screen of screens)
    for (const colorScheme of colorSchemes) await takeScreenshot(browser, screen, colorScheme, folder);
}

async function takeScreenshot(
  browser: Browser,
  { name, height, address, text }: Screen,
  colorScheme: (typeof colorSchemes)[number],
  folder: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme });
  await ('url' in address ? page.goto(address.url) : page.setContent(address.html));
  await page.getByText(text).first().waitFor();
  await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  await page.close();
}

async function sendRequests({ checkedUrl, faults }: Mock): Promise<void> {
  const first = ['?limit=500', '/119', '/999', '?status=available'].map((rest) => get(`/v1/pets${rest}`));
  const others = [
    get('/v1/pets'),
    get('/v1/pets', { Authorization: undefined }),
    post('/v1/pets', '{"name":7,"categoryId":"9"}'),
  ];
  const add = post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}');
  for (const request of [...first, add]) await send(`${checkedUrl}`, request);
  faults.add({ operation: 'listPets', status: 503, times: 1 });
  for (const request of others) await send(`${checkedUrl}`, request);
}

/** Creates the report of a deployment that rounds categories. */
async function createReport(): Promise<string> {
  const defect = 'answers a categoryId exactly and keeps it as a double';
  const broken = await startDeployment(brokenDeployments.find(({ name }) => name === defect) ?? {});
  const report = await verifyDeployment({ baseUrl: broken.url, apiKey: 'test-key', allowWrites: true });
  await broken.close();
  return reporters.html?.print(report, {}) ?? '';
}
