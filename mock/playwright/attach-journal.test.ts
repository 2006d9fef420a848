import type { TestInfo } from '@playwright/test';
import { expect, test } from 'vitest';
import { get, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock } from '../client/connect-mock.ts';
import { attachJournal } from './attach-journal.ts';

test('each violation is at its request', async () => {
  const { url, checkedUrl } = await startTestMock({ checkedProxy: true });
  for (const limit of [1, 0]) await send(`${checkedUrl}`, get(`/v1/pets?limit=${limit}`));
  const attached: unknown[] = [];
  const testInfo = { attach: async (_name: string, { body }: { body: string }) => void attached.push(body) };
  await attachJournal(connectMock(url), new Set(), testInfo as unknown as TestInfo);
  expect(attached[0]).toMatch(
    /^GET \/v1\/pets\?limit=1 200 .*\nGET \/v1\/pets\?limit=0 400 .*\n {2}request\.query\.limit minimum: .*\n$/,
  );
});
