import { expect, test } from 'vitest';
import { LARGEST_JOURNALS } from '../../common/journal/journal-budget.ts';
import { get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { spellKey } from '../../testing/key-spellings.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { JournalEntry, Mock, MockOptions, RequestFilter } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = '{"name":"Rex","categoryId":1}';
const requests: readonly HttpRequest[] = [
  get('/v1/pets?limit=2'),
  post('/v1/pets', rex, { 'X-App': 'shop' }),
  { method: 'HEAD', path: '/v1/pets' },
  get('/v1/pets/999'),
  post('/v1/pets', '{', { Authorization: 'Bearer other-key' }),
  post('/v1/pets', '{'),
  post('/messages', '{"message":"hi"}'),
  { method: 'DELETE', path: '/v1/nothing?x=1' },
];

/** Starts a mock that has been sent the requests above, one after the other. */
async function startAsked(options: MockOptions = {}): Promise<Mock> {
  const mock = await startTestMock(options);
  for (const request of requests) await send(mock.url, request);
  await sendAdmin(mock.url, ['GET', '/animals']);
  await send(mock.url, get('/health'));
  const preflight = { 'Access-Control-Request-Method': 'GET', Origin: 'http://localhost:5173' };
  await send(mock.url, { method: 'OPTIONS', path: '/v1/pets', headers: preflight });
  return mock;
}

/** Reads and counts requests from code and over HTTP, which must agree. Returns the requests. */
async function ask(mock: Mock, filter: RequestFilter = {}): Promise<readonly JournalEntry[]> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    query.set(name, value instanceof Date ? value.toJSON() : `${value}`);
  const found = mock.requests(filter);
  const read = async (path: string) => (await send(mock.url, get(`/__admin${path}?${query}`))).body;
  expect(await read('/requests')).toEqual(JSON.parse(JSON.stringify(found)));
  expect(await read('/requests/count')).toEqual({ count: mock.countRequests(filter) });
  return found;
}

test('requests are recorded in their order, with their bodies and responses, and without keys', async () => {
  const mock = await startAsked();
  const all = await ask(mock);
  const { length } = all;
  const lines = all.map(({ method, url, operation, status, error, body }) =>
    [method, url, operation, status, error, body].join(' ').trim(),
  );
  expect(lines).toEqual([
    'GET /v1/pets?limit=2 listPets 200',
    `POST /v1/pets createPet 201  ${rex}`,
    'HEAD /v1/pets listPets 200',
    'GET /v1/pets/999 getPet 404 not_found',
    'POST /v1/pets createPet 401 unauthorized',
    'POST /v1/pets createPet 400 invalid_request {',
    'POST /messages createMessage 202  {"message":"hi"}',
    'DELETE /v1/nothing?x=1  404 not_found',
  ]);
  expect(all[1]).toMatchObject({ headers: { 'x-app': 'shop', 'content-type': 'application/json' } });
  expect(all.map(({ headers }) => headers.authorization)).toEqual(Array(length).fill('[key]'));
  for (const { time, ms } of all) expect([time instanceof Date, ms >= 0]).toEqual([true, true]);
  const json = expect.objectContaining({ 'Content-Type': 'application/json' });
  const message = '{"code":"not_found","message":"No animal has the id 999.","status":404}';
  expect(all.slice(1, 4).map(({ answer }) => answer)).toEqual([
    { headers: json, body: '{"id":121,"name":"Rex","categoryId":1}' },
    { headers: json, body: undefined },
    { headers: expect.objectContaining({ Sunset: expect.any(String) }), body: message },
  ]);
});

test('requests are found by operation, status, time and id', async () => {
  const mock = await startAsked();
  const [first, second] = mock.requests();
  const count = async (filter: RequestFilter) => (await ask(mock, filter)).length;
  expect(await count({ operation: 'createPet' })).toBe(3);
  expect(await count({ status: 404 })).toBe(2);
  expect(await count({ operation: 'createPet', status: 201 })).toBe(1);
  expect(await count({ since: second?.id ?? 0 })).toBe(6);
  expect(await ask(mock, { since: first?.id ?? 0, until: second?.id ?? 0 })).toEqual([second]);
  expect(await count({ since: first?.time ?? new Date() })).toBe(8);
  expect(await count({ since: new Date(Date.now() + 60_000) })).toBe(0);
});

test('the oldest requests are dropped first, and ids continue after a clearing', async () => {
  const mock = await startAsked({ journal: 3 });
  const ids = async () => (await ask(mock)).map(({ id }) => id);
  expect(await ids()).toEqual([6, 7, 8]);
  for (const until of [7, 2]) {
    mock.clearRequests({ until });
    expect(await ids()).toEqual([8]);
  }
  mock.clearRequests({ until: 99 });
  await send(mock.url, get('/v1/pets'));
  expect(await ids()).toEqual([9]);
  mock.clearRequests();
  await send(mock.url, get('/v1/pets'));
  expect(await ids()).toEqual([10]);
  mock.reset();
  expect(await ids()).toEqual([]);
});

test('a request to a fault is recorded with its end', async () => {
  const mock = await startTestMock();
  mock.faults.add({ operation: 'createPet', status: 503, times: 1 });
  mock.faults.add({ operation: 'listPets', drop: true });
  await send(mock.url, post('/v1/pets', rex));
  await expect(send(mock.url, get('/v1/pets'))).rejects.toThrow();
  expect(mock.requests()).toMatchObject([
    { operation: 'createPet', status: 503, error: 'service_unavailable', body: rex },
    { operation: 'listPets', status: undefined, error: 'connection_reset', answer: undefined },
  ]);
});

test('with journal: 0 nothing is kept, and the control API says so', async () => {
  const mock = await startAsked({ journal: 0 });
  const off = 'The journal is off: --journal 0, or journal: 0.';
  await expect(mock.waitForRequest()).rejects.toThrow(off);
  const refused = { status: 400, body: { message: off } };
  expect(await sendAdmin(mock.url, ['GET', '/requests'])).toMatchObject(refused);
});

test('waitForRequest returns a request that was or will be received', async () => {
  const mock = await startTestMock();
  const coming = mock.waitForRequest({ operation: 'createPet', status: 201 });
  await send(mock.url, post('/v1/pets', '{'));
  await send(mock.url, post('/v1/pets', rex));
  const received = await mock.waitForRequest({ operation: 'createPet', status: 201 });
  expect([await coming, received.body]).toEqual([received, rex]);
  const later = mock.waitForRequest({ since: received.id });
  await send(mock.url, get('/v1/pets'));
  expect((await later).operation).toBe('listPets');
  await expect(mock.waitForRequest({ status: 404, timeout: 1 })).rejects.toThrow(
    'No request came within 1 ms that fits {"status":404}; the last was GET /v1/pets (200).',
  );
  await expect(mock.waitForRequest((() => true) as never)).rejects.toThrow('The filter must be an object');
  const wrong = 'timeout must be an integer from 0 to 600000, not -1';
  await expect(mock.waitForRequest({ timeout: -1 })).rejects.toThrow(wrong);
  const never = mock.waitForRequest({ status: 404, timeout: 600_000 });
  await Promise.all([expect(never).rejects.toThrow('The mock or the session ended before'), mock.close()]);
});

test('no key appears in the journal, in any spelling', async () => {
  const key = 's3cr/t?key+9';
  const mock = await startTestMock({ apiKeys: [key], adminToken: 's3cr-token' });
  const authorized = { Authorization: `Bearer ${key}` };
  for (const spelling of Object.values(spellKey(key))) {
    await send(mock.url, get(`/v1/pets?x=${spelling}`, authorized));
    for (const before of [0, 65_000, 65_536]) {
      const body = `{"name":"${'x'.repeat(before)}${spelling}${'y'.repeat(20_000)}"}`;
      await send(mock.url, post('/v1/pets', body, authorized));
    }
  }
  const entries = mock.requests();
  expect(JSON.stringify(entries)).not.toMatch(/s3cr/i);
  expect(Math.max(...entries.map(({ body = '' }) => body.length))).toBe(65_536);
  expect(entries[1]?.body).toMatch(/^\{"name":"\[key\]yyy/);
});

test('a request counts after it is no longer kept, until the journal is cleared', async () => {
  const mock = await startAsked({ journal: 3 });
  const { body } = await sendAdmin(mock.url, ['GET', '/requests/count?operation=createPet']);
  expect([mock.countRequests(), body, mock.requests().length]).toEqual([8, { count: 3n }, 3]);
  const counts = [{ status: 200 }, { status: 404 }, { operation: 'createPet', status: 401 }] as const;
  expect(counts.map(mock.countRequests)).toEqual([2, 2, 1]);
  // Of these, only requests that are kept.
  const ranges = [{ limit: 2 }, { since: 0 }, { since: new Date(0) }, { since: 6 }, { until: 7 }];
  expect(ranges.map(mock.countRequests)).toEqual([2, 3, 3, 2, 2]);
  mock.clearRequests({ until: 7 });
  expect(mock.countRequests()).toBe(1);
  mock.clearRequests();
  await send(mock.url, get('/v1/pets'));
  expect([mock.countRequests(), mock.countRequests({ status: 404 })]).toEqual([1, 0]);
});

test('beyond the budget of all sessions the oldest bodies are dropped first', async () => {
  const mock = await startTestMock({ profile: 'empty' });
  const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 });
  const count = Math.ceil(LARGEST_JOURNALS / body.length) + 1;
  await send(mock.url, post('/sessions/a/v1/pets', rex));
  for (let index = 0; index < count; index += 1) await send(mock.url, post('/v1/pets', body));
  const [first, ...others] = [mock.session('a'), mock].flatMap(({ requests }) => requests());
  const notKept = { body: undefined, bodyState: 'not kept' };
  expect(first).toMatchObject({ operation: 'createPet', status: 201, ...notKept, answer: notKept });
  expect(others).toHaveLength(count);
  expect(others.at(-1)).toMatchObject({ bodyState: 'cut', answer: { bodyState: 'cut' } });
});

test('requests for sessions that do not exist leave the journal as it is', async () => {
  const { url, sessions, requests } = await startTestMock();
  await send(url, get('/v1/pets'));
  for (const path of ['/sessions/s1/nothing', '/sessions/s1/health', '/sessions//v1/pets'])
    await send(url, get(path));
  expect([sessions(), requests()]).toMatchObject([[], [{ url: '/v1/pets' }]]);
});

test.for([
  ['/v1/pets?status=this-is-a-very-long-key-of-more-than-forty-characters', ''],
  ['/v1/pets', '{"name":"Rex","categoryId":"this-is-a-very-long-key-of-more-than-forty-characters"}'],
] as const)('an Error quotes no part of a long key: %s %s', async ([path, body]) => {
  const key = 'this-is-a-very-long-key-of-more-than-forty-characters';
  const { url, requests } = await startTestMock({ apiKeys: [key] });
  const own = { Authorization: `Bearer ${key}` };
  const { status, text } = await send(url, body ? post(path, body, own) : get(path, own));
  expect([status, text]).toEqual([400, expect.stringContaining(`not a string of ${key.length} characters`)]);
  expect(JSON.stringify(requests())).not.toContain(key.slice(0, 10));
  expect(requests()[0]?.answer).toMatchObject({ body: text });
});

test('a key that is added later is redacted too', async () => {
  const mock = await startTestMock();
  const name = 'x'.repeat(5_000);
  await send(mock.url, post('/v1/pets', `{"name":"${name} later-key","categoryId":1}`));
  const [first] = mock.requests();
  mock.configure({ apiKeys: ['later-key'] });
  expect([first?.body, mock.requests()[0]?.body]).toEqual([
    `{"name":"${name} later-key","categoryId":1}`,
    `{"name":"${name} [key]","categoryId":1}`,
  ]);
});

test('a parameter that is called a key is redacted, however short its value is', async () => {
  const { url, requests } = await startTestMock();
  await send(url, get('/v1/pets?access_token=abc&limit=1'));
  expect(requests()[0]?.url).toBe('/v1/pets?access_token=[key]&limit=1');
});
