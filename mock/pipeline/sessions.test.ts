import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { type Mock, startMock } from '../index.ts';
import { MOST_SESSIONS } from '../session/sessions.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = (name: string) => JSON.stringify({ name, categoryId: 1 });
const none = { name: 'Nobody', categoryId: 1 };

test('twenty sessions at once have animals, faults, keys, clocks and requests of their own', async () => {
  const mock = await startTestMock({ animals: 3 });
  const before = mock.animals.all();
  const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
  const seen = await Promise.all(
    names.map(async (name, index) => {
      const path = (rest: string) => `/sessions/${name}${rest}`;
      const session = mock.session(name);
      session.configure({ apiKeys: [`key-of-${name}`], now: `2030-12-0${(index % 2) * 4 + 1}T00:00:00Z` });
      const key = { Authorization: `Bearer key-of-${name}` };
      await send(mock.url, post(path('/v1/pets'), rex(name), key));
      session.faults.add({ operation: 'createMessage', status: 503, times: index % 3 || 1 });
      const list = await send(mock.url, get(path('/v1/pets?limit=1'), key));
      const one = await send(mock.url, get(path('/v1/pets/1'), key));
      const stranger = await send(mock.url, get(path('/v1/pets')));
      return [list.body[0].name, list.body[0].id, one.status, stranger.status];
    }),
  );
  expect(seen).toEqual(names.map((name, index) => [name, 4, index % 2 ? 404 : 200, 401]));
  for (const name of names) {
    const session = mock.session(name);
    expect(session.requests().map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/pets',
      'GET /v1/pets?limit=1',
      'GET /v1/pets/1',
      'GET /v1/pets',
    ]);
    expect([session.animals.size, session.faults.list().length]).toEqual([4, 1]);
    expect(JSON.stringify(session.requests())).not.toContain('key-of-');
  }
  expect([mock.animals.all(), mock.requests(), mock.faults.list()]).toEqual([before, [], []]);
  expect(mock.sessions()).toEqual(names);
});

test('a session starts as the mock did, whatever was done to the mock, and is made by its first request', async () => {
  const mock = await startTestMock({ animals: 2 });
  const list = async (path: string) => (await send(mock.url, get(path))).text;
  const first = await list('/v1/pets');
  mock.animals.add(none);
  expect(await list('/sessions/a.B_c-1/v1/pets')).toBe(first);
  await send(mock.url, post('/sessions/a.B_c-1/v1/pets', rex('Rex')));
  expect(JSON.parse(await list('/v1/pets')).map(({ name }: { name: string }) => name)).not.toContain('Rex');
  mock.session('a.B_c-1').reset();
  expect(await list('/sessions/a.B_c-1/v1/pets')).toBe(first);
  expect(mock.sessions()).toEqual(['a.B_c-1']);
});

test('beneath a session all is as in the mock: contract, quickstart, health, preflights, successor', async () => {
  const mock = await startTestMock();
  const { url } = mock.session('w1');
  const { origin, host } = new URL(url);
  expect(url).toBe(`${origin}/sessions/w1/v1`);
  expect((await send(url, get('/sessions/w1/openapi.json'))).body.servers).toEqual([
    { url: `http://${host}/sessions/w1/v1`, description: 'This mock.' },
  ]);
  expect((await send(url, post('/sessions/w1/messages', '{"message":"hi"}'))).status).toBe(202);
  expect((await send(url, get('/sessions/w1/health'))).body).toEqual({ status: 'ok' });
  const one = await send(url, get('/sessions/w1/v1/pets/1'));
  expect(one.headers.link).toBe('</sessions/w1/v1/pets>; rel="successor-version"');
  const preflight = { 'Access-Control-Request-Method': 'PUT', Origin: 'http://localhost:5173' };
  const allowed = await send(url, { method: 'OPTIONS', path: '/sessions/w1/v1/pets', headers: preflight });
  expect([allowed.status, allowed.headers['access-control-allow-methods']]).toEqual([204, 'PUT']);
  expect((await send(url, get('/sessions/w1/v1/pets', { Host: 'evil.test' }))).status).toBe(403);
});

/** Creates sessions by API requests, until there is room for `left` more. */
async function fillUp(mock: Mock, left: number): Promise<void> {
  const names = Array.from({ length: MOST_SESSIONS - left }, (_, index) => `s${index}`);
  for (const name of names)
    await fetch(new URL(`/sessions/${name}/v1/pets?limit=1`, mock.url), { headers: key });
}

const key = { Authorization: 'Bearer test-key' };

test('at the limit the session ends that was unused for longest of those that only API requests made', async () => {
  const mock = await startTestMock({ animals: 1 });
  const use = (name: string) => send(mock.url, get(`/sessions/${name}/v1/pets`));
  mock.session('tested');
  for (const name of ['a', 'b', 'a']) expect((await use(name)).status).toBe(200);
  await fillUp(mock, 3);
  expect((await use('c')).status).toBe(200);
  expect(mock.sessions().slice(0, 2)).toEqual(['tested', 'a']);
  await sendAdmin(new URL('/sessions/a/v1', mock.url).href, ['GET', '/animals']);
  mock.session('d');
  const names = mock.sessions();
  expect([names[0], names.length, names.at(-2), names.at(-1)]).toEqual(['tested', MOST_SESSIONS, 'a', 'd']);
});

test('if the control uses all sessions, a new one is refused with 429, and none ends', async () => {
  const mock = await startTestMock({ animals: 1 });
  for (let index = 0; index < MOST_SESSIONS; index += 1) mock.session(`s${index}`);
  const { status, body } = await send(mock.url, get('/sessions/a/v1/pets'));
  expect([status, body.code]).toEqual([429, 'too_many_requests']);
  expect(body.message).toMatch(/^There are 1000 sessions, .*DELETE \/__admin\/sessions\/\{name\}/);
  expect((await send(mock.url, get('/sessions/a/__admin/animals'))).status).toBe(429);
  expect(() => mock.session('a')).toThrow('There are 1000 sessions');
  expect(mock.sessions()).toHaveLength(MOST_SESSIONS);
  mock.endSession('s7');
  expect((await send(mock.url, get('/sessions/a/v1/pets'))).status).toBe(200);
});

test('to read the control API of a session does not make it controlled', async () => {
  const mock = await startTestMock({ animals: 1 });
  for (let index = 1; index < MOST_SESSIONS; index += 1) mock.session(`s${index}`);
  const headers = { 'Sec-Fetch-Site': 'same-site' };
  for (const name of ['a', 'b'])
    expect((await send(mock.url, get(`/sessions/${name}/__admin/settings`, headers))).status).toBe(200);
  expect(mock.sessions().at(-1)).toBe('b');
  await sendAdmin(new URL('/sessions/b/v1', mock.url).href, ['POST', '/reset']);
  expect((await send(mock.url, get('/sessions/c/v1/pets'))).status).toBe(429);
});

test('a session that was ended starts anew with its next use', async () => {
  const mock = await startTestMock({ animals: 1 });
  for (const name of ['a', 'b', 'c']) mock.session(name).animals.add(none);
  mock.endSession('a');
  expect((await sendAdmin(mock.url, ['DELETE', '/sessions/b'])).status).toBe(204);
  expect((await sendAdmin(mock.url, ['GET', '/sessions'])).body).toEqual(['c']);
  expect(mock.session('a').animals.size).toBe(1);
  expect(() => mock.endSession('b')).toThrow('No session is called "b"');
});

test.for([
  ['/sessions/a%20b/v1/pets', 400, "A session's name must be up to 64 letters, digits"],
  [`/sessions/${'x'.repeat(65)}/v1/pets`, 400, "A session's name must be up to 64 letters, digits"],
  ['/sessions//v1/pets', 400, "A session's name must be up to 64 letters, digits"],
  ['/sessions/w1', 404, 'There is nothing at /sessions/w1'],
  ['/sessions/w1?x=1', 404, 'There is nothing at /sessions/w1'],
  ['/sessions/w1/sessions/w2/v1/pets', 404, 'There is nothing at /sessions/w2/v1/pets'],
] as const)('%s is refused, and makes no other session', async ([path, status, mention]) => {
  const mock = await startTestMock();
  const answer = await send(mock.url, get(path));
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(mention)]);
  expect(mock.sessions().filter((name) => name !== 'w1')).toEqual([]);
});

describe('with a checked proxy beside it', () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock({ port: 0, log: 'silent', checkedProxy: true });
  });
  beforeEach(() => {
    mock.reset();
    for (const name of mock.sessions()) mock.endSession(name);
  });
  afterAll(() => mock.close());

  test('what broke the contract is told to the mock or session that it was sent to, without keys', async () => {
    const session = mock.session('w1');
    mock.expectNoViolations();
    await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
    await send(session.checkedUrl as string, post('/sessions/w1/v1/pets', '{"name":"test-key"}'));
    const own = { method: 'GET', url: '/v1/pets?limit=0', operation: 'listPets', status: 400 };
    expect(mock.violations()).toMatchObject([
      { id: 1, ...own, severity: 'error', place: 'request.query.limit', rule: 'minimum' },
    ]);
    const others = session.violations();
    expect(others).toMatchObject([
      {
        method: 'POST',
        url: '/v1/pets',
        operation: 'createPet',
        place: 'request.body.categoryId',
        rule: 'required',
      },
    ]);
    expect(JSON.stringify(others)).not.toContain('test-key');
    expect(() => session.expectNoViolations()).toThrow(
      /^1 violation of the contract:\n {2}createPet request\.body\.categoryId required: .* \(POST \/v1\/pets, 400\)$/,
    );
    session.expectNoViolations({ operation: 'listPets' });
    session.clearViolations();
    session.expectNoViolations();
    expect((await sendAdmin(mock.url, ['GET', '/violations?operation=listPets'])).body).toMatchObject([
      { id: 1n, place: 'request.query.limit' },
    ]);
    mock.reset();
    expect(mock.violations()).toEqual([]);
  });

  test.for([
    ['/', []],
    ['/health', []],
    ['/messages', []],
    ['/__admin/settings', []],
    ['/sessions/w1/__admin/animals', []],
    ['/docs', []],
    ['/openapi.yaml', []],
    ['/pets', ['unknown-route']],
    ['/sessions/w1/pets', []],
    ['/__administration', ['unknown-route']],
  ] as const)('beneath the proxy %s has the violations %j', async ([path, rules]) => {
    await send(mock.checkedUrl as string, get(path));
    expect(mock.violations().map(({ rule }) => rule)).toEqual(rules);
  });

  test('a request for a session that cannot exist is refused, and the mock goes on', async () => {
    const path = `/sessions/${'a'.repeat(65)}/v1/pets`;
    const answer = await send(mock.checkedUrl as string, get(path, { Authorization: undefined }));
    expect(answer.status).toBe(400);
    expect(mock.violations()).toEqual([]);
    expect((await send(mock.checkedUrl as string, get('/v1/pets'))).status).toBe(200);
  });

  test('OPTIONS without Origin is no preflight: it is a violation and in the journal', async () => {
    const headers = { 'Access-Control-Request-Method': 'GET' };
    await send(mock.checkedUrl as string, { method: 'OPTIONS', path: '/v1/pets', headers });
    const [request, ...others] = mock.requests();
    expect([request?.method, request?.status, others]).toEqual(['OPTIONS', 405, []]);
    expect(mock.violations()).toMatchObject([{ method: 'OPTIONS', request: request?.id }]);
  });

  test('a session behind it is the same service, and requests that keep to the contract are not told', async () => {
    const { url, checkedUrl = '', animals, violations } = mock.session('w1');
    animals.replace([none]);
    const path = '/sessions/w1/v1/pets';
    const answers = await Promise.all([url, checkedUrl].map((base) => send(base, get(path))));
    expect(answers.map(({ text }) => text)).toEqual(
      Array(2).fill('[{"id":1,"name":"Nobody","categoryId":1}]'),
    );
    expect(answers.map(({ headers }) => headers['sl-violations'])).toEqual([undefined, undefined]);
    expect(violations()).toEqual([]);
  });

  test('the contract names the address that was asked', async () => {
    const { checkedUrl = '' } = mock;
    const { origin } = new URL(checkedUrl);
    expect((await send(checkedUrl, get('/openapi.json'))).body.servers).toMatchObject([{ url: checkedUrl }]);
    const ofSession = await send(checkedUrl, get('/sessions/w1/openapi.json'));
    expect(ofSession.body.servers).toMatchObject([{ url: `${origin}/sessions/w1/v1` }]);
    expect((await send(checkedUrl, get('/v1/pets', { Host: 'evil.test' }))).status).toBe(403);
  });

  test('of many at once each violation names its own request', async () => {
    const limits = Array.from({ length: 30 }, (_, index) => (index % 3 ? 20 : 500));
    await Promise.all(limits.map((limit) => send(mock.checkedUrl as string, get(`/v1/pets?limit=${limit}`))));
    const refused = mock.requests({ status: 400 }).map(({ id }) => id);
    expect(refused).toHaveLength(10);
    expect(
      mock
        .violations()
        .map(({ request = 0 }) => request)
        .toSorted((one, other) => one - other),
    ).toEqual(refused);
  });

  test('a fault is no violation of the app, and breaks connections here too', async () => {
    const checkedUrl = mock.checkedUrl as string;
    mock.faults.add({ status: 500, times: 1 });
    mock.faults.add({ response: { body: [{ id: 1 }] }, times: 1 });
    const answers = [await send(checkedUrl, get('/v1/pets')), await send(checkedUrl, get('/v1/pets'))];
    expect(answers.map(({ status, headers }) => [status, headers['x-fault']])).toEqual([
      [200, '2'],
      [500, '1'],
    ]);
    await send(checkedUrl, get('/v1/pets', { Prefer: 'code=503' }));
    mock.expectNoViolations();
    mock.faults.add({ drop: true, times: 1 });
    await expect(send(checkedUrl, get('/v1/pets'))).rejects.toThrow('ECONNRESET');
    expect((await send(checkedUrl, get('/v1/pets'))).status).toBe(200);
  });
});
