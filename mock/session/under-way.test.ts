import { expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock, MockSession } from '../index.ts';
import { MOST_SESSIONS } from './sessions.ts';

const none = { name: 'Nobody', categoryId: 1 };
const rex = '{"name":"Rex","categoryId":1}';

test('to change what the library returned changes no store', async () => {
  const mock = await startTestMock({ data: [none] });
  mock.snapshot('before');
  const { animals } = mock.session('w1');
  const returned = [
    animals.all()[0],
    animals.get(1),
    animals.add(none),
    animals.set(1, none),
    ...animals.replace([none]),
  ];
  for (const pet of returned) Object.assign(pet ?? {}, { name: 'changed' });
  mock.restore('before');
  for (const one of [mock, mock.session('w1'), mock.session('w2')])
    expect(one.animals.all()).toEqual([{ id: 1n, name: 'Nobody', categoryId: 1n }]);
});

/** What makes requests that wait go on, and what it does to the animals. */
const ends: Readonly<Record<string, (mock: Mock) => unknown>> = {
  'a reset': (mock) => mock.reset(),
  'bringing back a snapshot': (mock) => {
    mock.restore('start');
    mock.faults.clear();
  },
};

test.for(Object.entries(ends))(
  '%s lets waiting requests go on, and what they add is not there after it',
  async ([, end]) => {
    const mock = await startTestMock({ data: [none] });
    mock.snapshot('start');
    mock.faults.add({ delay: 600_000 });
    const waiting = [send(mock.url, post('/v1/pets', rex)), send(mock.url, get('/v1/pets'))].map((one) =>
      one.then(({ status }) => status),
    );
    // Faults count what they are used for.
    await expect.poll(() => mock.faults.list()[0]?.used).toBe(2);
    await end(mock);
    expect(await Promise.all(waiting)).toEqual([201, 200]);
    expect(mock.animals.size).toBe(1);
    expect((await send(mock.url, post('/v1/pets', rex))).body.id).toBe(2);
  },
);

test('what was under way over a reset is in no journal after it', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  mock.faults.add({ delay: 600_000, times: 1 });
  const waiting = send(mock.checkedUrl as string, get('/v1/pets?limit=500'));
  await expect.poll(() => mock.faults.list()).toEqual([]);
  // The journal compares times in milliseconds.
  const arrived = Date.now();
  await expect.poll(Date.now).toBeGreaterThan(arrived);
  mock.reset();
  expect((await waiting).status).toBe(400);
  expect([mock.requests(), mock.violations()]).toEqual([[], []]);
});

test('closing does not wait for delays', async () => {
  const mock = await startTestMock();
  mock.session('w1').faults.add({ delay: 600_000, times: 1 });
  const waiting = send(mock.url, get('/sessions/w1/v1/pets'));
  await expect.poll(() => mock.session('w1').faults.list()).toEqual([]);
  await mock.close();
  expect((await waiting).status).toBe(200);
});

test.for([
  ['removing the fault', 1],
  ['removing the fault', 2],
  ['ending the session', 2],
] as const)('%s, of %i requests, releases the request that it delays', async ([end, times]) => {
  const mock = await startTestMock();
  const { faults, url } = mock.session('w1');
  const { id } = faults.add({ delay: 600_000, times });
  const waiting = send(url, get('/sessions/w1/v1/pets'));
  await expect.poll(() => faults.list()[0]?.used ?? times).toBe(1);
  if (end === 'ending the session') mock.endSession('w1');
  else faults.remove(id);
  expect((await waiting).status).toBe(200);
  expect(mock.sessions()).toEqual(end === 'ending the session' ? [] : ['w1']);
});

test.for([
  ['ending the session', 200, (mock: Mock) => mock.endSession('w1')],
  ['clearing its faults', 200, (mock: Mock) => mock.session('w1').faults.clear()],
  ['closing the mock', 200, (mock: Mock) => mock.close()],
] as const)('%s releases a request that gets %i and is the first of its session', async ([, status, end]) => {
  const mock = await startTestMock();
  const headers = { Prefer: 'delay=600000' };
  const waiting = send(mock.url, get('/sessions/w1/v1/pets', headers));
  // What was sent before them has been received when these are answered.
  for (let request = 0; request < 2; request += 1) await send(mock.url, get('/health'));
  expect(mock.sessions()).toEqual(['w1']);
  await end(mock);
  expect((await waiting).status).toBe(status);
});

test('a delayed request that is refused leaves no session', async () => {
  const mock = await startTestMock();
  const headers = { Prefer: 'delay=1', Authorization: undefined };
  expect((await send(mock.url, get('/sessions/w1/v1/pets', headers))).status).toBe(401);
  expect(() => mock.endSession('w1')).toThrow('No session is called "w1"');
});

test('a session that ends at the limit releases the requests that it delays', async () => {
  const mock = await startTestMock({ animals: 1 });
  const path = '/sessions/w1/v1/pets';
  await send(mock.url, get(path));
  const waiting = send(mock.url, get(path, { Prefer: 'delay=600000' }));
  // What was sent before them has been received when these are answered.
  for (let request = 0; request < 2; request += 1) await send(mock.url, get('/health'));
  for (let index = 0; index < MOST_SESSIONS; index += 1) mock.session(`s${index}`);
  expect((await waiting).status).toBe(200);
  expect(mock.sessions()).not.toContain('w1');
});

test('removing a fault does not release the requests of another', async () => {
  const mock = await startTestMock();
  const [first, second] = [
    mock.faults.add({ delay: 600_000 }),
    mock.faults.add({ delay: 600_000, times: 1 }),
  ];
  const statuses: number[] = [];
  const ask = (path: string) => send(mock.url, get(path)).then(({ status }) => statuses.push(status));
  const requests = [ask('/v1/pets'), ask('/nothing')];
  await expect.poll(() => mock.faults.list()).toMatchObject([{ id: first.id, used: 1 }]);
  mock.faults.remove(first.id);
  await Promise.race(requests);
  expect(statuses).toHaveLength(1);
  mock.faults.remove(second.id);
  await Promise.all(requests);
  expect(() => mock.faults.remove(second.id)).toThrow('No fault has the id 2');
});

test('what stands for a session drives the one that has its name now', async () => {
  const mock = await startTestMock({ data: [none] });
  const first: MockSession = mock.session('a');
  const { add } = first.animals;
  add(none);
  mock.endSession('a');
  add(none);
  first.faults.add({ status: 503, times: 1 });
  expect(mock.sessions()).toEqual(['a']);
  expect((await send(first.url, get('/sessions/a/v1/pets'))).status).toBe(503);
  expect((await send(first.url, get('/sessions/a/v1/pets'))).body).toHaveLength(2);
  expect(first.countRequests()).toBe(2);
});

test.for([
  ['without a key', { Authorization: undefined }, '/v1/pets'],
  ['with a wrong key', { Authorization: 'Bearer x' }, '/v1/pets'],
  ['for nothing', { Authorization: undefined }, '/zzz'],
  ['of a name of another machine', { Host: 'evil.test' }, '/v1/pets'],
  ['of a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, '/__admin/settings'],
] as const)('a request %s creates no session', async ([, headers, path]) => {
  const mock = await startTestMock();
  mock.session('mine');
  await send(mock.url, get(`/sessions/other${path}`, headers));
  expect(mock.sessions()).toEqual(['mine']);
});

test('settings that were read may be written back', async () => {
  const mock = await startTestMock({ apiKeys: ['one-key', 'another-key'] });
  mock.configure({ ...mock.settings(), order: 'oldest' });
  const own = { Authorization: 'Bearer another-key' };
  expect((await send(mock.url, get('/v1/pets', own))).status).toBe(200);
  expect(() => mock.configure({ apiKeys: ['[key]', 'new-key'] })).toThrow('[key] is a key that is not shown');
});
