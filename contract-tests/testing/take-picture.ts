// Takes docs/pictures/report.png: node contract-tests/testing/take-picture.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser } from '../../testing/start-browser.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { startDeployment } from '../deployments/run-deployment.ts';
import { verifyDeployment } from '../index.ts';
import { reporters } from '../reporters/reporters.ts';

const name = 'answers a categoryId exactly and keeps it as a double';
const deployment = brokenDeployments.find((one) => one.name === name);
if (deployment === undefined) throw new Error(`No deployment ${name}.`);
const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
const { url, close } = await startDeployment(deployment);
const report = await verifyDeployment({ baseUrl: url, apiKey: 'test-key', allowWrites: true });
await close();
const folder = mkdtempSync(join(tmpdir(), 'report-'));
const file = join(folder, 'report.html');
writeFileSync(file, reporters.html?.print(report, {}) ?? '');
const page = await browser.newPage({ viewport: { width: 1280, height: 745 } });
await page.goto(pathToFileURL(file).href);
await page.getByText('Does not conform').waitFor();
await page.screenshot({ path: join(import.meta.dirname, '../../docs/pictures/report.png') });
await browser.close();
rmSync(folder, { recursive: true });
