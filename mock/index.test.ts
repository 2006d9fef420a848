import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { petStatuses } from '../common/json/pet.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { type MockOptions, startMock, UsageError } from './index.ts';

test('the same options give the same animals, and another seed gives others', async () => {
  const list = async (options: MockOptions) =>
    (await send((await startTestMock(options)).url, get('/v1/pets?limit=100'))).text;
  const first = await list({ animals: 7 });
  expect(JSON.parse(first)).toHaveLength(7);
  expect(await list({ animals: 7 })).toBe(first);
  expect(await list({ animals: 7, seed: 2 })).not.toBe(first);
  expect(await list({ profile: 'large', animals: 0 })).toBe('[]');
});

test('data may be an array of animals, which a reset restores', async () => {
  const tom = { name: 'Tom', status: 'sold' } as const;
  const data = [
    { name: 'Rex', categoryId: 2n ** 60n },
    { id: 7, ...tom, categoryId: 1 },
  ];
  const started = [
    { id: 8n, ...data[0] },
    { id: 7n, ...tom, categoryId: 1n },
  ];
  const mock = await startTestMock({ data });
  expect(mock.animals.all()).toEqual(started);
  mock.animals.remove(7);
  mock.reset();
  expect(mock.animals.all()).toEqual(started);
});

test.for([
  [[{ name: 'Rex' }], 'data[0]: categoryId is missing; it must be an integer'],
  [[{ name: 'Rex', categoryId: 2 ** 60 }], 'data[0]: categoryId is beyond 2^53'],
  [[{ name: 'Rex', categoryId: 1, colour: 'red' }], 'data[0] has only id, name, categoryId and status'],
])('data that is %o is a usage error', async ([data, message]) => {
  const starting = startTestMock({ data } as MockOptions);
  await expect(starting).rejects.toThrow(UsageError);
  await expect(starting).rejects.toThrow(message);
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
  const waiting = mock.waitForRequest({ status: 500, timeout: 1 });
  await expect(waiting).rejects.toThrow('No request came within 1 ms');
  await mock.close();
});

test('an internal error is a 500 with an Error, and is printed', async () => {
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

test('closing does not wait for idle connections', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const { hostname, port } = new URL(mock.url);
  const [silent, idle] = [connect(Number(port), hostname), connect(Number(port), hostname)];
  await Promise.all([once(silent, 'connect'), once(idle, 'connect')]);
  idle.write('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(idle, 'data');
  await Promise.all([mock.close(), once(silent, 'close'), once(idle, 'close')]);
});

test('an IPv6 address is in brackets', async () => {
  const { url } = await startTestMock({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
});

test('no body gives a 5xx, and no body that is refused adds an animal', async () => {
  const maybe = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue());
  const required = { name: maybe(fc.string()), categoryId: maybe(fc.integer()), message: maybe(fc.string()) };
  const fields = { ...required, status: maybe(fc.constantFrom(...petStatuses)) };
  const nearlyValid = fc.record(fields, { requiredKeys: ['name', 'categoryId', 'message'] });
  const json = nearlyValid.map((value) => JSON.stringify(value));
  const cut = fc.tuple(json, fc.nat(60)).map(([json, length]) => json.slice(0, length));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const body = fc.oneof({ weight: 5, arbitrary: json }, cut, fc.json(), bytes);
  const { url, animals } = await startTestMock({ profile: 'empty' });
  const seen: Record<number, number> = { 201: 0, 202: 0, 400: 0 };
  const property = fc.asyncProperty(fc.constantFrom('/v1/pets', '/messages'), body, async (path, body) => {
    const { status } = await send(url, post(path, body));
    expect(Object.keys(seen)).toContain(String(status));
    seen[status] = (seen[status] ?? 0) + 1;
    expect(animals.size).toBe(seen[201]);
  });
  await fc.assert(property, { numRuns: 250, seed: 1 });
  // The property says little unless each kind of response occurs often.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});
