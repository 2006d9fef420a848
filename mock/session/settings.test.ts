import { expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startMockCli } from '../../testing/run-cli.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock, SettingChanges } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const ways: Readonly<Record<string, (mock: Mock, changes: SettingChanges) => unknown>> = {
  'from code': (mock, changes) => mock.configure(changes),
  'over HTTP': (mock, changes) =>
    sendAdmin(mock.url, ['PATCH', '/settings', JSON.parse(JSON.stringify(changes))]),
};

const statusOf = async (mock: Mock, key: string) =>
  (await send(mock.url, get('/v1/pets', { Authorization: `Bearer ${key}` }))).status;
const idsOf = async (mock: Mock, query = '') =>
  (await send(mock.url, get(`/v1/pets${query}`))).body.map(({ id }: { id: number }) => id);

for (const [way, configure] of Object.entries(ways)) {
  test(`${way}: a key expires, and another is accepted`, async () => {
    const mock = await startTestMock();
    await configure(mock, { apiKeys: ['s3cr-next'] });
    expect([await statusOf(mock, 'test-key'), await statusOf(mock, 's3cr-next')]).toEqual([401, 200]);
    mock.reset();
    expect([await statusOf(mock, 'test-key'), await statusOf(mock, 's3cr-next')]).toEqual([200, 401]);
  });

  test(`${way}: the day of the removal comes, goes, and the header Date tells it`, async () => {
    const mock = await startTestMock();
    await configure(mock, { now: new Date('2030-12-05') });
    const gone = await send(mock.url, get('/v1/pets/1'));
    expect([gone.status, gone.headers.date]).toEqual([404, 'Thu, 05 Dec 2030 00:00:00 GMT']);
    const queued = await send(mock.url, post('/messages', '{"message":"hi"}'));
    expect(queued.body.createdAt).toBe('2030-12-05T00:00:00.000Z');
    await configure(mock, { now: null });
    const there = await send(mock.url, get('/v1/pets/1'));
    expect([there.status, Math.abs(Date.parse(there.headers.date ?? '') - Date.now()) < 60_000]).toEqual([
      200,
      true,
    ]);
  });

  test(`${way}: limits are clamped, and refused again`, async () => {
    const mock = await startTestMock();
    await configure(mock, { limitPolicy: 'clamp' });
    expect(await idsOf(mock, '?limit=101')).toHaveLength(100);
    await configure(mock, { limitPolicy: 'reject' });
    expect((await send(mock.url, get('/v1/pets?limit=101'))).status).toBe(400);
  });

  test(`${way}: the order of lists is another one at once`, async () => {
    const mock = await startTestMock({ animals: 3 });
    expect(await idsOf(mock)).toEqual([3, 2, 1]);
    await configure(mock, { order: 'oldest' });
    expect(await idsOf(mock)).toEqual([1, 2, 3]);
  });
}

test('an animal that was added is the first of the first page', async () => {
  const mock = await startTestMock();
  await send(mock.url, post('/v1/pets', '{"name":"Rex","categoryId":1,"status":"sold"}'));
  expect([await idsOf(mock, '?limit=2'), (await idsOf(mock, '?status=sold'))[0]]).toEqual([[121, 120], 121]);
});

test('in random order each list is another, without an animal twice, the same for the same seed', async () => {
  const [mock, same] = [await startTestMock({ order: 'random' }), await startTestMock({ order: 'random' })];
  const [first, second] = [await idsOf(mock), await idsOf(mock)];
  expect(first).not.toEqual(second);
  expect([new Set(first).size, new Set(await idsOf(mock, '?limit=100')).size]).toEqual([20, 100]);
  expect([await idsOf(same), await idsOf(same)]).toEqual([first, second]);
  mock.reset();
  expect(await idsOf(mock)).toEqual(first);
  mock.animals.replace([]);
  expect(await idsOf(mock)).toEqual([]);
});

test('with --now the header Date tells that time too, also of what is refused', async () => {
  const { url } = await startMockCli(['--now', '2030-12-05']);
  const headers = { Authorization: undefined };
  expect((await send(url, get('/v1/pets', headers))).headers.date).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
});

test('a key that was changed is not logged either', async () => {
  const { child, ended, url } = await startMockCli();
  await sendAdmin(url, ['PATCH', '/settings', { apiKeys: ['s3cr-next'] }]);
  await send(url, get('/v1/pets?x=s3cr-next'));
  child.kill('SIGTERM');
  const { stdout } = await ended;
  expect(stdout).toContain('/v1/pets?x=[key] 401');
  expect(stdout).not.toContain('s3cr');
});
