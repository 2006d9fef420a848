import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createTarget } from '../testing/run-in-process.ts';
import { Client, createDeadline } from './client.ts';
import { createSendRequest, LONGEST_BODY } from './send-request.ts';

async function startServer(listener: RequestListener): Promise<{ server: Server; baseUrl: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function startClient(listener: RequestListener, timeout = 5_000, interruption?: AbortSignal) {
  const target = createTarget({ baseUrl: (await startServer(listener)).baseUrl, timeout });
  return new Client(target, { signal: createDeadline(target, interruption) });
}

const list = '[{"id":1}]';
const notIn = (coding: string) => `the body is not in the Content-Encoding ${coding}`;

test.for<[coding: string, sent: string | Buffer, body?: string | Buffer, failure?: string]>([
  ['gzip', gzipSync(list)],
  ['deflate', deflateRawSync(list)],
  ['br, deflate, gzip', gzipSync(deflateSync(brotliCompressSync(list)))],
  ['gzip', '', ''],
  ['rot13', list],
  ['gzip', list, list, notIn('gzip')],
  ['deflate', list, list, notIn('deflate')],
  ['gzip, gzip, gzip, gzip', list, list, 'the body has 4 content codings, and at most 3 are decoded'],
])(
  'a body with the Content-Encoding %s is decoded, or kept as it is',
  async ([coding, sent, body = list, failure]) => {
    const client = await startClient((_, response) => {
      response.writeHead(200, { 'Content-Encoding': coding }).end(sent);
    });
    const exchange = await client.send({ path: '/pets' });
    expect([exchange.response?.body, exchange.failure]).toEqual([Buffer.from(body), failure]);
    if (failure !== undefined) expect(exchange.json).toBeUndefined();
  },
);

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json';
const surplus = 'the body has more than the 2 bytes that were announced';

test.for<[string, string, string, string | undefined]>([
  ['ends too soon', 'Content-Length: 9\r\n\r\n[1]', '[1]', 'the body ended after 3 of 9 bytes'],
  [
    'lacks its last chunk',
    'Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n',
    '[1]',
    'the body ended after 3 bytes',
  ],
  ['is longer than announced', 'Content-Length: 2\r\n\r\n[][1]', '[]', surplus],
  ['is longer before a close', 'Connection: close\r\nContent-Length: 2\r\n\r\n[][1]', '[]', surplus],
  ['is followed by a line break', 'Connection: close\r\nContent-Length: 2\r\n\r\n[]\r\n', '[]', undefined],
])(
  'the received part of a body that %s is kept, and is JSON only if it is complete',
  async ([, bytes, body, failure]) => {
    const client = await startClient((request) => void request.socket.end(`${head}\r\n${bytes}`));
    const exchange = await client.send({ path: '/pets' });
    expect([exchange.response?.status, String(exchange.response?.body)]).toEqual([200, body]);
    expect([exchange.failure, exchange.json]).toEqual([failure, failure === undefined ? [] : undefined]);
  },
);

test('the late rest of a body that was too long is not taken for the next response', async () => {
  const client = await startClient((request, response) => {
    if (request.url?.endsWith('/1')) return void response.end('{}');
    // The connection is kept, and then has bytes that are no response.
    request.socket.write(`${head}\r\nContent-Length: 2\r\n\r\n[]`);
    setImmediate(() => request.socket.write('[1]'));
  });
  await client.send({ path: '/pets' });
  const { response, failure } = await client.send({ path: '/pets/1' });
  expect([response?.status, failure]).toEqual([200, undefined]);
});

test.for([
  ['plain', {}, Buffer.alloc(LONGEST_BODY + 1)],
  ['small until it is decoded', { 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(LONGEST_BODY + 1))],
] as const)('a body that is too long, %s, is a failure', async ([, headers, sent]) => {
  const client = await startClient((_, response) => void response.writeHead(200, headers).end(sent));
  const { response, failure, json } = await client.send({ path: '/pets' });
  expect([response?.status, failure]).toEqual([200, `the body was cut after ${LONGEST_BODY} bytes`]);
  expect(json).toBeUndefined();
});

test.for<[string, RequestListener, RegExp, number?]>([
  ['never begins', () => {}, /^no answer within 200 ms$/, 200],
  ['never ends', (_, response) => void response.writeHead(200).write('['), /^no answer within 200 ms$/, 200],
  ['is cut at once', (request) => void request.socket.destroy(), /^socket hang up$/],
  ['is not HTTP', (request) => void request.socket.end('hello\r\n\r\n'), /^Parse Error/],
])('a response that %s does not count, and the failure says why', async ([, listener, message, timeout]) => {
  const client = await startClient(listener, timeout);
  const { response, failure } = await client.send({ path: '/pets' });
  expect([response, failure]).toEqual([undefined, expect.stringMatching(message)]);
});

test('a response before the end of the request counts', async () => {
  const client = await startClient((_, response) => void response.writeHead(413).end('too long'));
  const { status } = await client.send({ method: 'POST', path: '/pets', body: 'x'.repeat(3_000_000) });
  expect(status).toBe(413);
});

test('any method, path and body are sent as they are; a redirect is not followed', async () => {
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
  const agent = expect.stringMatching(/^animal-store-verify\/\d+\.\d+\.\d+ \(run [\da-z]{8}\)$/);
  expect(received).toEqual([
    ['DELETE', url, agent, '{"ä":1}'],
    ['PUT', url, 'another', '{"ä":1}'],
    ['GET', url, agent, '{"ä":1}'],
  ]);
});

test('a connection that is closed as it is used again is replaced once, and then each request has its own', async () => {
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
  // The last connection checks whether the deployment restarts.
  expect([ports.length, new Set(ports).size]).toEqual([6, 5]);
});

test.for([
  ['POST', /^(?:socket hang up|read ECONNRESET)$/],
  ['GET', /ECONNREFUSED/],
] as const)(
  'a %s that the deployment may have received before it stopped is reported as cut',
  async ([method, failure]) => {
    let requests = 0;
    const { server, baseUrl } = await startServer((request, response) => {
      requests += 1;
      if (requests === 1) return void response.end('[]');
      server.close();
      request.socket.destroy();
    });
    const send = createSendRequest(createTarget({ baseUrl }));
    const request = { base: baseUrl, path: '/pets', headers: {}, body: undefined };
    await send({ ...request, method: 'GET' });
    expect((await send({ ...request, method })).failure).toMatch(failure);
  },
);

test('an interruption ends the open requests and the requests that wait after a 429', async () => {
  const interruption = new AbortController();
  let requests = 0;
  const client = await startClient(
    (_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(429, { 'Retry-After': '50' }).end(() => interruption.abort());
    },
    5_000,
    interruption.signal,
  );
  const sent = [client.send({ path: '/pets' }), client.send({ path: '/pets/1' })];
  for (const one of sent) await expect(one).rejects.toThrow('the run was interrupted');
  await expect(client.send({ path: '/pets' })).rejects.toThrow('the run was interrupted');
});
