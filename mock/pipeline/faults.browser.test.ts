import { expect } from 'vitest';
import { inBrowser, openPage } from '../../testing/browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

inBrowser.for([
  ['the mock', false],
  ['the checked proxy', true],
] as const)('a browser sees a drop of %s, and does not send the request again', async ([, checkedProxy]) => {
  const mock = await startTestMock({ profile: 'empty', checkedProxy });
  const { animals, requests, faults, checkedUrl: url = mock.url } = mock;
  const page = await openPage(new URL('/docs', url).href);
  const send = async (target: string) => {
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' };
    return fetch(target, request).then(
      ({ status }) => status,
      () => 'failed',
    );
  };
  const add = () => page.evaluate(send, `${url}/pets`);
  expect(await add()).toBe(201);
  faults.add({ operation: 'createPet', drop: true, times: 2 });
  expect([await add(), await add()]).toEqual(['failed', 'failed']);
  expect([animals.size, requests().length]).toEqual([1, 3]);
  expect(await add()).toBe(201);
});
