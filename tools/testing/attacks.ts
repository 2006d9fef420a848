import { gzipSync } from 'node:zlib';
import {
  animal,
  chunked,
  chunkedAnimal,
  one,
  printFramed,
  printGet,
  printPost,
  printRequest,
} from '../bench/print-request.ts';

/** A request that is malformed, or that few clients send, and what must come back. */
interface Attack {
  readonly title: string;
  /** Each character is a byte. */
  readonly bytes: string;
  /** The required answer of the mock, printed as an `Outcome`. */
  readonly mock: string;
  /** The same through the proxy, which adds a missing Host and takes away what a Connection header names. */
  readonly proxy: string;
}

/** Names that every object inherits. */
const inheritedNames = '__proto__ constructor toString'.split(' ');

/** Percent-encoding that is broken, or decodes to something surprising. */
const escapes = '% %zz %00 %ff %ed%a0%80 %2f %2e%2e'.split(' ');
const expectations = ['100-continue', 'miracles', '', '\xff'];
const connections = ['content-length', 'transfer-encoding', 'upgrade', '__proto__', ',,,', 'a, connection'];

/** Requests that clients make. */
export const validRequests: readonly string[] = [
  one,
  printGet('/v1/pets?limit=3&status=sold'),
  printRequest('HEAD /v1/pets HTTP/1.1'),
  printPost(animal),
  printFramed(chunkedAnimal, chunked),
];

/** Requests with a place for a value that does not belong there. */
export const templates = {
  'request line': (line) => printRequest(line),
  method: (method) => printRequest(`${method} /v1/pets/1 HTTP/1.1`),
  CONNECT: (target) => printRequest(`CONNECT ${target} HTTP/1.1`),
  OPTIONS: (target) => printRequest(`OPTIONS ${target} HTTP/1.1`),
  target: (target) => printGet(target),
  path: (text) => printGet(`/v1/pets/${text}`),
  limit: (text) => printGet(`/v1/pets?limit=${text}`),
  'target without a key': (target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'header line': (line) => printGet('/v1/pets', line, 'Y: z'),
  Upgrade: (protocol) => printGet('/v1/pets', 'Connection: Upgrade', `Upgrade: ${protocol}`),
  'Upgrade with a body': (protocol) => printPost(animal, 'Connection: Upgrade', `Upgrade: ${protocol}`),
  Expect: (expectation) => printGet('/v1/pets', `Expect: ${expectation}`),
  'Expect with a body': (expectation) => printPost(animal, `Expect: ${expectation}`),
  Authorization: (value) => one.replace('Bearer test-key', () => value),
  Host: (host) => one.replace('Host: localhost', () => `Host: ${host}`),
  Connection: (names) => printPost(animal, `Connection: ${names}`),
  'Connection with chunks': (names) => printFramed(chunkedAnimal, chunked, `Connection: ${names}`),
  'Connection with the body of a GET': (names) =>
    `${printGet('/v1/pets', 'Content-Length: 2', `Connection: ${names}`)}{}`,
  'Content-Length': (length) => printFramed(animal, `Content-Length: ${length}`),
  'Transfer-Encoding': (coding) => printFramed(chunkedAnimal, `Transfer-Encoding: ${coding}`),
  chunks: (chunks) => printFramed(chunks, chunked),
  trailer: (line) => printFramed(`${chunkedAnimal.slice(0, -2)}${line}\r\n\r\n`, chunked),
  Trailer: (names) => printFramed(`${chunkedAnimal.slice(0, -2)}X: y\r\n\r\n`, chunked, `Trailer: ${names}`),
  preflight: (method) =>
    printRequest('OPTIONS /v1/pets HTTP/1.1', ['Origin: x', `Access-Control-Request-Method: ${method}`]),
  JSON: (body) => printPost(body),
  name: (name) => printPost(`{"name":"${name}","categoryId":1}`),
  'Content-Type': (type) => printPost(animal).replace('application/json', () => type),
  'Content-Encoding': (codings) => printPost(animal, `Content-Encoding: ${codings}`),
  'path of a POST': (target) => printPost(animal).replace('/v1/pets', () => target),
} as const satisfies Record<string, (value: string) => string>;

/** Values for the templates by what must come back; ` | ` is between the mock and the proxy, where they differ. */
const values: readonly (readonly [keyof typeof templates, answers: string, values: readonly string[]])[] = [
  ['request line', '400 close', ['hello', 'GET / HTTP/9.9', 'GET / HTTP/1.1 more', 'GET /v1/ pets HTTP/1.1']],
  ['request line', '200', ['GET  /v1/pets HTTP/1.1', '\r\n\r\nGET /v1/pets HTTP/1.1']],
  ['request line', '200 close', ['GET /v1/pets', 'GET /v1/pets/1 HTTP/1.0']],
  ['method', '405', 'POST DELETE OPTIONS TRACE QUERY'.split(' ')],
  ['CONNECT', '405 close', ['example.org:443', '/', '[']],
  ['OPTIONS', '404', ['*', '*/v1/pets', 'foo://bar', 'http://example.org']],
  ['target', '400 close', ['http:/v1/pets', 'foo:bar', '://', '?', '#', '/\xc3\xa9', '/\0']],
  ['target', '200', ['HTTP://x/v1/pets', 'http://[::1/v1/pets', 'ftp://x/v1/pets', '/v1/pets#limit=1']],
  ['target', '200', ['/v1/pets?__proto__=1', '/v1/pets?%zz=1', `/v1/pets?${'x'.repeat(9_000)}`]],
  ['target', '404', ['//a@[b#', '//a@b:999999#', '//2#a@b}', '/v1\\pets#', '/#']],
  ['target', '404', ['/', '*', '//v1/pets', '/\\v1\\pets', '/v1/../v1/pets', 'http://x?limit=1']],
  ['path', '404', [...escapes, ...inheritedNames]],
  ['limit', '400', [...escapes, ...inheritedNames]],
  ['target without a key', '401', ['http://x.org/v1/pets', '/v1/pets']],
  ['header line', '400 close', ['no colon', 'bad name: x', 'name : x', ' folded', 'X: a\rb', 'X: a\nb']],
  ['header line', '200 400 close', ['']],
  ['header line', '200', ['X: \xff', ...inheritedNames.map((name) => `${name}: ${name}`)]],
  ['Upgrade', '200', ['websocket', '']],
  ['Upgrade with a body', '201', ['websocket', 'h2c', '', 'websocket, h2c']],
  ['Expect', '200', expectations],
  ['Expect with a body', '201', expectations],
  ['Authorization', '401', ['', 'Bearer', 'Bearer ', 'Basic eDp5', 'Bearer \xff', 'Bearer a,Bearer b']],
  ['Authorization', '200', ['bearer  test-key']],
  ['Host', '200', ['', ' ', 'LOCALHOST:99', '10.0.0.1', '[::2]']],
  ['Host', '403', ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.999', 'a@localhost']],
  ['Host', '403', ['x, y', '[::1', 'x:99999', 'x/y', '\xff']],
  ['Host', '400', ['x\r\nHost: y']],
  ['Connection', '201', connections],
  ['Connection', '201 close', ['close, keep-alive']],
  ['Connection', '201 | 401', ['host, authorization']],
  ['Connection', '201 | 400', ['content-type']],
  ['Connection with chunks', '201', connections],
  ['Connection with the body of a GET', '200', connections],
  ['Content-Length', '400 close', ['-1', '+1', '1e3', '9'.repeat(20), '5, 5', '', '1\r\nContent-Length: 2']],
  ['Content-Length', '400 close', [`60\r\n${chunked}`]],
  ['Content-Length', '400 400 close', ['5']],
  ['Content-Length', '201', ['060']],
  ['Transfer-Encoding', '400 close', ['xchunked', '\x0bchunked', 'identity', 'chunked\r\nContent-Length: 5']],
  ['Transfer-Encoding', '201 | 501', ['gzip, chunked']],
  ['Transfer-Encoding', '201', ['Chunked']],
  ['chunks', '400 close', ['zz\r\nab\r\n0\r\n\r\n', '2 \r\n{}\r\n0\r\n\r\n', '2\r\n{}x\r\n0\r\n\r\n']],
  ['chunks', '400 close', [`${'f'.repeat(17)}\r\n`, '0\r\nbad trailer: x\r\n\r\n']],
  ['chunks', '201', [chunkedAnimal.replace('\r\n', ';a=b;c="d"\r\n')]],
  ['trailer', '400 close', ['Content-Length: 5', chunked]],
  ['trailer', '201', ['X: \xff', '__proto__: x', 'X: a\r\nX: b\r\nConnection: close']],
  ['JSON', '400', ['', 'null', '[]', '1e999', "{'name':1}", '\xef\xbb\xbf{}', `${animal}garbage`]],
  ['JSON', '400', ['{"name":"a","categoryId":1e400}', '{"name":"\xff"}', '{"__proto__":{"name":"a"}}']],
  ['JSON', '201', ['{"name":"a","name":"b","categoryId":1}', '{"name":"\\ud800","categoryId":1}']],
  ['Trailer', '201', ['X', 'Content-Length', ',', '\xff']],
  ['preflight', '204', ['GET', 'DELETE', '__proto__', '\xff']],
  ['Content-Type', '400', ['', 'text/plain', '/', ' '.repeat(9_000), `text/a${';\t'.repeat(4_000)}`]],
  ['Content-Type', '201', ['application/json;', 'application/json; charset=\xff']],
  ['Content-Encoding', '400', 'gzip zstd x-gzip gzip,br , __proto__'.split(' ')],
  ['path of a POST', '400 | 404', ['/messages']],
  ['path of a POST', '405', ['/v1/pets/1']],
];

const long = 'y'.repeat(20_000);
const oversized = animal.padEnd(1024 * 1024 + 1);

/** Requests that do not come from a template, with what must come back; ` | ` is between the mock and the proxy. */
const singleAttacks: readonly (readonly [title: string, answers: string, bytes: string])[] = [
  ['a target above 16 KiB', '431 close', printGet(`/v1/${long}`)],
  ['headers above 16 KiB', '431 close', printGet('/v1/pets', `X: ${long}`)],
  ['4,500 headers', '200', printGet('/v1/pets', ...Array(4_500).fill('a:'))],
  ['a request without Host', '400 | 200', one.replace('Host: localhost\r\n', '')],
  ['two Host headers', '400', one.replace('Host: localhost', 'Host: localhost\r\nHost: localhost')],
  ['HTTP/1.0 without Host', '200 close', one.replace('1.1\r\nHost: localhost', '1.0')],
  ['bare line feeds', '400 close', one.replaceAll('\r\n', '\n')],
  ['chunk extensions above 16 KiB', '413 close', printFramed(`2;${long}`, chunked)],
  ['trailers above 16 KiB', '431 close', printFramed(`0\r\nX: ${long}\r\n\r\n`, chunked)],
  ['chunks in HTTP/1.0', '201 close', printFramed(chunkedAnimal, chunked).replace('1.1', '1.0')],
  ['a body with HEAD', '200', printRequest('HEAD /v1/pets HTTP/1.1', ['Content-Length: 2'], '{}')],
  ['a request as the body of a POST', '400', printPost(one)],
  ['a request as the body of a GET', '200', printGet('/v1/pets', `Content-Length: ${one.length}`) + one],
  ['a request behind chunks with a length', '400 close', printPost(`0\r\n\r\n${one}`, chunked)],
  ['a request behind a malformed one', '400 close', printGet('/v1/ pets') + one],
  ['malformed bytes behind a GET', '200 400 close', `${one}garbage\r\n\r\n`],
  ['malformed bytes behind a POST', '201 400 close', `${printPost(animal)}garbage\r\n\r\n`],
  ['arrays nested 50,000 deep', '400', printPost('['.repeat(50_000))],
  ['a body above 1 MiB', '413', printPost(oversized)],
  ['chunks above 1 MiB', '413', printFramed(`100001\r\n${oversized}\r\n0\r\n\r\n`, chunked)],
  ['a body with a coding', '201', printPost(gzipSync(animal).toString('latin1'), 'Content-Encoding: gzip')],
];

/** The attacks, which the tests of the wire send one by one, and another one with random changes. */
export const attacks: readonly Attack[] = [
  ...values.flatMap(([kind, answers, list]) =>
    list.map((value) => [`${kind} ${JSON.stringify(value)}`, answers, templates[kind](value)] as const),
  ),
  ...singleAttacks,
].map(([title, answers, bytes]) => {
  const [mock = '', proxy = mock] = answers.split(' | ');
  return { title, bytes, mock, proxy };
});

/** The values of the attacks except values for the length of a body. */
export const hostileValues: readonly string[] = values
  .flatMap(([, , list]) => list)
  .filter((value) => !/^(?:Content-Length|Transfer-Encoding):/m.test(value));
