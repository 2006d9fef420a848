import type { TestInfo } from '@playwright/test';
import { expect, test } from 'vitest';
import { get, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock } from '../client/connect-mock.ts';
import { attachJournal } from './attach-journal.ts';

/** Attaches the journal of a mock to a test. @returns the text */
async function attach(
  url: string,
  own: Partial<TestInfo> = {},
  ownUrl?: string,
): Promise<string | undefined> {
  const attached: string[] = [];
  const save = async (_name: string, { body }: { body: string }) => void attached.push(body);
  const testInfo = { attach: save, status: 'failed', expectedStatus: 'passed', ...own };
  await attachJournal(connectMock(url), async () => new Set(), testInfo as unknown as TestInfo, ownUrl);
  return attached[0];
}

test('each violation is at its request', async () => {
  const { url, checkedUrl } = await startTestMock({ checkedProxy: true });
  for (const limit of [1, 0, 0]) await send(`${checkedUrl}`, get(`/v1/pets?limit=${limit}`));
  expect(await attach(url)).toMatch(
    /^GET \/v1\/pets\?limit=1 200 .*\n(?:GET \/v1\/pets\?limit=0 400 .*\n {2}request\.query\.limit minimum: .*\n){2}$/,
  );
});

test('a request has what the mock noticed about it, such as a rounded id', async () => {
  const { url, animals } = await startTestMock();
  animals.add({ id: 9007199254740993n, name: 'Rex', categoryId: 1 });
  await send(url, get('/v1/pets/9007199254740992'));
  expect(await attach(url)).toMatch(
    /^GET \/v1\/pets\/9007199254740992 404 .* not_found an animal exists whose id a double rounds to this one: .*\n$/,
  );
});

test('without a request, a mock that the worker has started itself is named, since the app may use another one', async () => {
  const { url } = await startTestMock();
  expect(await attach(url, {}, url)).toContain(
    ` reached the mock.\nWithout mockUrl, this worker has started a mock of its own: ${url}\nIf your server renders`,
  );
});

test.for([
  ['failed', 'passed', true],
  ['timedOut', 'passed', true],
  ['passed', 'passed', false],
  ['failed', 'failed', false],
] as const)(
  'a test that has %s, and should have %s, has the requests: %s',
  async ([status, expectedStatus, isAttached]) => {
    const { url } = await startTestMock();
    expect((await attach(url, { status, expectedStatus })) !== undefined).toBe(isAttached);
  },
);
