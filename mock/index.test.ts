import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClose } from '../common/create-close.ts';
import { type Mock, type MockOptions, startMock } from './index.ts';
import { get, post, send } from './testing/http-case.ts';
import { startTestMock } from './testing/start-test-mock.ts';

async function open({ url }: Mock): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('two mocks that are started alike answer alike, another seed gives other animals', async () => {
  const list = async (options: MockOptions) =>
    (await send((await startTestMock(options)).url, get('/v1/pets?limit=100'))).text;
  expect(await list({})).toBe(await list({}));
  expect(await list({})).not.toBe(await list({ seed: 2 }));
});

test.for([
  [{ profile: 'empty' }, 0],
  [{ animals: 7 }, 7],
  [{ profile: 'large', animals: 0 }, 0],
] as const)('started with %j it holds %i animals', async ([options, animals]) => {
  const mock = await startTestMock(options);
  expect([mock.animals, (await send(mock.url, get('/v1/pets'))).body.length]).toEqual([animals, animals]);
});

test('the clock runs, and getPet goes while the mock is up', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-12-04T23:59:59Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { url } = await startTestMock();
  expect((await send(url, get('/v1/pets/1'))).status).toBe(200);
  vi.setSystemTime(new Date('2030-12-05T00:00:00Z'));
  expect((await send(url, get('/v1/pets/1'))).status).toBe(404);
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
  const [silent, idle] = await Promise.all([open(mock), open(mock)]);
  idle.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n');
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
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n');
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
