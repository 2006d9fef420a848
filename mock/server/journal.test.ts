import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { printExactJson } from '../../common/json/exact-json.ts';
import { createTestApp, type TestApp } from '../../tools/testing/create-test-app.ts';
import { get, type HttpRequest, post, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock, type JournalEntry, type Mock, type MockOptions, type RequestFilter } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = '{"name":"Rex","categoryId":1}';
const list = get('/v1/pets');

/** Requests, and their lines in the journal. */
const rows: readonly (readonly [request: HttpRequest, line: string])[] = [
  [get('/v1/pets?limit=2&access_token=abc'), 'GET /v1/pets?limit=2&access_token=[key] listPets 200'],
  [post('/v1/pets', rex, { 'X-App': 'shop' }), `POST /v1/pets createPet 201  ${rex}`],
  [{ method: 'HEAD', path: '/v1/pets' }, 'HEAD /v1/pets listPets 200'],
  [get('/v1/pets/999'), 'GET /v1/pets/999 getPet 404 not_found'],
  [post('/v1/pets', '{', { Authorization: 'Bearer x' }), 'POST /v1/pets createPet 401 unauthorized'],
  [post('/v1/pets', '{'), 'POST /v1/pets createPet 400 invalid_request {'],
  [post('/messages', '{"message":"hi"}'), 'POST /messages createMessage 202  {"message":"hi"}'],
  [{ method: 'DELETE', path: '/v1/nothing?x=1' }, 'DELETE /v1/nothing?x=1  404 not_found'],
];

/** Creates a mock and sends the requests above, and requests that the journal leaves out. */
async function createAsked(options: Pick<MockOptions, 'journal'> = {}): Promise<TestApp> {
  const mock = await createTestApp(options);
  for (const [request] of rows) await send(mock.app, request);
  const others = ['/__admin/animals', '/health', '/sessions/s1/nothing', '/sessions/s1/health'];
  for (const path of others) await send(mock.app, get(path));
  return mock;
}

test('a body that came compressed is recorded as text, which is not as it was sent', async () => {
  const { app, requests } = await createTestApp();
  await send(app, post('/v1/pets', gzipSync(rex), { 'Content-Encoding': 'gzip' }));
  await send(app, post('/v1/pets', rex));
  const bodies = requests().map(({ body, bodyState }) => [body, bodyState]);
  expect(bodies).toEqual([
    [rex, 'decoded'],
    [rex, undefined],
  ]);
});

test('requests are recorded in their order, with their bodies and responses, and without keys', async () => {
  const mock = await createAsked();
  const all = mock.requests();
  const lines = all.map(({ method, url, operation, status, error, body }) =>
    [method, url, operation, status, error, body].join(' ').trim(),
  );
  expect(lines).toEqual(rows.map(([, line]) => line));
  expect(all[1]).toMatchObject({ headers: { 'x-app': 'shop', 'content-type': 'application/json' } });
  const recorded = { headers: { authorization: '[key]' }, time: expect.any(Date), ms: expect.any(Number) };
  expect(all).toMatchObject(rows.map(() => recorded));
  const json = expect.objectContaining({ 'Content-Type': 'application/json' });
  const message = '{"code":"not_found","message":"No animal has the id 999.","status":404}';
  expect(all.slice(1, 4).map(({ answer }) => answer)).toEqual([
    { headers: json, body: '{"id":121,"name":"Rex","categoryId":1}' },
    { headers: json, body: undefined },
    { headers: expect.objectContaining({ Sunset: expect.any(String) }), body: message },
  ]);
  expect(mock.sessions()).toEqual([]);
});

test('requests are found by their members, from code and over HTTP', async () => {
  const mock = await createAsked();
  const large = 9_007_199_254_740_993n;
  const tom = `{"name":"Tom","categoryId":${large},"tags":[{"id":1,"name":"a"},"b"]}`;
  await send(mock.app, post('/v1/pets', tom));
  await send(mock.app, get('/v1/pets?status=sold&status=pending&limit=1'));
  const filters: readonly (readonly [RequestFilter, readonly number[]])[] = [
    [{ operation: 'createPet', status: 201 }, [2, 9]],
    [{ since: 1, until: 2 }, [2]],
    [{ method: 'head' }, [3]],
    [{ path: '/v1/pets', method: 'GET' }, [1, 10]],
    [{ path: '/v1/pets/999' }, [4]],
    [{ path: '/v1/pets/' }, []],
    [{ query: { limit: 2 } }, [1]],
    [{ query: { status: 'pending', limit: '1' } }, [10]],
    [{ query: { limit: 1, page: 1 } }, []],
    // A filter sees what users see.
    [{ query: { access_token: 'abc' } }, []],
    [{ query: { access_token: '[key]' } }, [1]],
    [{ body: { name: 'Rex' } }, [2]],
    [{ body: { categoryId: 1 } }, [2]],
    [{ body: { categoryId: large } }, [9]],
    [{ body: { categoryId: large - 1n } }, []],
    [{ body: { tags: [{ name: 'a' }, 'b'] } }, [9]],
    [{ body: { tags: [{ name: 'a' }] } }, []],
    [{ body: { toString: 1 } }, []],
    [{ body: {}, status: 201 }, [2, 9]],
    [{ operation: 'createPet', body: { name: 'Tom' } }, [9]],
    [{ operation: 'getPet', body: { name: 'Tom' } }, []],
  ];
  for (const [filter, ids] of filters) {
    expect(
      mock.requests(filter).map(({ id }) => id),
      printExactJson(filter as never),
    ).toEqual(ids);
    expect(mock.countRequests(filter)).toBe(ids.length);
    const parts = Object.entries(filter).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : printExactJson(value as never),
    ]);
    const { body } = await sendAdmin(mock.app, ['GET', `/requests?${new URLSearchParams(parts)}`]);
    expect(Object(body).map(({ id }: { id: bigint }) => Number(id))).toEqual(ids);
  }
});

const ONE = 'The filter must be an object such as { "operation": "createPet" }, not';
const VALUE = 'Give it a value, or filter what requests() returns.';
const ROUNDED = 'is beyond 2^53, where a number is not exact. Use a bigint.';

test.for<[filter: unknown, message: string]>([
  ['createPet', `${ONE} "createPet".`],
  [null, `${ONE} null.`],
  [new Map([['path', '/v1/pets']]), `${ONE} a Map.`],
  [{ path: /pets/ }, `The filter: path must not be a RegExp. ${VALUE}`],
  [{ path: () => true }, `The filter: path must not be a function. ${VALUE}`],
  [{ body: { name: undefined } }, 'The filter: body.name is undefined. Give it a value, or leave it out.'],
  [
    { query: { limit: undefined } },
    'The filter: query.limit is undefined. Give it a value, or leave it out.',
  ],
  [{ body: { a: { b: [() => 1] } } }, `The filter: body.a.b.0 must not be a function. ${VALUE}`],
  [{ body: { name: /Rex/ } }, `The filter: body.name must not be a RegExp. ${VALUE}`],
  [{ query: new URLSearchParams('limit=1') }, `The filter: query must not be a URLSearchParams. ${VALUE}`],
  [{ body: { id: 2 ** 53 } }, `The filter: body.id ${ROUNDED}`],
  [{ body: { id: Number.NaN } }, `The filter: body.id must not be NaN. ${VALUE}`],
])(
  'the filter %o is refused with one sentence, in the library and from another process',
  async ([filter, message]) => {
    const mock = await startTestMock();
    const remote = connectMock(mock.url);
    await send(mock.url, get('/v1/pets'));
    const refused = expect.objectContaining({ code: 'invalid_request', message });
    for (const call of [mock.requests, mock.countRequests])
      expect(() => call(filter as never)).toThrow(refused);
    for (const wait of [mock.waitForRequest, mock.waitForResponse, remote.waitForRequest, remote.requests])
      await expect(wait(filter as never)).rejects.toThrow(refused);
  },
);

test('what clears entries refuses another filter than until, and ignores the context of a hook', async () => {
  const mock = await startTestMock();
  const remote = connectMock(mock.url);
  await send(mock.url, get('/v1/pets'));
  const filter = { operation: 'listPets' } as object;
  for (const clear of [mock.clearRequests, mock.clearViolations])
    expect(() => clear(filter)).toThrow('"operation"');
  for (const clear of [remote.clearRequests, remote.clearViolations])
    await expect(clear(filter)).rejects.toThrow('"operation"');
  expect(mock.countRequests()).toBe(1);
  mock.clearRequests({ task: 'of Vitest' } as object);
  expect(mock.countRequests()).toBe(0);
});

test('the journal tells keys apart by their order, and shows none of them', async () => {
  const mock = await createTestApp({ apiKeys: ['s3cr-old', 's3cr-new'] });
  const { app } = mock;
  const ask = async (authorization?: string) =>
    (await send(app, get('/v1/pets', { Authorization: authorization }))).status;
  const statuses = [
    await ask('Bearer s3cr-old'),
    await ask('bearer s3cr-new'),
    await ask('Bearer s3cr-wrong'),
    await ask('Basic s3cr-old'),
    await ask(),
  ];
  // The order is that of the arrival.
  mock.configure({ apiKeys: ['s3cr-new'] });
  statuses.push(await ask('Bearer s3cr-old'), await ask('Bearer s3cr-new'));
  expect(statuses).toEqual([200, 200, 401, 401, 401, 401, 200]);
  const entries = mock.requests();
  const keys = ['key 1', 'key 2', 'unknown', 'unknown', 'none', 'unknown', 'key 1'];
  expect(entries.map(({ key }) => key)).toEqual(keys);
  expect(JSON.stringify(entries)).not.toMatch(/s3cr/);
  const { body } = await sendAdmin(app, ['GET', '/requests']);
  expect(Object(body).map(({ key }: { key: string }) => key)).toEqual(keys);
});

test('the oldest requests are dropped first, and ids continue', async () => {
  const mock = await createAsked({ journal: 3 });
  const ids = () => mock.requests().map(({ id }) => id);
  expect([ids(), mock.countRequests()]).toEqual([[6, 7, 8], 3]);
  const ranges = [{ limit: 2 }, { since: 0 }, { since: 6 }, { until: 7 }];
  expect(ranges.map(mock.countRequests)).toEqual([2, 3, 2, 2]);
  expect(mock.requests({ limit: 2 }).map(({ id }) => id)).toEqual([7, 8]);
  for (const until of [7, 2]) {
    mock.clearRequests({ until });
    expect(ids()).toEqual([8]);
  }
  mock.clearRequests({ until: 99 });
  await send(mock.app, list);
  expect(ids()).toEqual([9]);
});

test('waitForResponse returns a request that was or will be answered', async () => {
  const mock = await startTestMock();
  const coming = mock.waitForResponse({ operation: 'createPet', status: 201 });
  for (const body of ['{', rex]) await send(mock.url, post('/v1/pets', body));
  const received = await mock.waitForResponse({ operation: 'createPet', status: 201 });
  expect([await coming, received.body]).toEqual([received, rex]);
  await send(mock.url, list);
  expect((await mock.waitForRequest({ since: received.id })).operation).toBe('listPets');
  const missing = 'No request that matches {"status":404} arrived within 1 ms';
  const message = `${missing}. The last was GET /v1/pets (200).`;
  await expect(mock.waitForRequest({ status: 404, timeout: 1 })).rejects.toThrow(message);
  const never = mock.waitForRequest({ status: 404, timeout: 600_000 });
  await Promise.all([expect(never).rejects.toThrow('The mock or the session ended before'), mock.close()]);
  await expect(mock.waitForResponse({ status: 404 })).rejects.toThrow('The mock or the session ended before');
});

/** Starts a mock whose responses wait until its faults are cleared. */
async function startSlowMock() {
  const mock = await startTestMock({ profile: 'empty' });
  mock.faults.add({ delay: 600_000 });
  return mock;
}

const waiting = { status: undefined, ms: undefined, error: undefined, answer: undefined };

test('a request that waits for its response is in the journal, and waitForRequest returns it with its body', async () => {
  const mock = await startSlowMock();
  const remote = connectMock(mock.url);
  const waits = [mock.waitForRequest({ operation: 'createPet' }), remote.waitForRequest()];
  const answered = remote.waitForResponse({ operation: 'createPet' });
  const missing = 'No request that matches {} got its response within 1 ms';
  const last = `The last was POST /v1/pets ${rex} (waiting for its response)`;
  const sent = send(mock.url, post('/v1/pets', rex)).then(({ status }) => status);
  const entry = { id: 1, operation: 'createPet', method: 'POST', body: rex };
  expect(await waits[0]).toMatchObject({ ...entry, ...waiting });
  expect(await waits[1]).toEqual(mock.requests()[0]);
  await expect(mock.waitForResponse({ timeout: 1 })).rejects.toThrow(`${missing}. ${last}.`);
  const { body } = await sendAdmin(mock.url, ['GET', '/requests']);
  expect(body).toMatchObject([{ id: 1n, body: rex }]);
  expect(Object.keys(Object(body)[0])).not.toContain('ms');
  mock.faults.clear();
  expect(await sent).toBe(201);
  expect(await answered).toMatchObject({ ...entry, ms: expect.any(Number), status: 201, answer: {} });
  expect(mock.requests()).toEqual([await answered]);
});

test('requests are in the order of their arrival, whichever has its response first', async () => {
  const mock = await startTestMock();
  mock.faults.add({ operation: 'getPet', delay: 600_000 });
  const slow = send(mock.url, get('/v1/pets/1')).then(({ status }) => status);
  await mock.waitForRequest({ operation: 'getPet' });
  await send(mock.url, list);
  const lines = () => mock.requests().map(({ id, operation, status }) => `${id} ${operation} ${status}`);
  expect(lines()).toEqual(['1 getPet undefined', '2 listPets 200']);
  expect([mock.countRequests(), mock.countRequests({ status: 200 })]).toEqual([2, 1]);
  mock.faults.clear();
  expect(await slow).toBe(200);
  expect(lines()).toEqual(['1 getPet 200', '2 listPets 200']);
});

test.for<[string, (mock: Mock) => unknown]>([
  ['clearing the journal', (mock) => mock.clearRequests()],
  ['a reset', (mock) => mock.reset()],
])('after %s a request that waited does not come back with its response', async ([, clear]) => {
  const mock = await startSlowMock();
  const sent = send(mock.url, list).then(({ status }) => status);
  await mock.waitForRequest();
  clear(mock);
  mock.faults.clear();
  expect(await sent).toBe(200);
  expect([mock.requests(), mock.countRequests()]).toEqual([[], 0]);
  await send(mock.url, list);
  expect(mock.requests()).toMatchObject([{ id: 2, status: 200 }]);
});

test('a key that is set later is redacted in earlier requests, and no more than 64 KiB of a body are shown', async () => {
  const later = 's3cr-later';
  const mock = await createTestApp();
  await send(mock.app, post('/v1/pets', `{"name":"${later.repeat(7_000)}"}`));
  expect(mock.requests().at(-1)?.body).toContain(later);
  // The name of a longer key is longer than the key.
  mock.configure({ apiKeys: [later, 's3cr'] });
  const [{ body = '' } = {} as JournalEntry] = mock.requests();
  expect(body).toMatch(/^\{"name":"\[key\]\[key\]/);
  // What was kept ends with the first letters of a key.
  expect(body).not.toContain('s3');
  expect(body.length).toBeLessThanOrEqual(65_536);
});
