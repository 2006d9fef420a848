import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { openPage } from '../../tools/testing/browser.ts';
import { listen } from '../../tools/testing/listen.ts';
import { sampleAnimals } from '../../tools/testing/start-test-mock.ts';
import { buildBrowserMock } from '../browser/build-browser-mock.ts';

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';

const { output } = await buildBrowserMock({ input: 'mock/testing/browser-page.ts', write: false });
const worker = readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8');
const files: Record<string, readonly [type: string, text: string]> = {
  '/': ['text/html', html],
  '/page.js': ['text/javascript', output[0].code],
  '/mockServiceWorker.js': ['text/javascript', worker],
};

/** Opens a page that has a mock in itself, and no server behind it. To its scripts, `mock` is the mock, and `ask` sends a request. */
export async function openWorkerPage(): Promise<Page> {
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', 'not the mock'];
    response.writeHead(files[url] ? 200 : 599, { 'Content-Type': type }).end(text);
  });
  const page = await openPage(await listen(server));
  await page.evaluate(`start(${JSON.stringify(readFileSync(sampleAnimals, 'utf8'))})`);
  return page;
}
