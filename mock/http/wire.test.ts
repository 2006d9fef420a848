import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { answerClientErrors } from '../../common/answer-client-error.ts';
import { talk } from '../../proxy/testing/talk.ts';
import { get } from '../testing/http-case.ts';
import { send } from '../testing/send.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

function request(...lines: string[]): string {
  return `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;
}

const Authorization = 'Authorization: Bearer test-key';

test.for([
  ['a line that is no request', 'hello\r\n\r\n', 400, 'invalid_request'],
  ['another protocol', 'GET / FTP/1.0\r\n\r\n', 400, 'invalid_request'],
  ['a header without a name', request('GET /v1/pets HTTP/1.1', 'Host: x', ': y'), 400, 'invalid_request'],
  [
    'a control character in the path',
    request('GET /v1/\x01pets HTTP/1.1', 'Host: x'),
    400,
    'invalid_request',
  ],
  [
    'two lengths',
    request('POST /v1/pets HTTP/1.1', 'Host: x', Authorization, 'Content-Length: 1', 'Content-Length: 2'),
    400,
    'invalid_request',
  ],
  [
    'a chunk that is none',
    `${request('POST /v1/pets HTTP/1.1', 'Host: x', Authorization, 'Transfer-Encoding: chunked')}zz\r\n`,
    400,
    'invalid_request',
  ],
  ['a request without Host', request('GET /v1/pets HTTP/1.1', Authorization), 400, 'invalid_request'],
  ['a tunnel', request('CONNECT example.org:443 HTTP/1.1', 'Host: x'), 405, 'method_not_allowed'],
  [
    'chunk extensions above 16 KiB',
    `${request('POST /v1/pets HTTP/1.1', 'Host: x', Authorization, 'Transfer-Encoding: chunked')}2;${'x'.repeat(20_000)}`,
    413,
    'payload_too_large',
  ],
  [
    'headers above 16 KiB',
    request('GET / HTTP/1.1', 'Host: x', `X: ${'y'.repeat(20_000)}`),
    431,
    'headers_too_large',
  ],
] as const)('%s is answered with an Error', async ([, bytes, status, code]) => {
  const { url } = await startTestMock();
  const answer = await talk(url, bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('Content-Type: application/json');
  expect(head).toMatch(/Connection: close/i);
  expect(JSON.parse(body)).toEqual({ code, message: expect.any(String), status });
  expect((await send(url, get('/v1/pets'))).status).toBe(200);
});

test('a client that keeps a refused connection does not keep the mock', async () => {
  const { url, close } = await startTestMock();
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  onTestFinished(() => void socket.destroy());
  await close();
});

test('what a client expects in vain does not keep it from its answer', async () => {
  const { url } = await startTestMock();
  const answer = await talk(
    url,
    request('GET /v1/pets/1 HTTP/1.1', 'Host: x', Authorization, 'Expect: miracles'),
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 .*"id":1,/s);
});

test.for(['GET /v1/pets/1 HTTP/1.0', 'GET /v1/pets/1 HTTP/1.1\r\nHost:'])(
  '%j needs no more',
  async (line) => {
    const { url } = await startTestMock();
    expect(await talk(url, request(line, Authorization))).toMatch(/^HTTP\/1.1 200 /);
  },
);

test('a request that is too slow is answered with an Error', async () => {
  const server = createServer({ requestTimeout: 20, connectionsCheckingInterval: 10 });
  answerClientErrors(server).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await talk(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 408 .*"status":408/s);
});

test('a target in absolute form is the path in it', async () => {
  const { url } = await startTestMock();
  const answer = await talk(
    url,
    request('GET http://example.org/v1/pets/1 HTTP/1.1', 'Host: x', Authorization),
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 .*"id":1,/s);
});

test.for(['http://example.org/v1/pets', 'https://example.org/v1/pets?x', '/v1/pets'])(
  '%s wants a key',
  async (target) => {
    const { url } = await startTestMock();
    expect(await talk(url, request(`GET ${target} HTTP/1.1`, 'Host: x'))).toMatch(/^HTTP\/1.1 401 /);
  },
);

test.for(['foo://bar', 'http://example.org', '*'])('there is nothing at the target %s', async (target) => {
  const { url } = await startTestMock();
  const answer = await talk(url, request(`OPTIONS ${target} HTTP/1.1`, 'Host: x', Authorization));
  expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"not_found"/s);
});

test('a client that sends 8 MiB gets to read that it is too much', async () => {
  const { url } = await startTestMock();
  const body = 'x'.repeat(8 * 1024 * 1024);
  const head = ['POST /v1/pets HTTP/1.1', 'Host: x', Authorization, 'Content-Type: application/json'];
  const answers = await Promise.all([
    talk(url, request(...head, `Content-Length: ${body.length}`) + body),
    talk(url, `${request(...head, 'Transfer-Encoding: chunked')}800000\r\n${body}\r\n0\r\n\r\n`),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 413 .*"code":"payload_too_large"/s);
});

test('a client that goes away in the middle of a body leaves the mock well', async () => {
  const { url } = await startTestMock({ profile: 'empty' });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = request(
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    Authorization,
    'Content-Type: application/json',
    'Content-Length: 100',
  );
  await new Promise((resolve) => socket.write(`${head}{"name":`, resolve));
  socket.destroy();
  await once(socket, 'close');
  expect((await send(url, get('/v1/pets'))).body).toEqual([]);
});

test('requests that come at once on one connection are answered in their order', async () => {
  const { url } = await startTestMock();
  const first = `GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\n${Authorization}\r\n\r\n`;
  const answer = await talk(url, first + request('GET /v1/pets/2 HTTP/1.1', 'Host: x', Authorization));
  expect(answer).toMatch(/"id":1,.*"id":2,/s);
});

test.for(['GET', 'POST'])('what is no HTTP behind a %s is answered after it', async (method) => {
  const mock = await startTestMock();
  const body = '{"name":"Rex","categoryId":1}';
  const framing = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const head = `${method} /v1/pets HTTP/1.1\r\nHost: x\r\n${Authorization}\r\n`;
  const answer = await talk(mock.url, `${head}${method === 'POST' ? framing : '\r\n'}garbage\r\n\r\n`);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual([
    `HTTP/1.1 ${method === 'POST' ? 201 : 200}`,
    'HTTP/1.1 400',
  ]);
});
