import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { Client, createDeadline } from './client.ts';
import { NO_ANSWER } from './exchange.ts';
import { LONGEST_BODY, type SendRequest } from './send-request.ts';
import { resolveTarget } from './target.ts';

async function startClient(
  listener: RequestListener,
  timeout = 5_000,
  interruption?: AbortSignal,
): Promise<Client> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const target = resolveTarget({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'test-key',
    allowsWrites: true,
    timeout,
  });
  return new Client(target, { signal: createDeadline(target, interruption) });
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
  ['br, deflate, gzip', gzipSync(deflateSync(brotliCompressSync(list))), list],
  ['gzip', '', ''],
  ['rot13', list, list],
])('a body said to be %s is decoded', async ([coding, sent, body]) => {
  const client = await startClient((_, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(sent);
  });
  const { response, failure } = await client.send({ path: '/pets' });
  expect([response?.body, failure]).toEqual([Buffer.from(body), undefined]);
});

test.for<[string, string | Buffer]>([
  ['gzip', list],
  ['deflate', list],
  ['br', list],
  ['gzip', half],
])('a body that is not %s, as it is said to be, is kept as it is, which is said', async ([coding, sent]) => {
  const client = await startClient((_, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(sent);
  });
  const exchange = await client.send({ path: '/pets' });
  expect(exchange.response?.body).toEqual(Buffer.from(sent));
  expect(exchange.failure).toBe(`the body is not in the Content-Encoding ${coding}`);
  expect(exchange.json).toBeUndefined();
});

test('of a body with more than three content codings nothing is decoded, which is said', async () => {
  let sent: Buffer = Buffer.from(list);
  for (let index = 0; index < 4; index += 1) sent = gzipSync(sent);
  const client = await startClient((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip, gzip, gzip, gzip' }).end(sent);
  });
  const { response, failure, json } = await client.send({ path: '/pets' });
  expect([response?.body, json]).toEqual([sent, undefined]);
  expect(failure).toBe('the body has 4 content codings, and at most 3 are decoded');
});

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json';

test.for([
  [
    'that ends too soon',
    `${head}\r\nContent-Length: 9\r\n\r\n[1]`,
    '[1]',
    'the body ended after 3 of 9 bytes',
  ],
  [
    'without its last chunk',
    `${head}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n`,
    '[1]',
    'the body ended after 3 bytes',
  ],
  [
    'with more than was announced',
    `${head}\r\nContent-Length: 2\r\n\r\n[][1]`,
    '[]',
    'the body has more than the 2 bytes that were announced',
  ],
  [
    'with more than was announced, on a connection that is closed',
    `${head}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[][1]`,
    '[]',
    'the body has more than the 2 bytes that were announced',
  ],
] as const)('of a body %s what came is kept, and is no JSON', async ([, bytes, body, failure]) => {
  const client = await startClient((request) => void request.socket.end(bytes));
  const exchange = await client.send({ path: '/pets' });
  expect([exchange.response?.status, String(exchange.response?.body)]).toEqual([200, body]);
  expect([exchange.failure, exchange.json]).toEqual([failure, undefined]);
});

test('a line break after a body is no part of it', async () => {
  const bytes = `${head}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]\r\n`;
  const client = await startClient((request) => void request.socket.end(bytes));
  const exchange = await client.send({ path: '/pets' });
  expect([exchange.failure, exchange.json]).toEqual([undefined, []]);
});

test('what comes late of a body that was too long is not taken for the next answer', async () => {
  const client = await startClient((request, response) => {
    if (request.url?.endsWith('/1')) return void response.end('{}');
    // The connection is kept, and then has what is no answer.
    request.socket.write(`${head}\r\nContent-Length: 2\r\n\r\n[]`);
    setImmediate(() => request.socket.write('[1]'));
  });
  await client.send({ path: '/pets' });
  const { response, failure } = await client.send({ path: '/pets/1' });
  expect([response?.status, failure]).toEqual([200, undefined]);
});

test.for([
  ['plain', {}, Buffer.alloc(LONGEST_BODY + 1)],
  ['small until it is decoded', { 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(LONGEST_BODY * 4))],
] as const)('a body that is too long, %s, is a failure', async ([, headers, sent]) => {
  const client = await startClient((_, response) => void response.writeHead(200, headers).end(sent));
  const { response, failure, json } = await client.send({ path: '/pets' });
  expect([response?.status, failure]).toEqual([200, `the body was cut after ${LONGEST_BODY} bytes`]);
  expect(json).toBeUndefined();
});

test('of a long list the fields that clauses read are kept, with exact ids', async () => {
  const more = Array.from({ length: 1_000 }, (_, index) => `"x${index}":[{"id":1.5}],"y${index}":"]\\\\"`);
  const animal = (id: bigint, name: string) =>
    `{${more}, "id" : ${id} ,"name":"${name}","status":[1],"\\u0063ode":null,"categoryId":1e2}`;
  const long = 'x'.repeat(5_000);
  const animals = [
    animal(2n ** 60n + 1n, 'Rex'),
    animal(2n, `${long}1`),
    animal(3n, `${long}2`),
    animal(4n, `${long}1`),
  ];
  const client = await startClient((_, response) => void response.end(` [${animals} , 7,[[8]]] `));
  const exchange = await client.send({ path: '/pets' });
  const list = exchange.json as readonly JsonObject[];
  expect(list[0]).toEqual({ id: 2n ** 60n + 1n, name: 'Rex', status: [1n], code: null, categoryId: 100n });
  expect(list.slice(4)).toEqual([7n, [[8n]]]);
  const [, one, other, same] = list.map(({ name }) => String(name));
  expect([one === same, one === other]).toEqual([true, false]);
  expect(exchange.response?.body.length).toBeLessThan(20_000);
});

test('a member that is nested very deeply leaves the rest to be read', async () => {
  const animal = `{"id":1,"x":${'['.repeat(2_500)}${']'.repeat(2_500)}}`;
  const client = await startClient((_, response) => void response.end(animal));
  expect((await client.send({ path: '/pets/1' })).json).toEqual({ id: 1n, x: [] });
});

test('a list of 100 animals with very many other fields is read as a whole', async () => {
  const others = Array.from({ length: 1_900 }, (_, index) => `"x${index}":1.5`).join();
  const list = Array.from({ length: 100 }, (_, id) => `{"id":${id},${others}}`);
  const client = await startClient((_, response) => void response.end(`[${list}]`));
  const exchange = await client.send({ path: '/pets' });
  expect([exchange.failure, exchange.json]).toEqual([undefined, list.map((_, id) => ({ id: BigInt(id) }))]);
});

test('an operation that has left three requests unanswered, not in a row, is sent no more; others are', async () => {
  let posts = 0;
  const response = { status: 200, headers: {}, body: Buffer.from('[]') };
  const target = resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowsWrites: true });
  const sendRequest: SendRequest = async ({ method }) => {
    posts += method === 'POST' ? 1 : 0;
    if (method === 'GET' || posts % 3 === 0) return { response, failure: undefined };
    return { response: undefined, failure: `${NO_ANSWER} 10000 ms` };
  };
  const client = new Client(target, { sendRequest });
  const post = () => client.send({ method: 'POST', path: '/pets?x=1' });
  for (let count = 0; count < 4; count += 1) await post();
  await expect(post()).rejects.toThrow(
    'POST /pets has left 3 requests unanswered: see errors/no-server-fault',
  );
  expect((await client.send({ path: '/pets' })).response?.status).toBe(200);
  expect(posts).toBe(4);
});

test('a request that gets 429 is sent again as often as --retries says, each time after a longer wait', async () => {
  let requests = 0;
  const target = resolveTarget({
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'k',
    allowsWrites: true,
    retries: 3,
  });
  const response = { status: 429, headers: { 'retry-after': '0' }, body: Buffer.from('') };
  const sendRequest: SendRequest = async () => {
    requests += 1;
    return { response, failure: undefined };
  };
  const startedAt = performance.now();
  await expect(new Client(target, { sendRequest }).send({ path: '/pets' })).rejects.toThrow('429');
  expect(requests).toBe(4);
  expect(performance.now() - startedAt).toBeGreaterThan(250);
});

test('a deadline ends what is sent and what waits after a 429', async () => {
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

test.for<[string, RequestListener, RegExp, number?]>([
  ['never begins', () => {}, /^no answer within 200 ms$/, 200],
  ['never ends', (_, response) => void response.writeHead(200).write('['), /^no answer within 200 ms$/, 200],
  ['is cut at once', (request) => void request.socket.destroy(), /^socket hang up$/],
  ['is not HTTP', (request) => void request.socket.end('hello\r\n\r\n'), /^Parse Error/],
])('an answer that %s does not count, and the failure says why', async ([, listener, message, timeout]) => {
  const client = await startClient(listener, timeout);
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
    ['DELETE', url, expect.any(String), '{"ä":1}'],
    ['PUT', url, 'another', '{"ä":1}'],
    ['GET', url, expect.any(String), '{"ä":1}'],
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
  // The last connection asks whether the deployment restarts.
  expect([ports.length, new Set(ports).size]).toEqual([6, 5]);
});
