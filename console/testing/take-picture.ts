// Takes docs/pictures/console.png: node console/testing/take-picture.ts
import { join } from 'node:path';
import { startMock } from '../../mock/index.ts';
import { get, post, send } from '../../testing/http-case.ts';
import { startBrowser } from '../../testing/start-browser.ts';

const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
const mock = await startMock({ checkedProxy: true, log: 'silent' });
for (const request of [
  get('/v1/pets?limit=500'),
  get('/v1/pets/119'),
  get('/v1/pets/999'),
  get('/v1/pets?status=available'),
  post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}'),
  get('/v1/pets', { Prefer: 'code=503' }),
  get('/v1/pets', { Authorization: undefined }),
  post('/v1/pets', '{"name":7,"categoryId":"9"}'),
]) {
  await send(mock.checkedUrl as string, request);
}
mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
const page = await browser.newPage({ viewport: { width: 1280, height: 560 } });
await page.goto(`${new URL(mock.url).origin}/#/requests/8`);
await page.getByText('2 violations of the contract').waitFor();
await page.screenshot({ path: join(import.meta.dirname, '../../docs/pictures/console.png') });
await browser.close();
await mock.close();
