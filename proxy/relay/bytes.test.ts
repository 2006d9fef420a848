import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, exchangeRaw, type Handler, startUpstream } from '../testing/start-upstream.ts';
import { talk } from '../testing/talk.ts';
import { JUDGED_LIMIT } from './carried-body.ts';

const key = ['Authorization', 'Bearer x'];

/** Headers without those that either connection has of its own, and without what the proxy adds. */
function essence(headers: readonly string[] = []): string[] {
  const own = /^(host|connection|keep-alive|transfer-encoding|content-length|date|sl-violations)$/i;
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !own.test(name) ? [`${name}: ${headers[index + 1]}`] : [],
  );
}

/** Starts a proxy before an upstream that keeps the raw headers of the last request. */
async function startHeaderKeeper() {
  const seen: { headers: readonly string[] } = { headers: [] };
  const proxy = await startProxyBefore((request, response) => {
    seen.headers = request.rawHeaders;
    response.end();
  });
  return { ...proxy, seen };
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
  let seen: unknown[] = [];
  let seenHeaders: readonly string[] = [];
  let answer = { status: 200, headers: [] as string[], body: Buffer.alloc(0) };
  const { url } = await startProxyBefore(async (request, response) => {
    seen = [request.method, request.url, await buffer(request)];
    seenHeaders = request.rawHeaders;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const frame = (body: Buffer, isChunked: boolean) =>
    isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
  const property = fc.asyncProperty(exchange, async ({ sent, answered, status, method, isChunked }) => {
    answer = {
      status,
      headers: [...answered.headers, ...frame(answered.body, isChunked)],
      body: answered.body,
    };
    const headers = [...sent.headers, ...frame(sent.body, isChunked)];
    const got = await exchangeRaw(`${url}/pets/%7e%3Fa=%2F`, method, headers, sent.body);
    expect(seen).toEqual([method, '/v1/pets/%7e%3Fa=%2F', sent.body]);
    expect(essence(seenHeaders)).toEqual(essence(sent.headers));
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
  const { url, upstream, seen } = await startHeaderKeeper();
  await talk(url, `${method} /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(seen.headers).toEqual(['Host', new URL(upstream).host, ...framing, 'Connection', 'keep-alive']);
});

test.for(['__proto__', 'constructor', 'hasOwnProperty'])('a header named %s passes', async (name) => {
  let seen: readonly string[] = [];
  const { url, exchanges } = await startProxyBefore((request, response) => {
    seen = request.rawHeaders;
    response.writeHead(200, ['Content-Type', 'application/json', name, 'x']).end('[]');
  });
  const answer = await exchangeRaw(`${url}/pets`, 'GET', [...key, name, 'x']);
  expect(essence(seen)).toContain(`${name}: x`);
  expect(essence(answer.headers)).toContain(`${name}: x`);
  expect(exchanges).toMatchObject([{ violations: [] }]);
});

test('an expectation passes, and so do bytes beside it', async () => {
  const { url, seen } = await startHeaderKeeper();
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n';
  await talk(url, `${head}X-Name: Zo\xeb\r\nContent-Length: 2\r\n\r\n{}`);
  expect(essence(seen.headers)).toEqual(['Expect: 100-continue', 'X-Name: Zo\xeb']);
});

test('trailers pass both ways', async () => {
  let seen: readonly string[] = [];
  const { url } = await startProxyBefore(async (request, response) => {
    await buffer(request);
    seen = request.rawTrailers;
    response.writeHead(200, { Trailer: 'X-Sum' }).write('abc');
    response.addTrailers([['X-Sum', 'Down']]);
    response.end();
  });
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTrailer: X-Sum\r\n';
  const answer = await talk(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: Up\r\n\r\n`);
  expect(seen).toEqual(['X-Sum', 'Up']);
  expect(answer).toMatch(/\r\n3\r\nabc\r\n0\r\nX-Sum: Down\r\n\r\n$/);
});

test('a compressed body passes as it is and is judged decoded', async () => {
  const body = gzipSync('[{"id":1}]');
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const { url, exchanges } = await startProxyBefore((_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  const answer = await exchangeRaw(`${url}/pets`, 'GET', key);
  expect(answer.body).toEqual(body);
  const missing = { location: ['response', 'body', '0'], code: 'required' };
  expect(exchanges).toMatchObject([{ violations: [missing, missing] }]);
});

test.for([false, true])('bodies too large to be judged pass, with errors: %s', async (errors) => {
  const large = Buffer.alloc(JUDGED_LIMIT * 3, 'x');
  const echo: Handler = async (request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(await buffer(request));
  };
  const { url, exchanges } = await startProxyBefore(echo, { errors });
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(large.length), ...key];
  const answer = await exchangeRaw(`${url}/pets`, 'POST', headers, large);
  expect(answer.body.equals(large)).toBe(true);
  expect(exchanges).toMatchObject([{ violations: [] }]);
});

test.for(['/v1', '/v1/', '/animal/store/v1'])('the base path %s is the upstream’s', async (path) => {
  const paths: (string | undefined)[] = [];
  const upstream = await startUpstream((request, response) => {
    paths.push(request.url);
    answerJson()(request, response);
  });
  const { url, exchanges } = await startTestProxy(upstream.replace('/v1', path));
  await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer x' } });
  expect(paths).toEqual([`${path.replace(/\/$/, '')}/pets`]);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});
