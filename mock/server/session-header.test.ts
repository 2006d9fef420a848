import { expect, test } from 'vitest';
import { createTestApp } from '../../tools/testing/create-test-app.ts';
import { exchangeRaw } from '../../tools/testing/exchange-raw.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const header = 'X-Animal-Store-Session';
const rex = '{"name":"Rex","categoryId":1}';

test.for([{ [header]: 'w1' }, { [header]: 'w1, w1' }])(
  'a request with %j is for the session w1, which it starts',
  async (headers) => {
    const mock = await createTestApp({ animals: 2 });
    const { status } = await send(mock.app, post('/v1/pets', rex, headers));
    expect([status, mock.sessions()]).toEqual([201, ['w1']]);
    const session = mock.session('w1');
    expect(session.requests()).toMatchObject([{ method: 'POST', url: '/v1/pets', status: 201 }]);
    expect([session.animals.size, mock.animals.size, mock.requests()]).toEqual([3, 2, []]);
    const lists = [
      get('/v1/pets', headers),
      get('/sessions/w1/v1/pets'),
      get('/sessions/w1/v1/pets', headers),
    ];
    for (const list of lists) expect((await send(mock.app, list)).body).toHaveLength(3);
  },
);

test('HEAD, faults, the quickstart and unknown paths are of the session that the header names', async () => {
  const mock = await createTestApp();
  const session = mock.session('w1');
  const { headers } = session;
  expect((await send(mock.app, { method: 'HEAD', path: '/v1/pets', headers })).status).toBe(200);
  expect((await send(mock.app, { method: 'OPTIONS', path: '/v1/pets', headers })).status).toBe(405);
  expect((await send(mock.app, post('/messages', '{"message":"hi"}', headers))).status).toBe(202);
  expect((await send(mock.app, get('/unknown', headers))).status).toBe(404);
  session.faults.add({ status: 503, times: 1 });
  expect((await send(mock.app, get('/v1/pets'))).status).toBe(200);
  expect((await send(mock.app, get('/v1/pets', headers))).status).toBe(503);
  const lines = session.requests().map(({ method, url, status }) => `${method} ${url} ${status}`);
  expect(lines).toEqual([
    'HEAD /v1/pets 200',
    'OPTIONS /v1/pets 405',
    'POST /messages 202',
    'GET /unknown 404',
    'GET /v1/pets 503',
  ]);
});

test('links lead to the base URL that the client uses', async () => {
  const mock = await createTestApp({ behaviour: { location: 'present', trailingSlash: 'redirect' } });
  const { headers } = mock.session('w1');
  const read = async (prefix: string) => {
    const added = await send(mock.app, post(`${prefix}/v1/pets`, rex, headers));
    const { id } = added.body;
    const one = await send(mock.app, get(`${prefix}/v1/pets/${id}`, headers));
    const moved = await send(mock.app, get(`${prefix}/v1/pets/`, headers));
    expect(added.headers.location).toBe(`${prefix}/v1/pets/${id}`);
    return [one.headers.link, moved.headers.location];
  };
  expect(await read('')).toEqual(['</v1/pets>; rel="successor-version"', '/v1/pets']);
  const path = '/sessions/w1/v1/pets';
  expect(await read('/sessions/w1')).toEqual([`<${path}>; rel="successor-version"`, path]);
});

test('the control API takes the header too', async () => {
  const mock = await createTestApp();
  const headers = { [header]: 'w1' };
  await sendAdmin(mock.app, ['PUT', '/animals', [{ name: 'Rex', categoryId: 1n }]], headers);
  expect([mock.sessions(), mock.session('w1').animals.size]).toEqual([['w1'], 1]);
  expect((await sendAdmin(mock.app, ['GET', '/animals'], headers, '/sessions/w1/v1')).body).toHaveLength(1);
  const { status, body } = await sendAdmin(mock.app, ['GET', '/animals'], headers, '/sessions/w2/v1');
  const message =
    'The request names two sessions: "w2" in its path and "w1" in X-Animal-Store-Session. Name one.';
  expect([status, Object(body).message]).toEqual([400, message]);
});

const named = "A session's name must be up to 64 letters, digits";
const two = 'names two sessions: "w1" in';

test.for<[headers: Record<string, string | undefined>, status: number, mention: string, path?: string]>([
  [{ [header]: 'a b' }, 400, `${named}, ".", "_" and "-", not "a b"`],
  [{ [header]: 'w1, w2' }, 400, `${two} X-Animal-Store-Session and "w2" in X-Animal-Store-Session`],
  [{ [header]: 'w2' }, 400, `${two} its path and "w2" in X-Animal-Store-Session`, '/sessions/w1/v1/pets'],
  [{ [header]: 'w2' }, 400, `${two} its path`, '/sessions/w1/docs'],
  [{ [header]: 'w2', Accept: 'text/html' }, 400, `${two} its path`, '/sessions/w1/'],
  [{ [header]: 'w2', Authorization: undefined }, 401, 'Authorization'],
  [{ [header]: 'w2', Authorization: undefined }, 404, 'There is nothing at /zzz', '/zzz'],
  [{ [header]: 'w2', Host: 'evil.test' }, 403, 'evil.test'],
  [{ [header]: 'w2', 'Sec-Fetch-Site': 'cross-site' }, 403, 'other sites', '/__admin/settings'],
])(
  'a request with %j is refused with %i, and starts no session',
  async ([headers, status, mention, path]) => {
    const mock = await createTestApp();
    const answer = await send(mock.app, get(path ?? '/v1/pets', headers));
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(mention)]);
    expect(mock.sessions().filter((name) => name !== 'w1')).toEqual([]);
    expect(mock.requests()).toEqual([]);
  },
);

test('a page may send the header, and its preflight is a request of the mock itself', async () => {
  const mock = await createTestApp();
  const Origin = 'http://localhost:5173';
  const asked = {
    Origin,
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization,x-animal-store-session',
  };
  const preflight = await send(mock.app, { method: 'OPTIONS', path: '/v1/pets', headers: asked });
  expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
    204,
    'authorization,x-animal-store-session',
  ]);
  const session = mock.session('w1');
  const { status } = await send(mock.app, get('/v1/pets', { Origin, ...session.headers }));
  expect([status, session.requests()]).toEqual([200, [expect.objectContaining({ method: 'GET' })]]);
  // A preflight does not have the header.
  expect(mock.requests()).toMatchObject([{ method: 'OPTIONS', url: '/v1/pets', operation: undefined }]);
});

const needed = expect.stringContaining(
  'names no session, which this mock requires (--require-session). Send',
);

test.for<[method: string, path: string, status: number]>([
  ['GET', '/v1/pets', 400],
  ['POST', '/v1/pets', 400],
  ['GET', '/v1/pets/1', 400],
  ['DELETE', '/v1/pets', 400],
  ['GET', '/v1/zzz', 400],
  ['POST', '/messages', 400],
  ['GET', '/sessions/w1/v1/pets', 200],
  ['GET', '/health', 200],
  ['GET', '/docs', 200],
  ['GET', '/__admin/animals', 200],
])('with requireSession, %s %s without the header gets %i', async ([method, path, status]) => {
  const mock = await createTestApp({ requireSession: true });
  const answer = await send(mock.app, { ...get(path), method });
  expect(answer.status).toBe(status);
  if (status !== 400) return;
  expect(answer.body).toMatchObject({ code: 'invalid_request', message: needed });
  // The console shows it.
  expect(mock.requests()).toMatchObject([{ method, url: path, status: 400, error: 'invalid_request' }]);
  expect((await send(mock.app, get('/v1/pets', { [header]: 'w1' }))).status).toBe(200);
});

test('with requireSession, a page gets its preflight and the refusal, and each of several lines of the header may name the session, also through the checked proxy', async () => {
  const mock = await startTestMock({ requireSession: true, checkedProxy: true });
  const Origin = 'http://localhost:5173';
  for (const [name, url] of Object.entries({ w1: mock.url, w2: `${mock.checkedUrl}` })) {
    const asked = { Origin, 'Access-Control-Request-Method': 'GET' };
    const preflight = await send(url, { method: 'OPTIONS', path: '/v1/pets', headers: asked });
    const refused = await send(url, get('/v1/pets', { Origin }));
    expect([preflight.status, refused.status]).toEqual([204, 400]);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect((await send(url, get('/v1/pets', { Origin, [header]: name }))).status).toBe(200);
    const askWith = async (...lines: string[]) => {
      const headers = ['Authorization', 'Bearer test-key', ...lines];
      return (await exchangeRaw(url, 'GET', '/v1/pets', headers)).status;
    };
    expect(await askWith(header, name, header, name)).toBe(200);
    expect(await askWith(header, name, header, 'w3')).toBe(400);
    expect(mock.session(name).requests()).toMatchObject([{ url: '/v1/pets' }, { url: '/v1/pets' }]);
  }
  expect(mock.sessions()).toEqual(['w1', 'w2']);
});
