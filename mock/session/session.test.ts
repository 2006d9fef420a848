import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import type { Mock } from '../index.ts';

const rex = '{"name":"Rex","categoryId":1}';
const path = '/sessions/w1/v1/pets';

test.for<[string, (mock: Mock) => unknown]>([
  ['a reset', (mock) => mock.reset()],
  ['restoring a snapshot', (mock) => [mock.restore('start'), mock.faults.clear()]],
])('%s releases waiting requests, and what they add is not there after it', async ([, end]) => {
  const mock = await createTestApp({ data: [{ name: 'Nobody', categoryId: 1 }] });
  mock.snapshot('start');
  mock.faults.add({ delay: 600_000 });
  const waiting = [post('/v1/pets', rex), get('/v1/pets')].map((request) => send(mock.app, request));
  const statuses = Promise.all(waiting.map(async (answer) => (await answer).status));
  await expect.poll(() => mock.faults.list()[0]?.used).toBe(2);
  end(mock);
  expect(await statuses).toEqual([201, 200]);
  expect(mock.animals.size).toBe(1);
  expect((await send(mock.app, post('/v1/pets', rex))).body.id).toBe(2);
});

test('keys that are set replace the others until a reset, and settings that were read may be written back', async () => {
  const mock = await createTestApp();
  mock.configure({ apiKeys: ['one-key', 'another-key'] });
  mock.configure({ ...mock.settings(), behaviour: 'lenient' });
  const ask = async (key: string) =>
    (await send(mock.app, get('/v1/pets', { Authorization: `Bearer ${key}` }))).status;
  const askAll = () => Promise.all(['test-key', 'one-key', 'another-key'].map(ask));
  expect(await askAll()).toEqual([401, 200, 200]);
  expect(() => mock.configure({ apiKeys: ['[key]', 'new-key'] })).toThrow('[key] is a redacted key');
  mock.reset();
  expect(await askAll()).toEqual([200, 401, 401]);
});

test('the header Date has the time of the mock until it is the real time again', async () => {
  const mock = await createTestApp();
  const ask = (headers = {}) => send(mock.app, get('/v1/pets/1', headers));
  mock.configure({ now: new Date('2030-12-05') });
  for (const answer of [await ask(), await ask({ Authorization: undefined })])
    expect(answer.headers.date).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  mock.configure({ now: null });
  const { status, headers } = await ask();
  const difference = Math.abs(Date.parse(headers.date ?? '') - Date.now());
  expect([status, difference < 60_000]).toEqual([200, true]);
});

test('in random order each list is another, without an animal twice, the same for the same seed', async () => {
  const idsOf = async ({ app }: TestApp, query = '') =>
    (await send(app, get(`/v1/pets${query}`))).body.map(({ id }: { id: number }) => id);
  const behaviour = { order: 'random' } as const;
  const [mock, same] = [await createTestApp({ behaviour }), await createTestApp({ behaviour })];
  const [first, second] = [await idsOf(mock), await idsOf(mock)];
  expect(first).not.toEqual(second);
  expect([new Set(first).size, new Set(await idsOf(mock, '?limit=100')).size]).toEqual([20, 100]);
  expect([await idsOf(same), await idsOf(same)]).toEqual([first, second]);
  mock.reset();
  expect(await idsOf(mock)).toEqual(first);
  mock.animals.replace([]);
  expect(await idsOf(mock)).toEqual([]);
});

test('sessions inherit the behaviour of the start, a reset returns to it, and the control ignores it', async () => {
  const mock = await createTestApp({ animals: 3, behaviour: { pageSize: 1, emptyNames: 'refused' } });
  const session = mock.session('w1');
  session.configure({ behaviour: { uniqueNames: 'conflict' } });
  const statuses: number[] = [];
  while (statuses.length < 2) statuses.push((await send(mock.app, post(path, rex))).status);
  expect(statuses).toEqual([201, 409]);
  const list = await send(mock.app, get('/v1/pets'));
  expect([list.body.length, mock.settings().behaviour]).toEqual([1, { pageSize: 1, emptyNames: 'refused' }]);
  session.reset();
  expect(session.settings().behaviour).toEqual(mock.settings().behaviour);
  const nameless = '{"name":"","categoryId":1}';
  expect((await send(mock.app, post(path, nameless))).status).toBe(400);
  expect(session.animals.add({ name: '', categoryId: 1 }).id).toBe(4n);
  mock.configure({ behaviour: 'default' });
  expect((await send(mock.app, post('/v1/pets', nameless))).status).toBe(201);
});
