import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Journal } from '../../common/journal/journal.ts';
import { JournalBudget, LARGEST_JOURNALS } from '../../common/journal/journal-budget.ts';
import { get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { spellKey } from '../../testing/key-spellings.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { JournalEntry, Mock, MockOptions, RequestFilter } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = '{"name":"Rex","categoryId":1}';
const recorded = {
  ...{ id: 0, time: new Date(0), ms: 0, method: 'GET', url: '/v1/pets', headers: {} },
  ...{ body: undefined, bodyState: undefined, status: 200, error: undefined, answer: undefined },
  operation: 'listPets' as const,
};
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

/** The requests from code and over HTTP, which must be the same. */
async function ask(mock: Mock, filter: RequestFilter = {}): Promise<readonly JournalEntry[]> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    query.set(name, value instanceof Date ? value.toJSON() : `${value}`);
  }
  const found = mock.requests(filter);
  const { body } = await sendAdmin(mock.url, ['GET', `/requests?${query}`]);
  const { body: counted } = await sendAdmin(mock.url, ['GET', `/requests/count?${query}`]);
  const asJson = JSON.parse(JSON.stringify(found)).map(
    (entry: { id: number; ms: number; status: number }) => ({
      ...entry,
      id: BigInt(entry.id),
      ms: BigInt(entry.ms),
      status: BigInt(entry.status),
    }),
  );
  expect(body).toEqual(asJson);
  expect(counted).toEqual({ count: BigInt(mock.countRequests(filter)) });
  return found;
}

test('what came is told in its order, with its bodies and the answers, and without keys', async () => {
  const mock = await startAsked();
  const all = await ask(mock);
  expect(
    all.map(({ method, url, operation, status, error, body }) => [
      method,
      url,
      operation,
      status,
      error,
      body,
    ]),
  ).toEqual([
    ['GET', '/v1/pets?limit=2', 'listPets', 200, undefined, undefined],
    ['POST', '/v1/pets', 'createPet', 201, undefined, rex],
    ['HEAD', '/v1/pets', 'listPets', 200, undefined, undefined],
    ['GET', '/v1/pets/999', 'getPet', 404, 'not_found', undefined],
    ['POST', '/v1/pets', 'createPet', 401, 'unauthorized', undefined],
    ['POST', '/v1/pets', 'createPet', 400, 'invalid_request', '{'],
    ['POST', '/messages', 'createMessage', 202, undefined, '{"message":"hi"}'],
    ['DELETE', '/v1/nothing?x=1', undefined, 404, 'not_found', undefined],
  ]);
  expect(all[1]).toMatchObject({ headers: { 'x-app': 'shop', 'content-type': 'application/json' } });
  expect(all.map(({ headers }) => headers.authorization)).toEqual(Array(8).fill('[key]'));
  for (const { time, ms } of all) expect([time instanceof Date, ms >= 0]).toEqual([true, true]);
});

test('they are found by operation, status and time, and by what came before', async () => {
  const mock = await startAsked();
  const [first, second] = mock.requests();
  const count = async (filter: RequestFilter) => {
    const { length } = await ask(mock, filter);
    expect(mock.countRequests(filter)).toBe(length);
    return length;
  };
  expect(await count({ operation: 'createPet' })).toBe(3);
  expect(await count({ status: 404 })).toBe(2);
  expect(await count({ operation: 'createPet', status: 201 })).toBe(1);
  expect(await count({ since: second?.id ?? 0 })).toBe(6);
  expect(await ask(mock, { since: first?.id ?? 0, until: second?.id ?? 0 })).toEqual([second]);
  expect(await count({ since: first?.time ?? new Date() })).toBe(8);
  expect(await count({ since: new Date(Date.now() + 60_000) })).toBe(0);
});

test('the oldest go first, and ids go on after a clearing', async () => {
  const mock = await startAsked({ journal: 3 });
  expect((await ask(mock)).map(({ id }) => id)).toEqual([6, 7, 8]);
  mock.clearRequests();
  expect(await ask(mock)).toEqual([]);
  await send(mock.url, get('/v1/pets'));
  expect((await ask(mock)).map(({ id }) => id)).toEqual([9]);
  await sendAdmin(mock.url, ['POST', '/reset']);
  expect(await ask(mock)).toEqual([]);
});

test('those up to one are cleared, and what came later stays', async () => {
  const mock = await startAsked({ journal: 3 });
  mock.clearRequests({ until: 7 });
  expect((await ask(mock)).map(({ id }) => id)).toEqual([8]);
  mock.clearRequests({ until: 2 });
  expect((await ask(mock)).map(({ id }) => id)).toEqual([8]);
  mock.clearRequests({ until: 99 });
  await send(mock.url, get('/v1/pets'));
  expect((await ask(mock)).map(({ id }) => id)).toEqual([9]);
});

test('a request of before a reset is not told after it', async () => {
  const mock = await startTestMock();
  mock.faults.add({ delay: 600_000, times: 1 });
  const slow = send(mock.url, get('/v1/pets'));
  await expect.poll(() => mock.faults.list()).toEqual([]);
  mock.reset();
  expect((await slow).status).toBe(200);
  expect(mock.requests()).toEqual([]);
});

test('what was sent to a fault is told, and how it ended', async () => {
  const mock = await startTestMock();
  mock.faults.add({ operation: 'createPet', status: 503, times: 1 });
  mock.faults.add({ operation: 'listPets', drop: true });
  await send(mock.url, post('/v1/pets', rex));
  await expect(send(mock.url, get('/v1/pets'))).rejects.toThrow();
  expect(mock.requests()).toMatchObject([
    { operation: 'createPet', status: 503, error: 'service_unavailable', body: rex },
    { operation: 'listPets', status: undefined, error: 'connection_reset' },
  ]);
});

test('with journal: 0 nothing is kept, and asking for it says so', async () => {
  const mock = await startAsked({ journal: 0 });
  const off = 'The journal is off: --journal 0, or journal: 0.';
  expect(() => mock.requests()).toThrow(off);
  await expect(mock.waitForRequest()).rejects.toThrow(off);
  expect(await sendAdmin(mock.url, ['GET', '/requests'])).toMatchObject({
    status: 400,
    body: { message: off },
  });
});

test('a request is waited for, whether it has come or comes', async () => {
  const mock = await startTestMock();
  const coming = mock.waitForRequest({ operation: 'createPet', status: 201 });
  await send(mock.url, post('/v1/pets', '{'));
  await send(mock.url, post('/v1/pets', rex));
  const came = await mock.waitForRequest({ operation: 'createPet', status: 201 });
  expect([await coming, came.body]).toEqual([came, rex]);
  const later = mock.waitForRequest({ since: came.id });
  await send(mock.url, get('/v1/pets'));
  expect((await later).operation).toBe('listPets');
  await expect(mock.waitForRequest({ status: 404, timeout: 1 })).rejects.toThrow(
    'No request came within 1 ms that fits {"status":404}; the last was GET /v1/pets (200).',
  );
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
  const told = mock.requests();
  expect(JSON.stringify(told)).not.toMatch(/s3cr/i);
  expect(Math.max(...told.map(({ body = '' }) => body.length))).toBe(65_536);
  expect(told[1]?.body).toMatch(/^\{"name":"\[key\]yyy/);
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

test('URLs and headers count in the budget', () => {
  const budget = new JournalBudget();
  const [one, other] = [new Journal(10_000, () => [], budget), new Journal(10_000, () => [], budget)];
  const text = 'x'.repeat(7_000);
  const count = 8_400;
  for (let time = 0; time < count; time += 1) {
    const answer = { headers: { 'X-Answer': text }, body: 'x' };
    const texts = { url: `/v1/pets?x=${text}`, headers: { 'x-filler': text }, answer };
    (time % 2 ? one : other).record({ ...recorded, ...texts, time: new Date(time) });
  }
  for (const journal of [one, other]) {
    const kept = journal.requests();
    // Of about 21,000 characters each.
    expect(kept.length).toBeLessThan(LARGEST_JOURNALS / 2 / 21_000);
    expect(kept.length).toBeGreaterThan(LARGEST_JOURNALS / 2 / 22_000);
    expect(kept.at(-1)?.time.getTime()).toBeGreaterThan(count - 3);
    expect(journal.countRequests()).toBe(count / 2);
  }
});

test('requests for sessions that do not exist leave the journal as it is', async () => {
  const mock = await startTestMock();
  const list = get('/v1/pets?limit=100');
  await send(mock.url, list);
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1').resume();
  const path = 'x'.repeat(15_000);
  for (let sent = 0; sent < 4_500; sent += 1)
    socket.write(`HEAD /sessions/s${sent}/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  for (let sent = 1; sent < 5; sent += 1) await send(mock.url, list);
  const answered = { url: list.path, answer: { body: expect.any(String) } };
  expect([mock.sessions(), mock.requests()]).toMatchObject([[], Array(5).fill(answered)]);
});

test('each has what the mock answered with', async () => {
  const { url, requests, faults } = await startTestMock({ profile: 'empty' });
  const drop = { drop: true, times: 1 } as const;
  await send(url, post('/v1/pets', rex));
  await send(url, { method: 'HEAD', path: '/v1/pets' });
  await send(url, get('/v1/pets/999'));
  faults.add(drop);
  await send(url, get('/v1/pets')).catch(() => {});
  const json = expect.objectContaining({ 'Content-Type': 'application/json' });
  const notFound = '{"code":"not_found","message":"No animal has the id 999.","status":404}';
  expect(requests().map(({ answer }) => answer)).toEqual([
    { headers: json, body: '{"id":1,"name":"Rex","categoryId":1}' },
    { headers: json, body: undefined },
    { headers: expect.objectContaining({ Sunset: expect.any(String) }), body: notFound },
    undefined,
  ]);
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

test('a parameter that is called a key is hidden, whatever it holds', async () => {
  const { url, requests } = await startTestMock();
  await send(url, get('/v1/pets?access_token=whatever&limit=1'));
  expect(requests()[0]?.url).toBe('/v1/pets?access_token=[key]&limit=1');
});

test('to wait for what is not a filter is refused', async () => {
  const { countRequests, waitForRequest } = await startTestMock();
  await expect(waitForRequest((() => true) as never)).rejects.toThrow('The filter must be an object');
  expect(() => countRequests(null as never)).toThrow('The filter must be an object, not null');
  await expect(waitForRequest({ timeout: -1 })).rejects.toThrow(
    'timeout must be an integer from 0 to 600000, not -1',
  );
});
