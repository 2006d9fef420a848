import { expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock } from '../index.ts';

const idsOf = async (mock: Mock, query = '') =>
  (await send(mock.url, get(`/v1/pets${query}`))).body.map(({ id }: { id: number }) => id);

test('keys that are set replace the others until a reset, and settings that were read may be written back', async () => {
  const mock = await startTestMock();
  mock.configure({ apiKeys: ['one-key', 'another-key'] });
  mock.configure({ ...mock.settings(), order: 'oldest' });
  const ask = async (key: string) =>
    (await send(mock.url, get('/v1/pets', { Authorization: `Bearer ${key}` }))).status;
  const askAll = () => Promise.all(['test-key', 'one-key', 'another-key'].map(ask));
  expect(await askAll()).toEqual([401, 200, 200]);
  expect(() => mock.configure({ apiKeys: ['[key]', 'new-key'] })).toThrow('[key] is a key that is not shown');
  mock.reset();
  expect(await askAll()).toEqual([200, 401, 401]);
});

test('on the day of its removal an operation is removed, and the header Date has the time of the mock', async () => {
  const mock = await startTestMock();
  mock.configure({ now: new Date('2030-12-05') });
  const date = 'Thu, 05 Dec 2030 00:00:00 GMT';
  const removed = await send(mock.url, get('/v1/pets/1'));
  expect([removed.status, removed.headers.date]).toEqual([404, date]);
  const refused = await send(mock.url, get('/v1/pets', { Authorization: undefined }));
  expect([refused.status, refused.headers.date]).toEqual([401, date]);
  const queued = await send(mock.url, post('/messages', '{"message":"hi"}'));
  expect(queued.body.createdAt).toBe('2030-12-05T00:00:00.000Z');
  mock.configure({ now: null });
  const { status, headers } = await send(mock.url, get('/v1/pets/1'));
  const difference = Math.abs(Date.parse(headers.date ?? '') - Date.now());
  expect([status, difference < 60_000]).toEqual([200, true]);
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
