import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from './client.ts';
import { LONGEST_BODY } from './send-request.ts';
import { resolveTarget } from './target.ts';

async function startClient(listener: RequestListener, timeout = 5_000): Promise<Client> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createClient(resolveTarget({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'test-key', timeout }));
}

const list = '[{"id":1}]';
const half = gzipSync(list).subarray(0, -12);

test.for<[string, string | Buffer, string | Buffer]>([
  ['gzip', gzipSync(list), list],
  ['X-GZIP', gzipSync(list), list],
  ['deflate', deflateSync(list), list],
  ['deflate', deflateRawSync(list), list],
  ['br', brotliCompressSync(list), list],
  ['gzip, br', brotliCompressSync(gzipSync(list)), list],
  ['gzip', '', ''],
  ['gzip', list, list],
  ['deflate', list, list],
  ['br', list, list],
  ['rot13', list, list],
  ['gzip', half, half],
])('a body said to be %s is decoded if it is, and kept as it is if not', async ([coding, sent, body]) => {
  const client = await startClient((_, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(sent);
  });
  const { response, failure } = await client.send({ path: '/pets' });
  expect([response?.body, failure]).toEqual([Buffer.from(body), undefined]);
});

test.for([
  ['plain', {}, Buffer.alloc(LONGEST_BODY + 1)],
  ['small until it is decoded', { 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(LONGEST_BODY * 4))],
] as const)('a body that is too long, %s, is cut, which is said', async ([, headers, sent]) => {
  const client = await startClient((_, response) => void response.writeHead(200, headers).end(sent));
  const { response, failure } = await client.send({ path: '/pets' });
  expect([response?.status, response?.body.length]).toEqual([200, LONGEST_BODY]);
  expect(failure).toMatch(`the body was cut after ${LONGEST_BODY} bytes`);
});

test('a body of very many values is cut, which is said', async () => {
  const client = await startClient((_, response) => void response.end(`[${'1e399,'.repeat(1_000_000)}1]`));
  const { response, failure } = await client.send({ path: '/pets' });
  expect(response?.body.toString()).toBe(`[${'1e399,'.repeat(14_998)}1e399`);
  expect(failure).toMatch('the body was cut after 89994 bytes: at most 8388608 bytes and 15000 JSON values');
});

test.for<[string, RequestListener, RegExp]>([
  ['never begins', () => {}, /^no answer within 200 ms$/],
  ['never ends', (_, response) => void response.writeHead(200).write('['), /^no answer within 200 ms$/],
  ['is cut at once', (request) => void request.socket.destroy(), /^socket hang up$/],
  ['is cut in its body', (_, response) => void response.write('[', () => response.destroy()), /^aborted$/],
  ['is not HTTP', (request) => void request.socket.end('hello\r\n\r\n'), /^Parse Error/],
])('an answer that %s does not count, and the failure says why', async ([, listener, message]) => {
  const client = await startClient(listener, 200);
  const { response, failure } = await client.send({ path: '/pets' });
  expect([response, failure]).toEqual([undefined, expect.stringMatching(message)]);
});

test('an answer that comes before the request was read is an answer', async () => {
  const client = await startClient((_, response) => void response.writeHead(413).end('too long'));
  const { response } = await client.send({ method: 'POST', path: '/pets', body: 'x'.repeat(3_000_000) });
  expect(response?.status).toBe(413);
});

test('any method, a path and a body arrive as they were given; a redirect is not followed', async () => {
  const received: unknown[] = [];
  const client = await startClient(async (request, response) => {
    received.push([request.method, request.url, request.headers['user-agent'], await text(request)]);
    response.writeHead(302, { Location: '/elsewhere', 'Set-Cookie': ['a=1', 'b=2'] }).end();
  });
  for (const method of ['DELETE', 'PUT', 'GET']) {
    const headers = method === 'PUT' ? { 'user-agent': 'another' } : {};
    const { response } = await client.send({ method, path: '/pets/../1?name=ä b', body: '{"ä":1}', headers });
    expect(response).toMatchObject({ status: 302, headers: { 'set-cookie': 'a=1, b=2' } });
  }
  const url = '/v1/pets/../1?name=%C3%A4%20b';
  expect(received).toEqual([
    ['DELETE', url, 'animal-store-verify', '{"ä":1}'],
    ['PUT', url, 'another', '{"ä":1}'],
    ['GET', url, 'animal-store-verify', '{"ä":1}'],
  ]);
});

test('a connection that is closed as it is used again is replaced once, and from then on each request has its own', async () => {
  const ports: (number | undefined)[] = [];
  const client = await startClient((request, response) => {
    const isUsed = ports.includes(request.socket.remotePort);
    ports.push(request.socket.remotePort);
    if (isUsed || ports.length > 4) request.socket.destroy();
    else response.end('[]');
  });
  for (let count = 0; count < 4; count += 1) await client.send({ path: '/pets' });
  const failures = client.journal.map(({ failure = 'none' }) => failure);
  expect(failures).toEqual(['none', 'none', 'none', 'socket hang up']);
  expect([ports.length, new Set(ports).size]).toEqual([5, 4]);
});
