import { setupWorker } from 'msw/browser';
import { http } from 'msw/http';
import { parseExactJson } from '../../common/json/exact-json.ts';
import { createBrowserMock } from '../browser/create-browser-mock.ts';

type Sent = readonly [method: string, path: string, headers: Record<string, string>, body?: number[]];

// The script of the page in which the table of HTTP cases runs.
Object.assign(globalThis, {
  async start(animals: string) {
    const mock = createBrowserMock(http, { data: parseExactJson(animals) as never });
    await setupWorker(...mock.handlers).start({ quiet: true });
    Object.assign(globalThis, { mock });
  },
  async ask([method, path, headers, body]: Sent) {
    const sent = body === undefined ? {} : { body: new Uint8Array(body) };
    const response = await fetch(path, { method, headers, ...sent });
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), text: await response.text() };
  },
});
