import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpCases } from '../../mock/testing/cases/http-cases.ts';
import { exchangeRaw, talk } from '../../testing/exchange-raw.ts';
import { expectAnswer, send } from '../../testing/http-case.ts';
import { sampleAnimals, startTestMock } from '../../testing/start-test-mock.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';
import { MAX_CHECKED_BODY } from './carried-body.ts';

const key = ['Authorization', 'Bearer x'];

/** Headers without those that either connection has of its own, and without what the proxy adds. */
function essence(headers: readonly string[] = []): string[] {
  const own = /^(host|connection|keep-alive|transfer-encoding|content-length|date|sl-violations)$/i;
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !own.test(name) ? [`${name}: ${headers[index + 1]}`] : [],
  );
}

test('bytes, headers and statuses arrive as they were sent, both ways', async () => {
  const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,12}$/);
  const code = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code < 0x7f || code > 0xa0);
  const value = fc.string({ unit: code.map((code) => String.fromCharCode(code)) });
  const header = fc.tuple(fc.oneof(name, fc.constant('Set-Cookie')), value);
  const headers = fc.array(header, { maxLength: 6 }).map((pairs) => pairs.flat());
  const body = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
  const message = fc.record({ headers, body });
  const common = fc.constantFrom(200, 201, 301, 302, 404, 418, 501, 503, 599);
  const status = fc.oneof(common, fc.integer({ min: 205, max: 599 })).filter((code) => code !== 304);
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  const exchange = fc.record({ sent: message, answered: message, status, method, isChunked: fc.boolean() });
  let respond: RequestListener = () => {};
  let sentOn: Buffer | undefined;
  const { url, received } = await startProxyBefore(async (request, response) => {
    sentOn = await buffer(request);
    respond(request, response);
  });
  const frame = (body: Buffer, isChunked: boolean) =>
    isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
  const property = fc.asyncProperty(exchange, async ({ sent, answered, status, method, isChunked }) => {
    const headers = [...sent.headers, ...frame(sent.body, isChunked)];
    const answerHeaders = [...answered.headers, ...frame(answered.body, isChunked)];
    respond = (_request, response) => response.writeHead(status, answerHeaders).end(answered.body);
    const target = '/v1/pets/%7e%3Fa=?b=%2F';
    const got = await exchangeRaw(url, method, target, headers, sent.body);
    const request = received.at(-1);
    expect([request?.method, request?.url, sentOn]).toEqual([method, target, sent.body]);
    expect(essence(request?.rawHeaders)).toEqual(essence(sent.headers));
    expect([got.status, got.body]).toEqual([status, answered.body]);
    expect(essence(got.headers)).toEqual(essence(answered.headers));
  });
  await fc.assert(property);
});

test.for([
  ['OPTIONS', []],
  ['DELETE', []],
  ['POST', ['Content-Length', '0']],
] as const)('%s without a body and a length goes on with %j', async ([method, framing]) => {
  const { url, upstream, received } = await startProxyBefore(answerJson());
  await talk(url, `${method} /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const headers = ['Host', new URL(upstream).host, ...framing, 'Connection', 'keep-alive'];
  expect(received).toMatchObject([{ rawHeaders: headers }]);
});

test.for(['__proto__', 'constructor', 'hasOwnProperty'])('a header named %s passes', async (name) => {
  const { url, received, exchanges } = await startProxyBefore((_request, response) => {
    response.writeHead(200, ['Content-Type', 'application/json', name, 'x']).end('[]');
  });
  const answer = await exchangeRaw(url, 'GET', '/v1/pets', [...key, name, 'x']);
  expect(essence(received[0]?.rawHeaders)).toContain(`${name}: x`);
  expect(essence(answer.headers)).toContain(`${name}: x`);
  expect(exchanges).toMatchObject([{ violations: [] }]);
});

test('an Expect header passes, and bytes next to it', async () => {
  const { url, received } = await startProxyBefore(answerJson());
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n';
  await talk(url, `${head}X-Name: Zo\xeb\r\nContent-Length: 2\r\n\r\n{}`);
  expect(essence(received[0]?.rawHeaders)).toEqual(['Expect: 100-continue', 'X-Name: Zo\xeb']);
});

test.for([
  ['events', 'text/event-stream', 9],
  ['a body that is too large to be checked', 'text/plain', 2 * MAX_CHECKED_BODY],
  ['an answer that waits for its turn', 'text/plain', 9],
] as const)('a header that is not ASCII arrives as it was sent: %s', async ([, type, size]) => {
  const { url } = await startProxyBefore(({ method }, response) => {
    const answer = () =>
      response.writeHead(200, { 'Content-Type': type, 'X-Name': 'Zo\xeb' }).end('x'.repeat(size));
    if (method === 'HEAD') setTimeout(answer, 100);
    else answer();
  });
  const print = (method: string, connection: string) =>
    `${method} /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  const answers = await talk(url, print('HEAD', 'keep-alive') + print('GET', 'close'), 'latin1');
  expect(answers.match(/(?<=^X-Name: ).*(?=\r)/gm)).toEqual(['Zo\xeb', 'Zo\xeb']);
});

test('trailers pass both ways', async () => {
  const { url, received } = await startProxyBefore(async (request, response) => {
    await buffer(request);
    response.writeHead(200, { Trailer: 'X-Sum' }).write('abc');
    response.addTrailers([['X-Sum', 'Down']]);
    response.end();
  });
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTrailer: X-Sum\r\n';
  const answer = await talk(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: Up\r\n\r\n`);
  expect(received).toMatchObject([{ rawTrailers: ['X-Sum', 'Up'] }]);
  expect(answer).toMatch(/\r\n3\r\nabc\r\n0\r\nX-Sum: Down\r\n\r\n$/);
});

test.for([
  ['a length', 'Content-Length: 2\r\n\r\n{}', { 'Content-Length': 2 }, 200],
  ['no body', '\r\n', {}, 304],
] as const)('messages with a Trailer and %s pass', async ([, end, framing, status]) => {
  const { url, received } = await startProxyBefore((request, response) => {
    request.resume();
    // Node itself would refuse to write it.
    const head = `HTTP/1.1 ${status} OK\r\nTrailer: X-Sum\r\nConnection: close\r\n`;
    const length = Object.entries(framing).map(([name, value]) => `${name}: ${value}\r\n`);
    response.socket?.end(`${head}${length.join('')}\r\n${length.length > 0 ? '[]' : ''}`);
  });
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTrailer: X-Sum\r\n';
  expect(await talk(url, `${head}${end}`)).toMatch(new RegExp(`^HTTP/1.1 ${status} OK`));
  expect(received).toHaveLength(1);
});

test.each(['Connection', 'Proxy-Connection'])(
  'a trailer named %s stays with its own client',
  async (name) => {
    const { url, received } = await startProxyBefore(async (request, response) => {
      await buffer(request);
      response.writeHead(200, { Trailer: name }).write('abc');
      response.addTrailers([[name, 'close']]);
      response.end();
    });
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n';
    const first = `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${name}: close\r\n\r\n`;
    const second = `${head}Connection: close\r\nContent-Length: 1\r\n\r\nb`;
    const answers = [
      await talk(url, first.replace('Host', 'Connection: close\r\nHost')),
      await talk(url, second),
    ];
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 200 .*\r\n3\r\nabc\r\n0\r\n\r\n$/s);
    expect(received.map(({ rawTrailers }) => rawTrailers)).toEqual([[], []]);
  },
);

test('trailers of an answer are left out for a client of HTTP/1.0', async () => {
  const { url } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' }).write('abc');
    response.addTrailers([['X-Sum', 'Down']]);
    response.end();
  });
  expect(await talk(url, 'GET /v1/pets HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK.*\r\n\r\nabc$/s);
});

test('a compressed body passes unchanged and is checked decoded', async () => {
  const body = gzipSync('[{"id":1}]');
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const { url, exchanges } = await startProxyBefore((_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  const answer = await exchangeRaw(url, 'GET', '/v1/pets', key);
  expect(answer.body).toEqual(body);
  const missing = { location: ['response', 'body', '0'], code: 'required' };
  expect(exchanges).toMatchObject([{ violations: [missing, missing] }]);
});

const manyValues = Buffer.from(`[${Array(15_000).fill('1e399').join()}]`);

const large = Buffer.alloc(MAX_CHECKED_BODY * 3, 'x');

test.for([
  ['large', false, large],
  ['large', true, large],
  ['full of values', false, manyValues],
  ['full of values', true, manyValues],
] as const)('bodies too %s to be checked pass and are counted, with errors: %s', async ([, errors, sent]) => {
  const echo: RequestListener = async (request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(await buffer(request));
  };
  const { url, exchanges } = await startProxyBefore(echo, { errors });
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(sent.length), ...key];
  const answer = await exchangeRaw(url, 'POST', '/v1/pets', headers, sent);
  expect(answer.body.equals(sent)).toBe(true);
  const unjudged = { body: undefined };
  expect(exchanges).toMatchObject([{ request: unjudged, response: unjudged, violations: [] }]);
});

test.for(['/v1', '/v1/', '/animal/store/v1'])('the base path %s is the upstream’s', async (path) => {
  const { upstream, received } = await startProxyBefore(answerJson());
  const { url, exchanges } = await startTestProxy(upstream.replace('/v1', path));
  await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer x' } });
  expect(received).toMatchObject([{ url: `${path.replace(/\/$/, '')}/pets` }]);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});

test.for(httpCases)('through the proxy: $title', async ({ options, request, answer }) => {
  const mock = await startTestMock({ data: sampleAnimals, ...options });
  const { url, exchanges } = await startTestProxy(mock.url, { allPaths: true });
  expectAnswer(await send(url, request), request.method, answer);
  // A clamped limit is answered with a list, and breaks the contract all the same.
  const isConforming =
    answer.status < 300 && request.path.startsWith('/v1/') && options?.limitPolicy === undefined;
  const errors = exchanges[0]?.violations.filter(({ severity }) => severity === 'error');
  if (isConforming) expect(errors).toEqual([]);
});
