import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { Mock } from '../index.ts';
import { get, send } from '../testing/http-case.ts';
import { sendAdmin } from '../testing/send-admin.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

/** Has a few clauses tried, and waits until the run is over. */
async function verify({ url }: Pick<Mock, 'url'>, options: object = {}) {
  const started = await sendAdmin(url, ['POST', '/verifications', { only: ['list-pets/pets'], ...options }]);
  expect(started.status).toBe(201);
  const { id } = started.body as { id: bigint };
  return vi.waitFor(
    async () => {
      const { body } = await sendAdmin(url, ['GET', `/verifications/${id}`]);
      expect(body).toHaveProperty('conclusion');
      return body as Record<string, unknown>;
    },
    { timeout: 30_000 },
  );
}

test('the suite verifies the mock that is asked, and reports as a page', { timeout: 60_000 }, async () => {
  const mock = await startTestMock({ apiKeys: ['a-key-of-my-own'] });
  const done = await verify(mock);
  expect(done).toMatchObject({
    ...{ id: 1n, baseUrl: mock.url, allowWrites: false, conclusion: 'conforms in part' },
    counts: { passed: 1n, failed: 0n, skipped: 0n, error: 0n },
    verdicts: [{ id: 'list-pets/pets', level: 'required', verdict: 'passed' }],
  });
  const page = await send(mock.url, get('/__admin/verifications/1/report'));
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^sandbox(?!.*allow-same-origin)/);
  expect(page.text).toContain('conforms');
  expect(JSON.stringify([mock.requests(), page.text])).not.toContain('a-key-of-my-own');
  expect(mock.animals.size).toBe(120);
});

test('with an admin token a ticket opens the report once, and nothing else', {
  timeout: 60_000,
}, async () => {
  const { url } = await startTestMock({ adminToken: 's3cr-token' });
  const token = { Authorization: 'Bearer s3cr-token' };
  const ask = async (method: string, path: string, body?: unknown) =>
    (await sendAdmin(url, [method, path, body], token)).body as Record<string, unknown>;
  await ask('POST', '/verifications', { only: ['list-pets/pets'] });
  const isOver = async () => expect(await ask('GET', '/verifications/1')).toHaveProperty('conclusion');
  await vi.waitFor(isOver, { timeout: 30_000 });
  const open = async (path: string) =>
    (await send(url, get(`/__admin/verifications/${path}`, { Authorization: undefined }))).status;
  const { ticket } = await ask('POST', '/verifications/1/report');
  expect(await open(`1?ticket=${ticket}`)).toBe(401);
  expect(await open('1/report?ticket=')).toBe(401);
  expect(await open(`2/report?ticket=${ticket}`)).toBe(401);
  expect(await open(`1/report?ticket=${ticket}`)).toBe(200);
  expect(await open(`1/report?ticket=${ticket}`)).toBe(401);
});

test('a deployment that breaks the contract does not conform, with the reason', {
  timeout: 60_000,
}, async () => {
  const mock = await startTestMock();
  const session = mock.session('broken');
  session.faults.add({ operation: 'listPets', body: 'PET_WITHOUT_NAME' });
  const done = await verify(mock, { baseUrl: session.url, apiKey: 'test-key' });
  expect(done).toMatchObject({ conclusion: 'does not conform', counts: { failed: 1n } });
  expect(done.verdicts).toMatchObject([
    { verdict: 'failed', reason: expect.stringMatching(/^expected .*, received /s) },
  ]);
  const own = await verify(session);
  expect(own).toMatchObject({ baseUrl: session.url, conclusion: 'does not conform' });
  const { body } = await sendAdmin(mock.url, ['GET', '/verifications']);
  expect(body).toMatchObject([{ id: 1n }, { id: 2n }]);
});

test('what cannot be verified is told, and a run can be stopped', { timeout: 60_000 }, async () => {
  const mock = await startTestMock();
  const wrong = await verify(mock, { apiKey: 'another-key' });
  expect(wrong.conclusion).toMatch(/^could not tell: .*key/);
  expect(inspect(wrong)).not.toContain('another-key');
  mock.faults.add({ delay: 300 });
  const slow = await sendAdmin(mock.url, ['POST', '/verifications', { only: ['list-pets'] }]);
  const { id } = slow.body as { id: bigint };
  expect((await sendAdmin(mock.url, ['DELETE', `/verifications/${id}`])).status).toBe(204);
  await vi.waitFor(
    async () =>
      expect((await sendAdmin(mock.url, ['GET', `/verifications/${id}`])).body).toMatchObject({
        conclusion: 'stopped',
      }),
    { timeout: 30_000 },
  );
});

test.for([
  [{ baseUrl: 'ftp://x' }, 'baseUrl must be a URL such as https://staging.example/v1, with http or https.'],
  [
    { baseUrl: 'http://u:hunter2@x/v1' },
    'baseUrl must not contain credentials: leave out the part before the @.',
  ],
  [{ baseUrl: 'http://127.0.0.1:9/v1' }, 'apiKey is missing; give the API key of the deployment.'],
  [{ allowWrites: 1 }, 'allowWrites must be true or false, not 1'],
  [{ only: 'list-pets' }, 'only must be an array of clauses, such as ["list-pets"]'],
  [{ apiKey: 7 }, 'apiKey must be a text'],
  [{ bseUrl: 'http://x' }, '"bseUrl" is not known; baseUrl, apiKey, allowWrites or only are'],
] as const)('the verification %j is refused', async ([options, mention]) => {
  const { url } = await startTestMock();
  const { status, body } = await sendAdmin(url, ['POST', '/verifications', options]);
  expect([status, body]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining(mention) }),
  ]);
  for (const path of ['/verifications/1', '/verifications/1/report', '/verifications/x'])
    expect((await sendAdmin(url, ['GET', path])).status).toBe(404);
});
