import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClose } from '../common/http/create-close.ts';
import { petStatuses } from '../common/json/pet.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { type MockOptions, startMock, UsageError } from './index.ts';

test('two mocks that are started alike answer alike, another seed gives other animals', async () => {
  const list = async (options: MockOptions) =>
    (await send((await startTestMock(options)).url, get('/v1/pets?limit=100'))).text;
  expect(await list({})).toBe(await list({}));
  expect(await list({})).not.toBe(await list({ seed: 2 }));
});

test.for([
  [{ animals: 7 }, 7],
  [{ profile: 'large', animals: 0 }, 0],
] as const)('started with %j it holds %i animals', async ([options, animals]) => {
  const mock = await startTestMock(options);
  expect([mock.animals.size, (await send(mock.url, get('/v1/pets'))).body.length]).toEqual([
    animals,
    animals,
  ]);
});

test('data is animals too, and what a reset goes back to', async () => {
  const data = [
    { name: 'Rex', categoryId: 2n ** 60n },
    { id: 7, name: 'Tom', categoryId: 1, status: 'sold' as const },
  ];
  const mock = await startTestMock({ data });
  const started = mock.animals.all();
  expect(started).toEqual([
    { id: 8n, name: 'Rex', categoryId: 2n ** 60n },
    { id: 7n, name: 'Tom', categoryId: 1n, status: 'sold' },
  ]);
  mock.animals.remove(7);
  mock.reset();
  expect(mock.animals.all()).toEqual(started);
});

test.for([
  [['Rex'], 'data[0] must be an object, not "Rex".'],
  [[{ name: 'Rex' }], 'data[0]: categoryId is missing; it must be an integer'],
  [[{ name: 'Rex', categoryId: 2 ** 60 }], 'data[0]: categoryId is beyond 2^53'],
  [
    [{ name: 'Rex', categoryId: 1, colour: 'red' }],
    'data[0] has only id, name, categoryId and status, not "colour".',
  ],
  [
    [
      { id: 1, name: 'a', categoryId: 1 },
      { id: 1n, name: 'b', categoryId: 1 },
    ],
    'data[0] and data[1] have the same id, 1.',
  ],
])('data that is %o is a usage error', async ([data, message]) => {
  const failure = await startTestMock({ data } as MockOptions).catch((error) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure.message).toContain(message);
});

test('fake timers do not reach the mock', async () => {
  const mock = await startTestMock();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime('2031-01-01');
  mock.faults.add({ delay: 1, times: 1 });
  const { status, headers } = await send(mock.url, get('/v1/pets/1'));
  const session = mock.session('w1');
  const { createdAt } = (await send(session.url, post('/sessions/w1/messages', '{"message":"hi"}'))).body;
  const times = [headers.date, mock.settings().now, mock.requests()[0]?.time, createdAt];
  expect([status, times.filter((time) => new Date(time ?? '').getFullYear() >= 2031)]).toEqual([200, []]);
  expect(mock.requests()[0]?.ms).toBeLessThan(60_000);
  await expect(mock.waitForRequest({ status: 500, timeout: 1 })).rejects.toThrow(
    'No request came within 1 ms',
  );
  await mock.close();
});

test('lists of very long names are answered again and again', async () => {
  const { url } = await startTestMock({ profile: 'empty' });
  const name = 'x'.repeat(100_000);
  await send(url, post('/v1/pets', JSON.stringify({ name, categoryId: 1 })));
  for (const limit of [1, 2, 1]) {
    expect((await send(url, get(`/v1/pets?limit=${limit}`))).body).toEqual([{ id: 1, name, categoryId: 1 }]);
  }
});

test('a fault of the mock is a 500 with an Error, and is reported', async () => {
  const report = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => report.mockRestore());
  const now = new Date('2026-11-21T12:00:00Z');
  const { url } = await startTestMock({ now });
  now.setTime(Number.NaN);
  const { status, body } = await send(url, post('/messages', '{"message":"hi"}'));
  const message = expect.stringContaining('The mock failed');
  expect([status, body]).toEqual([500, { code: 'internal_error', message, status: 500 }]);
  expect(report).toHaveBeenCalledWith(expect.stringContaining('RangeError: Invalid time value'));
});

test('closing does not wait for connections on which nothing is asked', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const { hostname, port } = new URL(mock.url);
  const [silent, idle] = [connect(Number(port), hostname), connect(Number(port), hostname)];
  await Promise.all([once(silent, 'connect'), once(idle, 'connect')]);
  idle.write('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(idle, 'data');
  await Promise.all([mock.close(), once(silent, 'close'), once(idle, 'close')]);
});

test('closing cuts off what takes longer than its patience', async () => {
  const server = createServer();
  const close = createClose(server, 50);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // A request that never ends: the server has its headers, and waits for its body.
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n');
  await once(server, 'request');
  await Promise.all([close(), once(socket, 'close')]);
});

test('an IPv6 address stands in brackets', async () => {
  const { url } = await startTestMock({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
});

test('every message has an id and a time of its own', async () => {
  const { url } = await startTestMock();
  const before = Date.now();
  const queue = () => send(url, post('/messages', '{"message":"hi"}'));
  const [first, second] = await Promise.all([queue(), queue()]);
  expect(first.body.id).not.toBe(second.body.id);
  const createdAt = Date.parse(first.body.createdAt);
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
});

test('no body whatever gives a 5xx, and none that is refused adds an animal', async () => {
  const maybe = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue());
  const fields = { name: maybe(fc.string()), categoryId: maybe(fc.integer()), message: maybe(fc.string()) };
  const nearlyValid = fc
    .record(
      { ...fields, status: maybe(fc.constantFrom(...petStatuses)) },
      { requiredKeys: ['name', 'categoryId', 'message'] },
    )
    .map((value) => JSON.stringify(value));
  const body = fc.oneof(
    { weight: 5, arbitrary: nearlyValid },
    fc.tuple(nearlyValid, fc.nat(60)).map(([json, cut]) => json.slice(0, cut)),
    fc.json(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  const mediaType = fc.oneof(
    { weight: 6, arbitrary: fc.constant('application/json') },
    fc.constantFrom('application/json; charset=utf-16', 'text/plain', 'a b', ';'),
  );
  const path = fc.constantFrom('/v1/pets', '/messages');
  const { url } = await startTestMock({ profile: 'empty' });
  const seen: Record<number, number> = { 201: 0, 202: 0, 400: 0 };
  await fc.assert(
    fc.asyncProperty(path, body, mediaType, async (path, body, mediaType) => {
      const answer = await send(url, post(path, body, { 'Content-Type': mediaType }));
      expect(Object.keys(seen)).toContain(String(answer.status));
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      if (answer.status === 400) {
        expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid_request', status: 400 });
      }
      const { body: pets } = await send(url, get('/v1/pets?limit=100'));
      expect(pets).toHaveLength(Math.min(seen[201] ?? 0, 100));
    }),
    { numRuns: 250 },
  );
  // The property says little unless each kind of answer has come up often.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});
