import { expect, test } from 'vitest';
import { createTestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { MOST_SESSIONS } from '../session/sessions.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = (name: string) => JSON.stringify({ name, categoryId: 1 });
const none = { name: 'Nobody', categoryId: 1 };

test('ten sessions at once have their own animals, faults, keys, clocks and requests', async () => {
  const mock = await createTestApp({ animals: 3 });
  const before = mock.animals.all();
  const names = Array.from({ length: 10 }, (_, index) => `w${index}`);
  const work = names.map(async (name, index) => {
    const session = mock.session(name);
    session.configure({ apiKeys: [`key-of-${name}`], now: `2030-12-0${index % 2 ? 5 : 1}T00:00:00Z` });
    session.faults.add({ operation: 'createMessage', status: 503 });
    const own = { Authorization: `Bearer key-of-${name}` };
    await send(mock.app, post(`/sessions/${name}/v1/pets`, rex(name), own));
    const ask = (path: string, headers = own) => send(mock.app, get(`/sessions/${name}/v1${path}`, headers));
    const [list, one] = [await ask('/pets?limit=1'), await ask('/pets/1')];
    const stranger = await ask('/pets', { Authorization: 'Bearer test-key' });
    expect(list.body).toMatchObject([{ id: 4, name }]);
    expect([one.status, stranger.status]).toEqual([index % 2 ? 404 : 200, 401]);
  });
  await Promise.all(work);
  const urls = ['/v1/pets', '/v1/pets?limit=1', '/v1/pets/1', '/v1/pets'];
  for (const { requests, animals, faults } of names.map(mock.session)) {
    expect(requests().map(({ url }) => url)).toEqual(urls);
    expect([animals.size, faults.list().length]).toEqual([4, 1]);
    expect(JSON.stringify(requests())).not.toContain('key-of-');
  }
  expect([mock.animals.all(), mock.requests(), mock.faults.list()]).toEqual([before, [], []]);
  expect(mock.sessions()).toEqual(names);
});

test('a session starts as the mock did, whatever was done to the mock, and has the paths of the mock', async () => {
  const mock = await createTestApp({ animals: 2 });
  const ask = (path: string) => send(mock.app, get(`/sessions/a.B_c-1${path}`));
  const { text: first } = await send(mock.app, get('/v1/pets'));
  mock.animals.add(none);
  expect((await ask('/v1/pets')).text).toBe(first);
  await send(mock.app, post('/sessions/a.B_c-1/v1/pets', rex('Rex')));
  expect((await send(mock.app, get('/v1/pets'))).text).not.toContain('Rex');
  expect(mock.sessions()).toEqual(['a.B_c-1']);
  const session = mock.session('a.B_c-1');
  session.reset();
  expect((await ask('/v1/pets')).text).toBe(first);
  expect(session.url).toBe('/sessions/a.B_c-1/v1');
  expect((await send(mock.app, post('/sessions/a.B_c-1/messages', '{"message":"hi"}'))).status).toBe(202);
  expect((await ask('/health')).body).toEqual({ status: 'ok' });
  const { link } = (await ask('/v1/pets/1')).headers;
  expect(link).toBe('</sessions/a.B_c-1/v1/pets>; rel="successor-version"');
});

test('at the limit the session ends that was unused for longest of those that only API requests made', async () => {
  const mock = await createTestApp({ animals: 1 });
  const use = (name: string) => send(mock.app, get(`/sessions/${name}/v1/pets`));
  const urlOf = (name: string) => `/sessions/${name}/v1`;
  mock.session('tested');
  for (const name of ['tested', 'a', 'b', 'a']) await use(name);
  for (let index = 3; index < MOST_SESSIONS; index += 1) mock.session(`s${index}`);
  await use('c');
  expect(mock.sessions().slice(0, 2)).toEqual(['tested', 'a']);
  // Reading with the control API is a use, and controls nothing.
  await sendAdmin(mock.app, ['GET', '/animals'], {}, urlOf('a'));
  mock.session('d');
  expect([mock.sessions().length, mock.sessions().slice(-2)]).toEqual([MOST_SESSIONS, ['a', 'd']]);
  await use('e');
  expect(mock.sessions()).not.toContain('a');
  await sendAdmin(mock.app, ['POST', '/reset'], {}, urlOf('e'));
  const { status, body } = await use('f');
  const message = expect.stringMatching(/^There are 1000 sessions, .*DELETE \/__admin\/sessions\/\{name\}/);
  expect([status, body]).toEqual([429, { code: 'too_many_requests', message, status }]);
  expect(() => mock.session('f')).toThrow('There are 1000 sessions');
  expect(() => mock.session(undefined as never)).toThrow("A session's name must be");
  mock.endSession('s7');
  expect((await use('f')).status).toBe(200);
});

test('a session that was ended starts again with its next use, also by its object', async () => {
  const mock = await createTestApp({ data: [none] });
  const first = mock.session('a');
  const { add } = first.animals;
  for (const name of ['a', 'b', 'c']) mock.session(name).animals.add(none);
  mock.endSession('a');
  expect((await sendAdmin(mock.app, ['DELETE', '/sessions/b'])).status).toBe(204);
  expect((await sendAdmin(mock.app, ['GET', '/sessions'])).body).toEqual(['c']);
  expect(() => mock.endSession('b')).toThrow('No session is called "b"');
  add(none);
  first.faults.add({ status: 503, times: 1 });
  expect((await send(mock.app, get('/sessions/a/v1/pets'))).status).toBe(503);
  expect((await send(mock.app, get('/sessions/a/v1/pets'))).body).toHaveLength(2);
  expect(first.countRequests()).toBe(2);
});

test('no session has an id of a fault that an ended one has had, since its test may still release it', async () => {
  const mock = await createTestApp();
  const [first, second] = [mock.session('a'), mock.session('b')];
  for (const session of [first, first, first, second]) session.faults.add({ status: 503 });
  for (const name of ['a', 'b']) mock.endSession(name);
  expect(mock.session('c').faults.add({ status: 503 }).id).toBe(4);
});

const named = "A session's name must be up to 64 letters, digits";

test.for<[string, number, string, Record<string, string | undefined>?]>([
  ['/sessions/a%20b/v1/pets', 400, named],
  [`/sessions/${'x'.repeat(65)}/v1/pets`, 400, named],
  ['/sessions//v1/pets', 400, named],
  ['/sessions/%ff/v1/pets', 400, `${named}, ".", "_" and "-", not "%ff"`],
  ['/sessions/%ff/docs', 400, named],
  ['/sessions/%ff/__admin/state', 400, named],
  ['/Sessions/w2/v1/pets', 404, 'There is nothing at /Sessions/w2/v1/pets'],
  ['/sessions/w1?x=1', 404, 'There is nothing at /sessions/w1'],
  ['/sessions/w1/sessions/w2/v1/pets', 404, 'There is nothing at /sessions/w2/v1/pets'],
  ['/sessions/w2/v1/pets', 401, 'Authorization', { Authorization: undefined }],
  ['/sessions/w2/v1/pets', 401, 'is invalid', { Authorization: 'Bearer x' }],
  ['/sessions/w2/zzz', 404, 'There is nothing at', { Authorization: undefined }],
  ['/sessions/w2/v1/pets', 403, 'evil.test', { Host: 'evil.test' }],
  ['/sessions/w2/__admin/settings', 403, 'other sites', { 'Sec-Fetch-Site': 'cross-site' }],
])('%s is refused with %i, and creates no session', async ([path, status, mention, headers]) => {
  const mock = await createTestApp();
  const answer = await send(mock.app, get(path, headers));
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(mention)]);
  // A page may read it, unless the control API refused.
  const origin = path.includes('/__admin') ? undefined : '*';
  expect(answer.headers['access-control-allow-origin']).toBe(origin);
  expect(mock.sessions().filter((name) => name !== 'w1')).toEqual([]);
});

test('to change what the library returned changes no store', async () => {
  const mock = await createTestApp({ data: [none] });
  mock.snapshot('before');
  const { animals } = mock.session('w1');
  const returned = [animals.all()[0], animals.get(1), animals.add(none), animals.set(1, none)];
  for (const pet of [...returned, ...animals.replace([none])]) Object.assign(pet ?? {}, { name: 'changed' });
  mock.restore('before');
  for (const one of [mock, mock.session('w1'), mock.session('w2')])
    expect(one.animals.all()).toEqual([{ id: 1n, name: 'Nobody', categoryId: 1n }]);
});
