import { type Damage, owed } from './damage.ts';
import { printGet, printRequest } from './print-request.ts';
import type { Random } from './random.ts';

const requestLines = [
  'hello',
  'GET',
  'GET  /v1/pets HTTP/1.1',
  'GET /v1/pets',
  'GET /v1/pets HTTP/9.9',
  'GET /v1/pets HTTP/1.1 more',
  'GET /v1/pets HTTP/1.',
  'GET\t/v1/pets\tHTTP/1.1',
  'GET /v1/pets FTP/1.1',
  'GET /v1/ pets HTTP/1.1',
  ' GET /v1/pets HTTP/1.1',
  'get /v1/pets HTTP/1.1',
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
  'HTTP/1.1 200 OK',
];

const methods = [
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'PURGE',
  'SOURCE',
  'BREW',
];

const absoluteTargets = [
  'http://',
  'http://x',
  'HTTP://x/v1/pets',
  'http:/v1/pets',
  'http://x?limit=1',
  'http://[::1/v1/pets',
  'http://a:b@c:99999/v1/pets',
  'ftp://x/v1/pets/1',
  'foo:bar',
  '://',
  '//v1/pets',
  '//example.org/v1/pets',
  '/v1//pets',
  '/v1/../v1/pets',
  '/v1/./pets/1/..',
  '/\\v1\\pets',
  '?',
  '#',
  '/v1/pets#limit=1',
  '*',
];

const escapes = ['%', '%4', '%zz', '%00', '%ff', '%c3%28', '%ed%a0%80', '%2f', '%2e%2e', '%25%', '%u0041'];

/** The names of what every object inherits. */
export const inheritedNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
];

const places = [
  '/v1/pets/@',
  '/v1/@',
  '/@',
  '/v1/pets?limit=@',
  '/v1/pets?@=1',
  '/v1/pets?status=@&status=@',
];

function place(random: Random, text: string): string {
  return printGet(random.pick(places).replaceAll('@', () => text));
}

function repeat(length: number, print: (index: number) => string, separator: string): string {
  return Array.from({ length }, (_, index) => print(index)).join(separator);
}

/** What can be wrong in the first line of a request. */
export const damageToTarget: Readonly<Record<string, Damage>> = {
  'bad request line': owed((random) => printRequest(random.pick(requestLines))),
  'other method': owed((random) => printRequest(`${random.pick(methods)} /v1/pets/1 HTTP/1.1`)),
  'unknown method': owed((random) => printRequest(`${random.bytes(1 + random.below(30))} /v1/pets HTTP/1.1`)),
  CONNECT: owed((random) => printRequest(`CONNECT ${random.pick(['x:1', '/', '[', 'x'])} HTTP/1.1`)),
  'OPTIONS *': owed((random) => printRequest(`OPTIONS ${random.pick(['*', '**', '*/v1/pets'])} HTTP/1.1`)),
  'absolute form': owed((random) => printGet(random.pick(absoluteTargets))),
  'control byte in the target': owed((random) => place(random, String.fromCharCode(random.below(33)))),
  'non-ASCII target': owed((random) =>
    place(random, random.pick(['é', '\xc3\xa9', '\xff', '\xf0\x9f\x90\x95'])),
  ),
  'broken percent-encoding': owed((random) => place(random, random.pick(escapes))),
  'random target': owed((random) => place(random, random.bytes(1 + random.below(40)))),
  'inherited names in the target': owed((random) => place(random, random.pick(inheritedNames))),
  'long target': owed((random) =>
    place(random, random.pick(['a', '%', '/', '9', '%2f']).repeat(random.below(20_000))),
  ),
  'many parameters': owed((random) => {
    const name = random.pick(['limit', 'status', 'a[]', 'x', '__proto__']);
    return printGet(`/v1/pets?${repeat(random.below(1_500), (index) => `${name}=${index}`, '&')}`);
  }),
};
