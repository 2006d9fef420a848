import { expect, test } from 'vitest';
import { expectError } from '../../testing/exchange-raw.ts';
import { FindingsRecord } from '../findings/findings-record.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { startRawUpstream } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key' };

test.for(['099 OK', '600 OK', '101 OK', '200 a\x01b'])(
  'a response of %j is a 502 that says why',
  async (line) => {
    const answer = `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]`;
    const upstream = await startRawUpstream((socket) => void socket.write(answer));
    const { url } = await startTestProxy(upstream);
    const message = expect.stringMatching(/ failed: (?:HTTP has no final status|Invalid character)/);
    await expectError(await fetch(`${url}/pets`, { headers }), 502, 'upstream_failed', message);
  },
);

test.for<[string, string, string]>([
  ['drips the head of its answer', 'HTTP/1.1 200 OK\r\nX: ', 'x'],
  ['goes on with informational responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('an upstream that %s for ever is a 504', async ([, first, again]) => {
  const upstream = await startRawUpstream((socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(again), 5);
    socket.once('close', () => clearInterval(timer));
  });
  const { url } = await startTestProxy(upstream, { timeout: 100 });
  const message = 'The upstream was silent for 100 ms.';
  await expectError(await fetch(`${url}/pets`), 504, 'upstream_timeout', message);
});

test('an upstream that reads nothing of a body, and drips, is a 504', async () => {
  const upstream = await startRawUpstream((socket) => {
    socket.pause();
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
    socket.once('close', () => clearInterval(timer));
  });
  const { url } = await startTestProxy(upstream, { timeout: 100 });
  const body = Buffer.alloc(32 * 1024 * 1024);
  expect((await fetch(`${url}/pets`, { method: 'POST', body })).status).toBe(504);
});

test('events are forwarded one by one, unchecked and counted', async () => {
  const event = 'data: 1\n\n';
  let finish: () => void = () => {};
  const { url, upstream, exchanges } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'Text/Event-Stream; charset=utf-8' }).flushHeaders();
    finish = () => response.end(event);
    response.once('close', finish);
    setImmediate(() => response.write(event));
  });
  const answer = await fetch(`${url}/pets`, { headers });
  const reader = answer.body?.getReader();
  expect(String(Buffer.from((await reader?.read())?.value ?? ''))).toBe(event);
  finish();
  expect(String(Buffer.from((await reader?.read())?.value ?? ''))).toBe(event);
  const record = new FindingsRecord(new URL(upstream), []);
  for (const exchange of exchanges) record.add(exchange);
  expect(record.read()).toMatchObject({ exchanges: 1, unjudgedBodies: 1, unanswered: 0 });
});

test.for(['127.0.0.1', '0.0.0.0', 'localhost'])(
  'a proxy in front of itself, by %s, does not start',
  async (name) => {
    const upstream = `http://${name}:4011/v1`;
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const start = startTestProxy(upstream, { host, port: 4011 });
      await expect(start).rejects.toThrow(`the upstream ${upstream} is the proxy itself`);
    }
  },
);
