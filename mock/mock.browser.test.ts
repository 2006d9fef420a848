import { build } from 'rolldown';
import { expect } from 'vitest';
import { inBrowser, openPage } from '../tools/testing/browser.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';

inBrowser.for(['the mock', 'the checked proxy'])(
  'a browser sees a drop of %s before and after the operation, and does not send the request again',
  async (service) => {
    const mock = await startTestMock({ profile: 'empty', checkedProxy: service === 'the checked proxy' });
    const { animals, requests, faults, checkedUrl: url = mock.url } = mock;
    const page = await openPage(new URL('/health', url).href);
    const send = async (target: string) => {
      const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
      const request = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' };
      const answer = await fetch(target, request).catch(() => undefined);
      return answer?.status ?? 'failed';
    };
    const add = () => page.evaluate(send, `${url}/pets`);
    expect(await add()).toBe(201);
    faults.add({ operation: 'createPet', drop: true, times: 2 });
    expect([await add(), await add()]).toEqual(['failed', 'failed']);
    expect([animals.size, requests().length]).toEqual([1, 3]);
    expect(await add()).toBe(201);
    faults.add({ operation: 'createPet', after: 'drop', times: 1 });
    expect(await add()).toBe('failed');
    expect([animals.size, requests().length]).toEqual([3, 5]);
  },
);

inBrowser('a page drives the mock with the client, which is one file', async () => {
  const { url } = await startTestMock();
  const { output } = await build({ input: 'mock/client/connect-mock.ts', write: false });
  expect([output.length, output[0].imports]).toEqual([1, []]);
  const page = await openPage(new URL('/health', url).href);
  await page.route('**/sessions/w2/**', (route) => route.abort());
  const script = `import('data:text/javascript,' + encodeURIComponent(${JSON.stringify(output[0].code)}))
    .then(async ({ connectMock }) => {
      const [one, two] = ['w1', 'w2'].map((name) => connectMock(location.origin).session(name));
      const [{ id }] = await one.animals.replace([{ id: 2n ** 60n, name: 'Rex', categoryId: 1 }]);
      await fetch(one.url + '/pets');
      return [id, (await one.waitForRequest()).time, await two.reset().catch(({ message }) => message)];
    })`;
  const message = expect.stringContaining('let the development server forward /__admin and /sessions');
  expect(await page.evaluate(script)).toEqual([2n ** 60n, expect.any(Date), message]);
});
