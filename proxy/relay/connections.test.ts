import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { open, talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, certificates, startRawUpstream } from '../testing/start-upstream.ts';
import { MOST_OPEN } from './start-relay.ts';

const last = printRequest('GET /v1/last');

test('requests that one client sends at once arrive whole and are answered in their order', async () => {
  const { url } = await startProxyBefore(async (request, response) => {
    response.end(`${request.url} ${await text(request)}\n`);
  });
  const bodies = Array.from({ length: 50 }, (_, index) => String(index).repeat(5_000));
  const requests = bodies.flatMap((body, index) => [
    printRequest(`POST /v1/${index}`, [`Content-Length: ${body.length}`], body),
    printRequest(`GET /v1/${index}`, []),
  ]);
  const answers = await talk(url, [...requests, last].join(''));
  const expected = bodies.flatMap((body, index) => [`/v1/${index} ${body}`, `/v1/${index} `]);
  expect(answers.match(/^\/v1\/.*$/gm)).toEqual([...expected, '/v1/last ']);
});

test('a request past the limit is refused, and the next one after an answer is forwarded', async () => {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const { url } = await startProxyBefore((_request, response) => {
    if (isHolding) held.push(response);
    else response.end();
  });
  const answerAll = () => {
    isHolding = false;
    for (const response of held) response.end();
  };
  // Open requests would delay the end of the test.
  onTestFinished(answerAll);
  await open(url, printRequest('GET /v1/many', []).repeat(MOST_OPEN));
  await expect.poll(() => held.length).toBe(MOST_OPEN);
  expect(await talk(url, last)).toMatch(/^HTTP\/1.1 503 .*"code":"service_unavailable".*1024/s);
  answerAll();
  await expect.poll(() => talk(url, last)).toMatch(/^HTTP\/1.1 200 /);
});

const newPet = '{"name":"Rex","categoryId":1}';
const postPet = printRequest('POST /v1/pets', [`Content-Length: ${newPet.length}`], newPet);

test.for<[title: string, bytes: string, answered: string[]]>([
  ['a request', printRequest('GET /v1/pets', []), ['GET ']],
  ['a request with a body', postPet, [`POST ${newPet}`]],
  ['two requests', postPet + printRequest('GET /v1/pets', []), [`POST ${newPet}`, 'GET ']],
  [
    'a request in chunks',
    printRequest('PUT /v1/x', ['Transfer-Encoding: chunked'], '1\r\na\r\n0\r\n\r\n'),
    ['PUT a'],
  ],
])('a client that closes its writing half after %s gets its response', async ([, bytes, answered]) => {
  const { url } = await startProxyBefore(async (request, response) => {
    response.end(`${request.method} ${await text(request)}\n`);
  });
  const socket = await open(url, '');
  socket.end(bytes);
  expect((await text(socket)).match(/^(?:GET|POST|PUT) .*$/gm)).toEqual(answered);
});

test('a client that closes its writing half gets its response over HTTPS too', async () => {
  const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map((name) =>
    readFileSync(join(certificates, name), 'utf8'),
  ) as [string, string];
  const { url } = await startProxyBefore(answerJson(), { tls: { cert, key } });
  const { hostname, port } = new URL(url);
  const options = { host: hostname, port: Number(port), rejectUnauthorized: false, allowHalfOpen: true };
  const socket = connect(options);
  onTestFinished(() => void socket.destroy());
  socket.end(printRequest('GET /v1/pets', []));
  expect(await text(socket)).toMatch(/HTTP\/1.1 200 .*\[\]/s);
});

test('a client that closed its writing half is asked whether it is there, and waits on', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { url, readFindings } = await startProxyBefore((_request, response) => arrived.resolve(response));
  const socket = await open(url, '');
  socket.end(printRequest('GET /v1/pets', []));
  const response = await arrived.promise;
  // On a busy machine it is asked more than once before anybody reads.
  expect(String((await once(socket, 'data'))[0])).toMatch(/^(?:HTTP\/1.1 100 Continue\r\n\r\n)+$/);
  response.end('here');
  expect(await text(socket)).toMatch(/^(?:HTTP\/1.1 100 Continue\r\n\r\n)*HTTP\/1.1 200 .*here/s);
  expect(readFindings()).toMatchObject({ exchanges: 1, failures: [] });
});

test('requests of a client that has gone are cancelled, also the ones that wait for their turn', async () => {
  const cancelled: Promise<unknown>[] = [];
  const { url, readFindings } = await startProxyBefore(
    (_request, response) => void cancelled.push(once(response, 'close')),
    // The end of a request is no timeout.
    { timeout: 3_600_000 },
  );
  const socket = await open(url, printRequest('GET /v1/pets', []).repeat(3));
  await expect.poll(() => cancelled.length).toBe(3);
  socket.destroy();
  await Promise.all(cancelled);
  await expect.poll(readFindings).toMatchObject({ exchanges: 3, failures: [{ count: 3 }] });
}, 20_000);

test('a request hidden in the body of another stays in it, whatever Connection names', async () => {
  const { url, received } = await startProxyBefore(answerJson());
  const hidden = printRequest('GET /v1/pets/2', []);
  const headers = ['Connection: content-length, close', `Content-Length: ${hidden.length}`];
  await talk(url, printRequest('GET /v1/pets/1', headers, hidden));
  await fetch(`${url}/pets/3`);
  expect(received.map(({ url }) => url)).toEqual(['/v1/pets/1', '/v1/pets/3']);
});

test('a connection is closed after a request of HTTP/1.0 with chunks, whose framing may be faulty', async () => {
  const { url, received } = await startProxyBefore(answerJson('[]', { 'Content-Length': 2 }));
  const headers = ['Connection: keep-alive', 'Transfer-Encoding: chunked'];
  const chunks = printRequest('POST /v1/pets', headers, '1\r\na\r\n0\r\n\r\n').replace(
    'HTTP/1.1',
    'HTTP/1.0',
  );
  const answers = await talk(url, chunks + last);
  expect(answers.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
  // What follows may be a part of the body.
  await fetch(`${url}/pets`);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/pets', 'GET /v1/pets']);
});

test('a connection to the upstream is closed after a response of HTTP/1.0 with chunks', async () => {
  let connections = 0;
  const head = 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
  const upstream = await startRawUpstream((socket) => {
    connections += 1;
    socket.write(`${head}2\r\n[]\r\n0\r\n\r\n`);
    socket.on('data', () => socket.write(`${head}2\r\n[]\r\n0\r\n\r\n`));
  });
  const { url } = await startTestProxy(upstream);
  for (let sent = 1; sent <= 3; sent += 1) {
    expect(await (await fetch(`${url}/pets`)).text()).toBe('[]');
    expect(connections).toBe(sent);
  }
});

test('a malformed request never gets into the body of an answer', async () => {
  const begun = 1024 * 1024;
  const body = 'x'.repeat(2 * begun);
  let finish: () => void = () => {};
  const { url } = await startProxyBefore((_request, response) => {
    // Events are forwarded before their end.
    const headers = { 'Content-Type': 'text/event-stream', 'Content-Length': body.length };
    response.writeHead(200, headers).write(body.slice(0, begun));
    finish = () => response.end(body.slice(begun));
  });
  const socket = await open(url, printRequest('GET /v1/x', []));
  let received = '';
  socket.on('data', (chunk) => {
    if (received === '') socket.write('garbage\r\n\r\n', finish);
    received += chunk;
  });
  await once(socket, 'end');
  const [, answered = '', after = ''] = /\r\n\r\n(x*)(.*)$/s.exec(received) ?? [];
  expect(answered.length).toBe(body.length);
  expect(after).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
});
