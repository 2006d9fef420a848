import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { LARGEST_CHECKED_BODY } from '../../common/http/decode-checked-body.ts';
import { open, talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, startRawUpstream } from '../testing/start-upstream.ts';

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

test('a request behind a slower one gets its 100 before its response', async () => {
  const proxy = await startProxyBefore(async (request, response) => {
    if (request.url === '/v1/slow') await expect.poll(() => proxy.exchanges.length).toBe(1);
    answerJson('[]', { 'Content-Length': 2 })(request, response);
  });
  const expecting = printRequest('GET /v1/pets', ['Expect: 100-continue', 'Connection: close']);
  const answers = await talk(proxy.url, printRequest('GET /v1/slow', []) + expecting);
  expect(answers.match(/HTTP\/1\.1 \d+|\[\]/g)).toEqual([
    ...['HTTP/1.1 200', '[]'],
    ...['HTTP/1.1 100', 'HTTP/1.1 200', '[]'],
  ]);
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

test('an upstream that answers before the end of a large body and closes blocks no later request', async () => {
  const upstream = await startRawUpstream((socket) => {
    socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  const { url } = await startTestProxy(upstream);
  const body = 'x'.repeat(LARGEST_CHECKED_BODY + 8 * 1024 * 1024);
  const large = printRequest('POST /v1/pets', [`Content-Length: ${body.length}`], body);
  expect((await talk(url, large + last)).match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 413']);
});

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
