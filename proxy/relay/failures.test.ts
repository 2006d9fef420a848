import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expectError } from '../../testing/exchange-raw.ts';
import { MAX_CHECKED_BODY } from '../bytes/carried-body.ts';
import { FindingsRecord } from '../findings/findings-record.ts';
import { DEFAULT_TIMEOUT } from '../options.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, listen, startRawUpstream } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key' };

test('an upstream that is down is a 502 at once', async () => {
  const { url } = await startTestProxy('http://127.0.0.1:9/v1');
  const message = expect.stringContaining('ECONNREFUSED');
  await expectError(await fetch(`${url}/pets`), 502, 'upstream_failed', message);
});

test.for<[string, 'end' | 'write', string]>([
  ['what is not HTTP', 'end', 'hello\r\n\r\n'],
  ['a part of a body', 'end', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'],
  ['another protocol', 'write', 'HTTP/1.1 101 \r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
])('an upstream that answers %s is a 502', async ([, how, answer]) => {
  const { url } = await startTestProxy(await startRawUpstream((socket) => void socket[how](answer)));
  await expectError(await fetch(`${url}/pets`), 502, 'upstream_failed');
});

test('an upstream that breaks off a body too large to be read first breaks off that of the client', async () => {
  const { url } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { 'Content-Length': 3 * MAX_CHECKED_BODY });
    response.write(Buffer.alloc(2 * MAX_CHECKED_BODY), () => response.destroy());
  });
  const answer = await fetch(`${url}/pets`);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
});

const startBody: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'Content-Length': 10 }).write('abc');

test.for<[string, RequestListener]>([
  ['is silent', () => {}],
  ['falls silent in the middle of a body', startBody],
])('an upstream that %s is a 504', async ([, handle]) => {
  const { url } = await startProxyBefore(handle, { timeout: 50 });
  const message = 'The upstream was silent for 50 ms.';
  await expectError(await fetch(`${url}/pets`), 504, 'upstream_timeout', message);
});

/** Replaces the clock of the timeouts, for the running test. */
function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a client that is slow to send is no silence of the upstream', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url } = await startProxyBefore((request, response) => {
    request.once('data', () => arrived.resolve()).once('end', () => response.writeHead(201).end());
  });
  const { hostname, port } = new URL(url);
  useFakeClock();
  const socket = connect(Number(port), hostname);
  const part = Buffer.alloc(2 * MAX_CHECKED_BODY);
  const head = `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 * part.length}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), part]));
  await arrived.promise;
  vi.advanceTimersByTime(10 * DEFAULT_TIMEOUT);
  socket.write(part);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 201 /);
});

test('each piece of a body begins the timeout again, and a pause breaks it off', async () => {
  let write = () => {};
  const { url } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    write = () => void response.write('x');
  });
  useFakeClock();
  const [answer] = (await once(get(`${url}/pets`, { agent: false }), 'response')) as [IncomingMessage];
  for (let sent = 0; sent < 3; sent += 1) {
    write();
    expect(String((await once(answer, 'data'))[0])).toBe('x');
    vi.advanceTimersByTime(DEFAULT_TIMEOUT - 1);
  }
  expect(answer.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await once(answer, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
});

test('a client that leaves cancels the request to the upstream, which is still checked', async () => {
  const controller = new AbortController();
  const cancelled = Promise.withResolvers<void>();
  const { url, upstream, exchanges } = await startProxyBefore((_request, response) => {
    response.once('close', cancelled.resolve);
    controller.abort();
  });
  const answer = fetch(`${url}/pets?limit=0`, { headers, signal: controller.signal });
  await expect(answer).rejects.toThrow('aborted');
  await cancelled.promise;
  const exchange = { violations: [{ code: 'minimum' }], response: undefined };
  await expect.poll(() => exchanges).toMatchObject([exchange]);
  const record = new FindingsRecord(new URL(upstream), []);
  for (const exchange of exchanges) record.add(exchange);
  expect(record.read()).toMatchObject({ exchanges: 1, abandoned: 1, unanswered: 0 });
});

test('an exchange that is open when the proxy closes is reported', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, exchanges, close } = await startProxyBefore(() => arrived.resolve(), { timeout: 200 });
  const answer = fetch(`${url}/pets?limit=0`, { headers });
  await arrived.promise;
  await close();
  expect(exchanges).toMatchObject([{ violations: [{ code: 'minimum' }] }]);
  expect((await answer).status).toBe(504);
});

test('a connection that the upstream has let go of is not the client’s concern', async () => {
  // It says that it keeps connections and closes each after its first answer.
  let connections = 0;
  const upstream = await startRawUpstream((socket) => {
    connections += 1;
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]');
    socket.once('data', () => socket.resetAndDestroy());
  });
  const { url } = await startTestProxy(upstream);
  expect((await fetch(`${url}/pets`)).status).toBe(200);
  expect((await fetch(`${url}/pets`)).status).toBe(200);
  expect(connections).toBe(2);
  expect((await fetch(`${url}/pets`, { method: 'POST', body: '{}' })).status).toBe(200);
});

test.for([
  ['a connection that the upstream promises to keep', { 'Keep-Alive': 'timeout=5' }, 1],
  ['a new connection where there is no promise', {}, 3],
] as const)('requests with bodies go on %s', async ([, promise, expected]) => {
  const sockets = new Set<unknown>();
  const { url } = await startProxyBefore((request, response) => {
    sockets.add(request.socket);
    const headers = { Connection: 'keep-alive', ...promise };
    request.resume().on('end', () => response.writeHead(201, headers).end());
  });
  for (let sent = 0; sent < 3; sent += 1) {
    const answer = await fetch(`${url}/pets`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(201);
    await answer.arrayBuffer();
    // What has been answered is let go of in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sockets.size).toBe(expected);
});

test('a request with a body is not sent twice, whatever the upstream promised', async () => {
  let sent = 0;
  const upstream = await startRawUpstream((socket) => {
    const answer = 'HTTP/1.1 201 Created\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n';
    sent += 1;
    socket.write(answer);
    socket.once('data', () => {
      sent += 1;
      socket.resetAndDestroy();
    });
  });
  const { url } = await startTestProxy(upstream);
  const post = () => fetch(`${url}/pets`, { method: 'POST', body: '{}' });
  expect((await post()).status).toBe(201);
  await expectError(await post(), 502, 'upstream_failed');
  expect(sent).toBe(2);
});

/** Made only for these tests. The key of the authority is kept nowhere. */
function readCertificate(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../testing/certificates', name), 'utf8');
}

async function startSecureUpstream(): Promise<string> {
  const certificate = { cert: readCertificate('localhost.pem'), key: readCertificate('localhost-key.pem') };
  const url = await listen(createSecureServer(certificate, answerJson()));
  return url.replace('http://127.0.0.1', 'https://localhost');
}

test.for<[string, { ca?: string; insecure?: boolean }]>([
  ['a certificate of an authority that is given', { ca: readCertificate('ca.pem') }],
  ['any certificate, if need be', { insecure: true }],
])('an upstream of https is spoken to with %s', async ([, options]) => {
  const { url, exchanges } = await startTestProxy(await startSecureUpstream(), options);
  const answer = await fetch(`${url}/pets`, { headers });
  expect([answer.status, await answer.text()]).toEqual([200, '[]']);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});

test('a certificate that nobody vouches for is a 502 that says so', async () => {
  const { url } = await startTestProxy(await startSecureUpstream());
  const answer = await fetch(`${url}/pets`);
  const message = expect.stringMatching(/certificate.*--ca.*--insecure/);
  await expectError(answer, 502, 'upstream_failed', message);
});
