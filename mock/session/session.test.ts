import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send, type Target } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Mock } from '../index.ts';
import { MOST_SESSIONS } from './sessions.ts';

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

/** The longest delay. */
const latency = 600_000;

type Release = (mock: Mock) => unknown;

/**
 * Expects that a request to a new session, which waits, is answered as soon as it is released.
 * @param times how often the fault that delays the request may apply; without it the request is delayed by the latency of the mock.
 */
async function expectRelease(mock: Mock, target: Target, release: Release, times?: number): Promise<void> {
  if (times) mock.session('w1').faults.add({ delay: '300000-600000', status: 503, times });
  let isAnswered = false;
  const waiting = send(target, get(path)).finally(() => {
    isAnswered = true;
  });
  const isHeld = () =>
    times
      ? mock
          .session('w1')
          .faults.list()
          .every(({ used }) => used > 0)
      : mock.sessions().includes('w1');
  await expect.poll(isHeld).toBe(true);
  for (let request = 0; request < 2; request += 1) await send(target, get('/health'));
  expect([mock.sessions(), isAnswered]).toEqual([['w1'], false]);
  await release(mock);
  expect((await waiting).status).toBe(times ? 503 : 200);
}

test.for<[string, release: Release, times?: number]>([
  ['clearing its faults', (mock) => mock.session('w1').faults.clear()],
  ['the limit of sessions', (mock) => Array.from({ length: MOST_SESSIONS }, (_, i) => mock.session(`s${i}`))],
  ['removing the fault', (mock) => mock.session('w1').faults.remove(1), 1],
  ['removing the fault', (mock) => mock.session('w1').faults.remove(1), 2],
  ['ending its session', (mock) => mock.endSession('w1'), 2],
])('%s releases a request that is delayed', async ([, release, times]) => {
  const mock = await createTestApp({ animals: 1, ...(times === undefined && { latency }) });
  await expectRelease(mock, mock.app, release, times);
});

test('closing the mock releases a request that is delayed', async () => {
  const mock = await startTestMock({ animals: 1, latency });
  await expectRelease(mock, mock.url, mock.close);
});

test('lists have the current animals, although printed lists are kept', async () => {
  const { app, animals } = await createTestApp({ profile: 'empty' });
  const list = async () => (await send(app, get('/v1/pets?status=sold'))).text;
  expect(await list()).toBe('[]');
  animals.add({ name: 'A', categoryId: 1, status: 'sold' });
  expect(await list()).toBe('[{"id":1,"name":"A","categoryId":1,"status":"sold"}]');
  animals.remove(1);
  expect(await list()).toBe('[]');
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
