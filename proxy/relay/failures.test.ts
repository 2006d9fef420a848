import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestMock } from '../../mock/testing/start-test-mock.ts';
import { startUpstream } from '../testing/raw-exchange.ts';
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
  expect((await fetch(`${url}/pets`, { method: 'POST', body: '{}' })).status).toBe(200);
});

test('a request hidden in the body of another stays in it, whatever Connection names', async () => {
  const targets: (string | undefined)[] = [];
  const upstream = await startUpstream((request, response) => {
    targets.push(request.url);
    request.resume().on('end', () => response.end());
  });
  const { url } = await startTestProxy(upstream);
  const hidden = 'GET /v1/pets/2 HTTP/1.1\r\nHost: x\r\n\r\n';
  const head = `GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nConnection: content-length, close\r\nContent-Length: ${hidden.length}`;
  await talk(url, `${head}\r\n\r\n${hidden}`);
  await fetch(`${url}/pets/3`);
  expect(targets).toEqual(['/v1/pets/1', '/v1/pets/3']);
});

test('what is no HTTP never gets into the body of an answer', async () => {
  const body = 'x'.repeat(3 * 1024 * 1024);
  let finish: () => void = () => {};
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Length': body.length }).write(body.slice(0, 2 * 1024 * 1024));
    finish = () => response.end(body.slice(2 * 1024 * 1024));
  });
  const { url } = await startTestProxy(upstream);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n'));
  let received = '';
  socket.on('data', (chunk) => {
    if (received === '') socket.write('garbage\r\n\r\n', finish);
    received += chunk;
  });
  await once(socket, 'end');
  const [, answered = '', after = ''] = /\r\n\r\n(x*)(.*)$/s.exec(received) ?? [];
  expect([answered.length, after.slice(0, 12)]).toEqual([body.length, 'HTTP/1.1 400']);
});
