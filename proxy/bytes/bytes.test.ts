import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCheckedBody, LARGEST_CHECKED_BODY } from '../../common/http/decode-checked-body.ts';
import { exchangeRaw, talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, startRawUpstream } from '../testing/start-upstream.ts';
import { pairsOf } from './raw-headers.ts';

const key = ['Authorization', 'Bearer x'];

/** Returns the headers that the proxy must not change. */
function withoutOwn(headers: readonly string[] = []): string[] {
  const own = /^(host|connection|keep-alive|transfer-encoding|content-length|date)$/i;
  return pairsOf(headers).flatMap(([name, value]) => (own.test(name) ? [] : [`${name}: ${value}`]));
}

test('bytes, headers and statuses arrive as they were sent, both ways', async () => {
  const inherited = fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'Set-Cookie');
  const name = fc.oneof(fc.stringMatching(/^X-[A-Za-z0-9-]{1,12}$/), inherited);
  const code = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code < 0x7f || code > 0xa0);
  const value = fc.string({ unit: code.map((code) => String.fromCharCode(code)) });
  const headers = fc.array(fc.tuple(name, value), { maxLength: 6 }).map((pairs) => pairs.flat());
  const body = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
  const message = fc.record({ headers, body, isChunked: fc.boolean() });
  const status = fc.integer({ min: 200, max: 599 }).filter((code) => ![204, 304].includes(code));
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  let respond: RequestListener = () => {};
  let sentOn: Buffer | undefined;
  const { url, received } = await startProxyBefore(async (request, response) => {
    sentOn = await buffer(request);
    respond(request, response);
  });
  const frame = ({ headers, body, isChunked }: { headers: string[]; body: Buffer; isChunked: boolean }) =>
    headers.concat(isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${body.length}`]);
  const exchange = fc.record({ sent: message, answered: message, status, method });
  const property = fc.asyncProperty(exchange, async ({ sent, answered, status, method }) => {
    respond = (_request, response) => response.writeHead(status, frame(answered)).end(answered.body);
    const target = '/v1/pets/%7e%3Fa=?b=%2F';
    const got = await exchangeRaw(url, method, target, frame(sent), sent.body);
    const request = received.at(-1);
    expect([request?.method, request?.url, sentOn]).toEqual([method, target, sent.body]);
    expect(withoutOwn(request?.rawHeaders)).toEqual(withoutOwn(sent.headers));
    expect([got.status, got.body]).toEqual([status, answered.body]);
    expect(withoutOwn(got.headers)).toEqual(withoutOwn(answered.headers));
  });
  await fc.assert(property);
});

test.for([
  ['OPTIONS', []],
  ['DELETE', []],
  ['POST', ['Content-Length', '0']],
] as const)('%s without a body and a length is forwarded with %j', async ([method, framing]) => {
  const { url, upstream, received } = await startProxyBefore(answerJson());
  await talk(url, printRequest(`${method} /v1/pets`));
  const headers = ['Host', new URL(upstream).host, ...framing, 'Connection', 'keep-alive'];
  expect(received).toMatchObject([{ rawHeaders: headers }]);
});

test('more headers than Node reads by default arrive, both ways', async () => {
  const many = Array.from({ length: 1_100 }, (_, index) => `h${index}: 1`);
  const answered = ['HTTP/1.1 200 OK', ...many, `X-Long: ${'x'.repeat(20_000)}`, 'Connection: close', '', ''];
  const upstream = await startRawUpstream((socket) => void socket.end(answered.join('\r\n')));
  const { url, exchanges } = await startTestProxy(upstream);
  const answer = await talk(url, printRequest('GET /v1/pets', [...many, 'Connection: close']));
  expect(withoutOwn(exchanges[0]?.request.rawHeaders)).toEqual(many);
  expect(answer).toContain(answered.slice(0, -3).join('\r\n'));
});

test('headers of a connection stay on it, such as credentials for a proxy', async () => {
  const named = ['Connection', 'X-Own', 'X-Own', '1', 'X-Kept', '2'];
  const { url, received } = await startProxyBefore((_request, response) => {
    response.writeHead(200, [...named, 'Proxy-Authenticate', 'Basic']).end();
  });
  const sent = [...named, 'TE', 'trailers', 'Proxy-Connection', 'close', 'Proxy-Authorization', 'Basic eA=='];
  const answer = await exchangeRaw(url, 'GET', '/v1/pets', sent);
  for (const { rawHeaders } of [...received, { rawHeaders: answer.headers }])
    expect(withoutOwn(rawHeaders)).toEqual(['X-Kept: 2']);
});

test('a request with the transfer coding gzip is a 501, and the next one is forwarded', async () => {
  const { url, received, exchanges } = await startProxyBefore(answerJson());
  const headers = ['Authorization: Bearer x', 'Transfer-Encoding: gzip, chunked'];
  const coded = printRequest('POST /v1/pets', headers, '1\r\nx\r\n0\r\n\r\n');
  const answers = await talk(url, coded + printRequest('GET /v1/pets'));
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['501', '200']);
  expect(received.map(({ method }) => method)).toEqual(['GET']);
  expect(exchanges[0]).toMatchObject({ response: undefined, refusal: { code: 'not_implemented' } });
  // Nobody could check its body.
  expect(exchanges[0]?.violations.map(({ rule }) => rule)).toContain('unchecked-body');
});

const list = '[{"id":1}]';

test.for([
  ['gzip', gzipSync(list)],
  ['br', brotliCompressSync(list)],
  ['zstd', zstdCompressSync(list)],
  // Some servers send deflate without zlib.
  ['deflate', deflateRawSync(list)],
  ['deflate, GZIP', gzipSync(deflateSync(list))],
] as const)('a body in %s passes unchanged and is checked decoded', async ([coding, body]) => {
  const { url, readFindings } = await startProxyBefore(answerJson(body, { 'Content-Encoding': coding }));
  expect(await exchangeRaw(url, 'GET', '/v1/pets', key)).toMatchObject({ body });
  const places = readFindings().violations.map(({ place }) => place);
  expect(places).toEqual(['response.body.*.name', 'response.body.*.categoryId']);
});

test('the largest list of the contract is checked, in whatever spelling', () => {
  const name = '\\u0001'.repeat(65_536);
  const animal = `{"id":9223372036854775807,"name":"${name}","categoryId":9223372036854775807,"status":"available"}`;
  const list = Buffer.from(`[${Array(100).fill(animal).join()}]`);
  expect(decodeCheckedBody(list, { 'content-type': 'application/json' }).unchecked).toBe(undefined);
});

test('a page has no JSON values, whatever signs it has', () => {
  const page = Buffer.from('a,'.repeat(15_000));
  expect(decodeCheckedBody(page, { 'content-type': 'text/html' }).unchecked).toBe(undefined);
});

test.for([
  ['is too large when decoded', 'gzip', gzipSync(Buffer.alloc(LARGEST_CHECKED_BODY + 1)), { reason: 'size' }],
  ['has too many values', '', Buffer.from(`[${Array(15_000).fill('1e399').join()}]`), { reason: 'values' }],
  ['has an unknown coding', 'gzip, x', gzipSync('[]'), { reason: 'unknown coding', coding: 'x' }],
  ['has many codings', 'gzip, gzip, gzip, gzip', Buffer.from('[]'), { reason: 'many codings' }],
  ['is not in its coding', 'gzip', Buffer.from('[]'), { reason: 'wrong coding', coding: 'gzip', size: 2 }],
  ...(['br', 'zstd', 'deflate'] as const).map((coding) => {
    const encode = { br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync }[coding];
    const twice = Buffer.concat([encode('[]'), encode('[7]')]);
    return ['has bytes after its coding', coding, twice, { reason: 'wrong coding', coding }] as const;
  }),
] as const)('a body that %s passes, and says why it is not checked', async ([, coding, sent, unchecked]) => {
  const headers = ['Content-Type', 'application/json', 'Content-Encoding', coding, 'X-Name', 'Zo\xeb'];
  const echo: RequestListener = async (request, response) => {
    response.writeHead(201, headers).end(await buffer(request));
  };
  const { url, exchanges } = await startProxyBefore(echo);
  const all = [...headers, 'Content-Length', String(sent.length), ...key];
  const answer = await exchangeRaw(url, 'POST', '/v1/pets', all, sent);
  expect(answer.body.equals(sent)).toBe(true);
  expect(answer.headers).toEqual(expect.arrayContaining(['X-Name', 'Zo\xeb']));
  const message = { body: undefined, unchecked };
  const violations = ['request', 'response'].map((side) => ({
    place: `${side}.body`,
    rule: 'unchecked-body',
  }));
  expect(exchanges).toMatchObject([{ request: message, response: message, violations }]);
});

test.for(['/v1', '/v1/', '/animal/store/v1'])('the base path %s is the upstream’s', async (path) => {
  const { upstream, received } = await startProxyBefore(answerJson());
  const { url, exchanges } = await startTestProxy(upstream.replace('/v1', path));
  await exchangeRaw(url, 'GET', `${new URL(url).pathname}/pets`, key);
  expect(received).toMatchObject([{ url: `${path.replace(/\/$/, '')}/pets` }]);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});
