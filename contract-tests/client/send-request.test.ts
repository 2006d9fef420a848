import { createServer, type RequestListener } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { listen } from '../../tools/testing/listen.ts';
import { createTarget } from '../testing/run-suite.ts';
import { Client, createDeadline } from './client.ts';
import type { SuiteRequest } from './exchange.ts';
import { createSendRequest, LONGEST_BODY, toSent } from './send-request.ts';

async function startClient(listener: RequestListener, timeout = 5_000, interruption?: AbortSignal) {
  const target = createTarget({ baseUrl: `${await listen(createServer(listener))}/v1`, timeout });
  return new Client(target, { signal: createDeadline(target, interruption), patience: 0 });
}

const list = '[{"id":1}]';
const zeros = Buffer.alloc(LONGEST_BODY + 1);
const zipped = gzipSync(zeros);
const isCut = `body too long: the body was cut after ${LONGEST_BODY} bytes`;
const surplus = 'body: the body is longer than its Content-Length of 10 bytes';
const asked = (coding: string) =>
  `body: the body is in the Content-Encoding ${coding}, which the suite did not ask for`;
const unasked = asked('zstd');
const [chunked, close, tenBytes] = ['Transfer-Encoding: chunked', 'Connection: close', 'Content-Length: 10'];
const late = 'timeout: no answer within 200 ms';

const encode = (coding: string, sent: string | Buffer): RequestListener => {
  return (_, response) => void response.writeHead(200, { 'Content-Encoding': coding }).end(sent);
};

const sendRaw = (...lines: string[]): RequestListener => {
  return ({ socket }) => void socket.end(['HTTP/1.1 200 OK', ...lines].join('\r\n'));
};

type Row = [
  what: string,
  listener: RequestListener,
  body?: string | undefined,
  failure?: string,
  timeout?: number,
];

test.for<Row>([
  ['in gzip', encode('gzip', gzipSync(list)), list],
  ['in raw deflate', encode('deflate', deflateRawSync(list)), list],
  ['in three codings', encode('br, deflate, gzip', gzipSync(deflateSync(brotliCompressSync(list)))), list],
  ['in gzip, but empty', encode('gzip', ''), ''],
  ['in an unknown coding', encode('rot13', list), list],
  ['in x-gzip', encode('X-GZIP', gzipSync(list)), list],
  ['in zstd', encode('zstd', list), list, unasked],
  ...['aes128gcm', 'compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'x-compress'].map(
    (coding): Row => [`in ${coding}`, encode(coding, list), list, asked(coding)],
  ),
  ['in zstd, then gzip', encode('zstd, GZIP', gzipSync(list)), String(gzipSync(list)), unasked],
  ['in zstd, but empty', encode('zstd', ''), ''],
  ['not in gzip', encode('gzip', list), list, 'body: the body is not in the Content-Encoding gzip'],
  ['not in deflate', encode('deflate', list), list, 'body: the body is not in the Content-Encoding deflate'],
  [
    'in four codings',
    encode('gzip, gzip, gzip, gzip', list),
    list,
    'body: the body has 4 content codings, more than 3',
  ],
  ['cut', sendRaw('Content-Length: 12', '', list), list, 'body ended: the body ended after 10 of 12 bytes'],
  ['cut in chunks', sendRaw(chunked, '', 'a', list, ''), list, 'body ended: the body ended after 10 bytes'],
  ['longer than announced', sendRaw(tenBytes, '', `${list}[1]`), list, surplus],
  ['longer before a close', sendRaw(close, tenBytes, '', `${list}[1]`), list, surplus],
  [
    'longer than its chunks',
    sendRaw(chunked, '', 'a', list, '0', '', '[1]'),
    list,
    'body: the body is longer than announced',
  ],
  [
    'with a length and in chunks',
    sendRaw(tenBytes, chunked, '', 'a', list, '0', '', ''),
    list,
    'message: the response has both a Content-Length and a Transfer-Encoding',
  ],
  ['and a line break', sendRaw(close, tenBytes, '', `${list}\r\n`), list],
  ['too long', encode('identity', zeros), String(zeros.subarray(0, 4096)), isCut],
  ['too long in gzip', encode('gzip', zipped), String(zipped), isCut],
  ['that never begins', () => {}, undefined, late, 200],
  ['that never ends', (_, response) => void response.writeHead(200).write('['), undefined, late, 200],
  ['that is cut at once', ({ socket }) => void socket.destroy(), undefined, 'cut: socket hang up'],
  [
    'that is not HTTP',
    ({ socket }) => void socket.end('hello\r\n\r\n'),
    undefined,
    'message: Parse Error: Expected HTTP/, RTSP/ or ICE/',
  ],
])('of a body %s the received part is kept', async ([, listener, body, failure, timeout]) => {
  const exchange = await (await startClient(listener, timeout)).send({ path: '/pets' });
  expect(exchange.response?.body.toString()).toBe(body);
  expect(exchange.failure && `${exchange.failure.kind}: ${exchange.failure.reason}`).toBe(failure);
  expect(exchange.json !== undefined).toBe(failure === undefined && body !== '');
});

test('a request has a trace id of its own, which its exchange names', async () => {
  const received: unknown[] = [];
  const client = await startClient(({ headers }, response) => {
    received.push(headers.traceparent);
    response.end('[]');
  });
  const exchanges = [await client.send({ path: '/pets' }), await client.send({ path: '/pets' })];
  const ids = exchanges.map(({ traceId }) => traceId);
  expect(new Set(ids).size).toBe(2);
  for (const [index, id] of ids.entries())
    expect(received[index]).toMatch(RegExp(`^00-${id}-(?!0{16})[\\da-f]{16}-01$`));
  expect(ids[0]).toMatch(/^[\da-f]{32}$/);
});

test('a refused connection is no response', async () => {
  const send = createSendRequest(createTarget({ baseUrl: 'http://127.0.0.1:9/v1' }));
  const request = {
    method: 'GET',
    base: 'http://127.0.0.1:9/v1',
    path: '/pets',
    headers: {},
    body: undefined,
  };
  expect(await send(request)).toMatchObject({
    response: undefined,
    failure: { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' },
  });
});

test.for<[what: string, request: Partial<SuiteRequest>, path: string, headers: object]>([
  ['a GET', {}, '/pets', {}],
  ['a body', { body: 'ä' }, '/pets', { 'Content-Length': '2' }],
  ['an empty body', { body: '' }, '/pets', { 'Content-Length': '0' }],
  [
    'a body in chunks',
    { body: 'a', headers: { 'Transfer-Encoding': 'chunked' } },
    '/pets',
    { 'Transfer-Encoding': 'chunked' },
  ],
  [
    'headers beyond ASCII',
    { headers: { 'X-One': 'zoë', 'X-Two': 'Ā' } },
    '/pets',
    { 'X-One': 'zoë', 'X-Two': '\u00c4\u0080' },
  ],
  [
    'empty headers that are usual otherwise',
    { headers: { Accept: '', 'X-One': '' } },
    '/pets',
    { Accept: undefined, 'X-One': '' },
  ],
  ['half a surrogate pair', { path: '/pets/\ud800 {x}"<' }, '/pets/%EF%BF%BD%20{x}"<', {}],
])('as HTTP carries it, a request with %s', ([, request, path, headers]) => {
  const all = { method: 'GET', base: '', path: '/pets', headers: {}, body: undefined, ...request };
  expect(toSent(all)).toEqual({
    path,
    headers: { Accept: '*/*', 'Accept-Encoding': 'gzip, deflate, br', ...headers },
  });
});

test('of two Content-Type headers both are kept', async () => {
  const client = await startClient(sendRaw(close, 'Content-Type: a/b', 'Content-Type: c/d', '', list));
  const { response } = await client.send({ path: '/pets' });
  expect(response?.headers['content-type']).toBe('a/b, c/d');
});

test('a body in two parts arrives as two, of which the first ends within a character', async () => {
  const received: Buffer[] = [];
  const client = await startClient(async (request, response) => {
    for await (const part of request) received.push(part);
    response.end('[]');
  });
  await client.send({ method: 'POST', path: '/pets', body: 'Zo\u00eb \u00eb', isInTwoParts: true });
  expect(received).toEqual([Buffer.from([0x5a, 0x6f, 0xc3]), Buffer.from([0xab, 0x20, 0xc3, 0xab])]);
});

test('a body in Latin-1 is sent as its bytes', async () => {
  const received: Buffer[] = [];
  const client = await startClient(async (request, response) => {
    received.push(await buffer(request));
    response.end('[]');
  });
  await client.send({ method: 'POST', path: '/pets', body: 'caf\u00e9', encoding: 'latin1' });
  expect(received).toEqual([Buffer.from([0x63, 0x61, 0x66, 0xe9])]);
});

test.for([
  ['[1]{}', /^Unexpected non-whitespace character after JSON at position 3/],
  ['[1', /^Expected ',' or '\]' after array element in JSON at position 2/],
  ['[1]', undefined],
  ['hello test-key', /^Unexpected token 'h'$/],
  [Buffer.of(0x22, 0xff, 0x22), /^It is not UTF-8$/],
] as const)('why the body %j is no JSON is said without what it has: %s', async ([body, why]) => {
  const client = await startClient((_, response) => void response.end(body));
  const { noJson } = await client.send({ path: '/pets' });
  expect(noJson).toEqual(why && expect.stringMatching(why));
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
  const agent = { 'user-agent': 'another' };
  const [path, body] = ['/pets/../1?name=ä b', '{"ä":1}'];
  for (const options of [{ method: 'DELETE' }, { method: 'GET', headers: agent }]) {
    const { response } = await client.send({ path, body, ...options });
    expect(response).toMatchObject({ status: 302, headers: { 'set-cookie': 'a=1, b=2' } });
  }
  const url = '/v1/pets/../1?name=%C3%A4%20b';
  const own = expect.stringMatching(/^animal-store-verify\/\d+\.\d+\.\d+ \(run [\da-z]{8}\)$/);
  const asGet = ['GET', url, 'another', body];
  expect(received).toEqual([['DELETE', url, own, body], asGet]);
});

test('a connection that is closed as it is used again is replaced once, and then each request has its own', async () => {
  const ports: (number | undefined)[] = [];
  const client = await startClient((request, response) => {
    const isUsed = ports.includes(request.socket.remotePort);
    ports.push(request.socket.remotePort);
    if (isUsed || ports.length > 4) request.socket.destroy();
    else response.end('[]');
  });
  const failures: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { failure } = await client.send({ path: '/pets' });
    failures.push(failure?.reason ?? 'none');
  }
  expect(failures).toEqual(['none', 'none', 'none', 'socket hang up']);
  expect([ports.length, new Set(ports).size]).toEqual([5, 4]);
});

const failures = { POST: /^(?:socket hang up|read ECONNRESET)$/, GET: /ECONNREFUSED/ };

test.for(Object.entries(failures))('a %s during a stop is reported as cut', async ([method, failure]) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 1) return void response.end('[]');
    server.close();
    request.socket.destroy();
  });
  const baseUrl = `${await listen(server)}/v1`;
  const send = createSendRequest(createTarget({ baseUrl }));
  const request = { base: baseUrl, path: '/pets', headers: {}, body: undefined };
  await send({ ...request, method: 'GET' });
  expect((await send({ ...request, method })).failure?.reason).toMatch(failure);
});

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
