import { once } from 'node:events';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../tools/testing/exchange-raw.ts';
import { get, post, send } from '../tools/testing/http-case.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { type MockOptions, startMock } from './index.ts';

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
  const [rex, tom] = [{ name: 'Rex', categoryId: 2n ** 60n }, { name: 'Tom', status: 'sold' } as const];
  const { animals, reset } = await startTestMock({ data: [rex, { id: 7, ...tom, categoryId: 1 }] });
  const second = { id: 7n, ...tom, categoryId: 1n };
  const started = [{ id: 8n, ...rex }, second];
  expect(animals.all()).toEqual(started);
  animals.remove(7);
  reset();
  expect(animals.all()).toEqual(started);
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
  await expect(waiting).rejects.toThrow('No request that matches {"status":500} arrived within 1 ms');
  await mock.close();
});

test('a POST works where Uint8Array is not that of Node, as in jsdom', async () => {
  const { url } = await startTestMock();
  vi.stubGlobal('Uint8Array', runInNewContext('Uint8Array'));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { status, body } = await send(url, post('/v1/pets', '{"name":"Rex","categoryId":1}'));
  expect([status, body]).toMatchObject([201, { name: 'Rex', categoryId: 1 }]);
});

test('an IPv6 address is in brackets', async () => {
  const { url } = await startTestMock({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
});

test('closing does not wait for idle connections', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  await open(mock.url, '');
  await once(await open(mock.url, 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n'), 'data');
  const start = performance.now();
  await mock.close();
  expect(performance.now() - start).toBeLessThan(4_000);
});
