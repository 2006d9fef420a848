import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startUpstream } from '../testing/raw-exchange.ts';
import { startTestMock } from '../testing/start-test-mock.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { talk } from '../testing/talk.ts';

test('an upstream that is down is a 502 at once', async () => {
  const other = await startTestMock();
  await other.close();
  const { url } = await startTestProxy(other.url);
  const answer = await fetch(`${url}/pets`);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toEqual({
    code: 'upstream_failed',
    message: expect.stringContaining('ECONNREFUSED'),
    status: 502,
  });
});

test.for(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', 'hello\r\n\r\n', ''])(
  'an upstream that breaks off after %j is a 502',
  async (bytes) => {
    const server = createTcpServer(
      (socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes)),
    ).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { url } = await startTestProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    const answer = await fetch(`${url}/pets`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      502,
      'upstream_failed',
    ]);
  },
);

test('an upstream that is silent is a 504', async () => {
  const upstream = await startUpstream(() => {});
  const { url } = await startTestProxy(upstream, { timeout: 50 });
  const answer = await fetch(`${url}/pets`);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    504,
    'upstream_timeout',
  ]);
});

test('an upstream that falls silent in the middle of a body is a 504', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Length': 10 }).write('abc');
  });
  const { url } = await startTestProxy(upstream, { timeout: 50 });
  const answer = await fetch(`${url}/pets`);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    504,
    'upstream_timeout',
  ]);
});

test('a client that goes away ends the request to the upstream', async () => {
  let onRequest: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  let onCancel: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const upstream = await startUpstream((_request, response) => {
    response.once('close', onCancel);
    onRequest();
  });
  const { url } = await startTestProxy(upstream);
  const controller = new AbortController();
  const answer = fetch(`${url}/pets`, { signal: controller.signal });
  await arrived;
  controller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await cancelled;
});

test('what is no HTTP is answered with an Error', async () => {
  const mock = await startTestMock();
  const { url } = await startTestProxy(mock.url);
  expect(await talk(url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
  expect((await fetch(`${url}/pets`)).status).toBe(401);
});

test('a connection that the upstream has let go of is not the client’s concern', async () => {
  // It says that it keeps connections and closes each after its first answer.
  let connections = 0;
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';
  const server = createTcpServer((socket) => {
    connections += 1;
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write(answer);
        socket.once('data', () => socket.resetAndDestroy());
      });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { url } = await startTestProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  expect((await fetch(`${url}/pets`)).status).toBe(200);
  expect((await fetch(`${url}/pets`)).status).toBe(200);
  expect(connections).toBe(2);
  // What adds an animal is not sent twice.
  await fetch(`${url}/pets`);
  expect((await fetch(`${url}/pets`, { method: 'POST', body: '{}' })).status).toBe(502);
});
