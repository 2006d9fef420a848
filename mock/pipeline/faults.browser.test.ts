import { expect } from 'vitest';
import { inBrowser, openPage } from '../../testing/browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { sendAdmin } from '../testing/send-admin.ts';

inBrowser.for([
  ['the mock', false],
  ['the checked proxy', true],
] as const)(
  'a browser sees a dropped connection of %s, and does not send the request again',
  async ([, checkedProxy]) => {
    const mock = await startTestMock({ profile: 'empty', checkedProxy });
    const { animals, requests, checkedUrl: url = mock.url } = mock;
    const page = await openPage(new URL('/docs', url).href);
    const add = () =>
      page.evaluate(
        (target) =>
          fetch(target, {
            method: 'POST',
            headers: { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' },
            body: '{"name":"Rex","categoryId":1}',
          }).then(
            ({ status }) => status,
            () => 'failed',
          ),
        `${url}/pets`,
      );
    expect(await add()).toBe(201);
    const fault = { operation: 'createPet', drop: true, times: 2 };
    await sendAdmin(mock.url, ['POST', '/faults', fault]);
    expect([await add(), await add()]).toEqual(['failed', 'failed']);
    expect([animals.size, requests().length]).toEqual([1, 3]);
    expect(await add()).toBe(201);
  },
);
