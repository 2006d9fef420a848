import { expect } from 'vitest';
import { inBrowser, openPage } from '../tools/testing/browser.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';

// At night only: the mock waits for 100 ms, and a Chromium that shares two cores with three others takes longer to end a request.

inBrowser.for(['the mock', 'the checked proxy'])(
  'a page that sends a request again at once to %s, as in StrictMode, gets a failure that happens once',
  async (service) => {
    const mock = await startTestMock({ checkedProxy: service === 'the checked proxy' });
    const url = mock.checkedUrl ?? mock.url;
    const page = await openPage(new URL('/docs', url).href);
    const sendTwice = async (target: string) => {
      const headers = { Authorization: 'Bearer test-key' };
      const first = new AbortController();
      const aborted = fetch(target, { headers, signal: first.signal }).catch(() => {});
      first.abort();
      const { status } = await fetch(target, { headers });
      await aborted;
      return status;
    };
    // A browser does not always send the first request.
    for (let round = 0; round < 10; round += 1) {
      mock.reset();
      mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
      expect(await page.evaluate(sendTwice, `${url}/pets`)).toBe(500);
    }
  },
);
