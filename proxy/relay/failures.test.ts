import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LARGEST_CHECKED_BODY } from '../../common/http/decode-checked-body.ts';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import { expectError, open } from '../../tools/testing/exchange-raw.ts';
import { startForwardProxy } from '../../tools/testing/start-forward-proxy.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { loadCheck } from '../load-check.ts';
import { printRequest, startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { certificates, startRawUpstream, startSecureUpstream } from '../testing/start-upstream.ts';
import { TIMEOUT } from './relay-config.ts';

const headers = { Authorization: 'Bearer test-key' };
/** Longer than a test, so that the end of a request is no timeout. */
const patient = { timeout: 3_600_000 };
const printAnswer = (line: string) => `HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\n[]`;

test.for<[answer: string, message: string, isEnd?: boolean]>([
  ['', 'socket hang up', true],
  ['hello\r\n\r\n', 'Parse Error'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', 'its response broke off', true],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    'it sends the transfer coding "gzip, chunked", and only "chunked" can be forwarded',
  ],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx', 'it sends the transfer coding "gzip"', true],
  ['HTTP/1.1 101 \r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', 'it switches to another protocol'],
  [printAnswer('099 OK'), 'HTTP has no final status'],
  [printAnswer('600 OK'), 'HTTP has no final status'],
  [printAnswer('101 OK'), 'HTTP has no final status'],
  [printAnswer('200 a\x01b'), 'Invalid character'],
])(
  'the response %j is a 502 that says why, and an error, since nobody could check it',
  async ([answer, message, isEnd]) => {
    const upstream = await startRawUpstream((socket) => void socket[isEnd ? 'end' : 'write'](answer));
    const { url, readFindings } = await startTestProxy(upstream);
    const answered = await fetch(`${url}/pets`, { headers });
    await expectError(answered, 502, 'upstream_failed', expect.stringContaining(message));
    expect(readFindings().violations).toMatchObject([{ severity: 'error' }]);
  },
);

test('a response with headers above 256 KiB is a 502 that says so', async () => {
  const answer = printAnswer(`200 OK\r\nX: ${'x'.repeat(262_144)}`);
  const { url, exchanges } = await startTestProxy(
    await startRawUpstream((socket) => void socket.end(answer)),
  );
  const message = expect.stringMatching(/ failed: its headers are larger than 256 KiB\.$/);
  await expectError(await fetch(`${url}/pets`, { headers }), 502, 'upstream_failed', message);
  expect(exchanges[0]?.violations).toMatchObject([{ rule: 'server-error' }]);
});

test.for([
  ['http://127.0.0.1:9/v1', /connect ECONNREFUSED 127\.0\.0\.1:9; nothing listens there: /],
  ['http://nohost.invalid/v1', /(?:ENOTFOUND|EAI_AGAIN) nohost\.invalid; there is no such host, or no DNS\./],
] as const)('an upstream %s that is down is a 502 that says what to look at', async ([upstream, message]) => {
  const { url, exchanges } = await startTestProxy(upstream);
  const answered = await fetch(`${url}/pets`, { headers });
  await expectError(answered, 502, 'upstream_failed', expect.stringMatching(message));
  // It has failed no request.
  expect(exchanges).toMatchObject([{ violations: [] }]);
});

test('an upstream with https in its URL that has no TLS is a 502 that says what to change', async () => {
  const upstream = await startRawUpstream((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const { origin } = new URL(upstream.replace('http:', 'https:'));
  const { url } = await startTestProxy(`${origin}/v1`);
  const message = `The upstream ${origin} failed: the TLS handshake failed. If the service has no TLS, use http.`;
  await expectError(await fetch(`${url}/pets`, { headers }), 502, 'upstream_failed', message);
});

const goOn = 'HTTP/1.1 102 Processing\r\n\r\n';

test.for<[title: string, first: string, again: string, body?: Buffer]>([
  ['is silent', '', ''],
  ['never ends its headers', 'HTTP/1.1 200 OK\r\nX: ', 'x'],
  ['is silent in the middle of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab', ''],
  ['sends only informational responses', '', goOn],
  ['does not read a body, and sends informational responses', '', goOn, Buffer.alloc(32 * 1024 * 1024)],
])(
  'an upstream that %s is a 504, and an error, since it has sent no whole response',
  async ([, first, again, body]) => {
    const upstream = await startRawUpstream((socket) => {
      if (body) socket.pause();
      socket.write(first);
      const timer = setInterval(() => socket.write(again), 5);
      socket.once('close', () => clearInterval(timer));
    });
    const { url, readFindings } = await startTestProxy(upstream, { timeout: 100 });
    const answer = await fetch(`${url}/pets`, body && { method: 'POST', body });
    await expectError(answer, 504, 'upstream_timeout', 'The upstream was silent for 100 ms.');
    expect(readFindings().violations.map(({ rule }) => rule)).toContain('server-error');
  },
);

/** Replaces the clock of the timeouts, for the running test. */
function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a client that sends a large body slowly is not a silence of the upstream, and the body passes unchecked', async () => {
  const part = 'x'.repeat(LARGEST_CHECKED_BODY + 1);
  let received = 0;
  const arrived = Promise.withResolvers<void>();
  const { url, exchanges } = await startProxyBefore((request, response) => {
    request.on('data', (piece: Buffer) => {
      received += piece.length;
      if (received === part.length) arrived.resolve();
    });
    request.once('end', () => response.writeHead(201).end());
  });
  useFakeClock();
  const length = `Content-Length: ${part.length + 1}`;
  const socket = await open(url, printRequest('POST /v1/pets', [length], part));
  await arrived.promise;
  vi.advanceTimersByTime(10 * TIMEOUT);
  socket.write('x');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 201 /);
  expect(received).toBe(part.length + 1);
  expect(exchanges).toMatchObject([{ request: { body: undefined, unchecked: { reason: 'size' } } }]);
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
    vi.advanceTimersByTime(TIMEOUT - 1);
  }
  expect(answer.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await once(answer, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
});

test('events are forwarded one by one, unchecked and counted', async () => {
  let finish = () => {};
  const { url, readFindings } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'Text/Event-Stream; charset=utf-8' }).write('data: 1\n\n');
    finish = () => void response.end('data: 2\n\n');
  });
  const { body } = await fetch(`${url}/pets`, { headers });
  const events = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await events.read()).value).toBe('data: 1\n\n');
  finish();
  expect((await events.read()).value).toBe('data: 2\n\n');
  expect(readFindings()).toMatchObject({ exchanges: 1, violations: [{ rule: 'media-type' }], failures: [] });
});

test('a client that leaves cancels the request to the upstream, which is still checked', async () => {
  const controller = new AbortController();
  const cancelled = Promise.withResolvers<void>();
  const { url, exchanges, readFindings } = await startProxyBefore((_request, response) => {
    response.once('close', cancelled.resolve);
    controller.abort();
  }, patient);
  const answer = fetch(`${url}/pets?limit=0`, { headers, signal: controller.signal });
  await expect(answer).rejects.toThrow('aborted');
  await cancelled.promise;
  const exchange = { violations: [{ rule: 'minimum', received: '"0"' }], response: undefined };
  await expect.poll(() => exchanges).toMatchObject([exchange]);
  expect(readFindings()).toMatchObject({ exchanges: 1, failures: [{ count: 1 }] });
}, 20_000);

test('a proxy has closed when it has checked what was open, also if its client has left', async () => {
  const [asked, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const readCheck = async () => {
    asked.resolve();
    await loaded.promise;
    return loadCheck(loadContract(), new Keys());
  };
  const { url, close, exchanges } = await startProxyBefore(() => {}, { readCheck });
  const leaving = new AbortController();
  const left = fetch(`${url}/pets`, { headers, signal: leaving.signal }).catch(() => 'left');
  await asked.promise;
  leaving.abort();
  expect(await left).toBe('left');
  const closed = close().then(() => exchanges.length);
  await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused');
  loaded.resolve();
  expect(await closed).toBe(1);
});

test('a proxy that was closed has no connection to the upstream', async () => {
  const connections: Promise<unknown>[] = [];
  const answer = printAnswer('200 OK\r\nKeep-Alive: timeout=60');
  const upstream = await startRawUpstream((socket) => {
    connections.push(once(socket.resume(), 'close'));
    socket.write(answer);
  });
  const { url, close } = await startTestProxy(upstream);
  for (const method of ['GET', 'POST'])
    expect((await fetch(`${url}/pets`, { method, ...(method === 'POST' && { body: '{}' }) })).status).toBe(
      200,
    );
  expect(connections).toHaveLength(2);
  await close();
  await Promise.all(connections);
}, 20_000);

test('a connection that the upstream closes between requests fails none, and no body is sent twice', async () => {
  let requests = 0;
  const start = async (promise: string) => {
    const upstream = await startRawUpstream((socket) => {
      requests += 1;
      socket.write(printAnswer(`200 OK${promise}`));
      socket.once('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      });
    });
    const { url } = await startTestProxy(upstream);
    return (body?: string, method = body === undefined ? 'GET' : 'POST') =>
      fetch(`${url}/pets`, { method, ...(body !== undefined && { body }) });
  };
  const sendUnpromised = await start('');
  for (const body of [undefined, '{}', '{}', undefined, undefined])
    expect((await sendUnpromised(body)).status).toBe(200);
  expect((await sendUnpromised(undefined, 'DELETE')).status).toBe(200);
  // The second GET and the DELETE were sent again, each on another connection.
  expect(requests).toBe(8);
  requests = 0;
  const sendPromised = await start('\r\nKeep-Alive: timeout=5');
  expect((await sendPromised('{}')).status).toBe(200);
  await expectError(await sendPromised('{}'), 502, 'upstream_failed');
  expect(requests).toBe(2);
});

test('an upstream of https requires a certificate of a known authority, or --insecure', async () => {
  const upstream = await startSecureUpstream();
  for (const options of [{ ca: readFileSync(join(certificates, 'ca.pem'), 'utf8') }, { insecure: true }]) {
    const { url, exchanges } = await startTestProxy(upstream, options);
    expect(await (await fetch(`${url}/pets`, { headers })).text()).toBe('[]');
    expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
  }
  const answer = await fetch(`${(await startTestProxy(upstream)).url}/pets`);
  await expectError(answer, 502, 'upstream_failed', expect.stringMatching(/certificate.*--ca.*--insecure/));
});

test('an upstream that requires a client certificate is a 502 that names the option', async () => {
  const upstream = await startSecureUpstream('localhost', 'localhost.pem', { requestCert: true });
  const { url } = await startTestProxy(upstream, { insecure: true });
  const message = '; it may require a client certificate, or another one (--client-cert).';
  const answer = await fetch(`${url}/pets`, { headers });
  await expectError(answer, 502, 'upstream_failed', expect.stringContaining(message));
});

test('the upstream gets the bytes of a request through a forward proxy too', async () => {
  const mock = await startTestMock({ allowHosts: ['staging.test'] });
  const forward = await startForwardProxy();
  const { port } = new URL(mock.url);
  for (const [credentials, status] of Object.entries({ 'ann:p%40ss@': 200, '': 502 })) {
    forward.use(credentials);
    const { url } = await startTestProxy(`http://staging.test:${port}/v1`);
    expect((await fetch(`${url}/pets/1`, { headers })).status).toBe(status);
  }
  expect(mock.requests()).toMatchObject([{ url: '/v1/pets/1', status: 200 }]);
});

test('a forward proxy that does not answer is a 502 with its name', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const silent = new URL(await startRawUpstream(() => resolve()));
  vi.stubEnv('https_proxy', undefined).stubEnv('HTTPS_PROXY', silent.host);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url } = await startTestProxy('https://staging.test/v1');
  useFakeClock();
  const answer = fetch(`${url}/pets`, { headers });
  await arrived;
  vi.advanceTimersByTime(TIMEOUT / 2);
  const message = `the proxy ${silent.origin} failed: it did not answer within 8 s`;
  await expectError(await answer, 502, 'upstream_failed', expect.stringContaining(message));
});

test('a tunnel stays open after the time that its forward proxy has to answer', async () => {
  const forward = await startForwardProxy();
  forward.use('ann:p%40ss@');
  const upstream = await startSecureUpstream();
  const { port } = new URL(upstream);
  const { url } = await startTestProxy(`https://staging.test:${port}/v1`, { insecure: true });
  useFakeClock();
  for (let request = 0; request < 2; request += 1) {
    expect(await (await fetch(`${url}/pets`, { headers })).text()).toBe('[]');
    vi.advanceTimersByTime(TIMEOUT - 1);
  }
  expect(forward.targets).toEqual([`CONNECT staging.test:${port}`]);
});

test.for(['127.0.0.1', '0.0.0.0', 'localhost'])('a proxy of itself at %s is refused', async (name) => {
  const started = startTestProxy(`http://${name}:4011/v1`, { host: '0.0.0.0', port: 4011 });
  await expect(started).rejects.toThrow(`the upstream http://${name}:4011/v1 is the proxy itself`);
});
