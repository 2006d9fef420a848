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

const long = 'y'.repeat(20_000);
const oversized = animal.padEnd(1024 * 1024 + 1);
const packed = gzipSync(animal);

/** Requests that do not come from a template, with what must come back; ` | ` is between the mock and the proxy. */
export const singleAttacks: readonly (readonly [title: string, answers: string, bytes: string])[] = [
  ['a target above 16 KiB', '431 close', printGet(`/v1/${long}`)],
  ['1,000 parameters', '200', printGet(`/v1/pets?${'x=1&'.repeat(1_000)}`)],
  ['headers above 16 KiB', '431 close', printGet('/v1/pets', `X: ${long}`)],
  ['4,500 headers', '431 close', printGet('/v1/pets', ...Array(4_500).fill('a:'))],
  ['a request without Host', '400 | 200', one.replace('Host: localhost\r\n', '')],
  ['two Host headers', '400 | 200', one.replace('Host: localhost', 'Host: localhost\r\nHost: localhost')],
  ['HTTP/1.0 without Host', '200 close', one.replace('1.1\r\nHost: localhost', '1.0')],
  ['bare line feeds', '400 close', one.replaceAll('\r\n', '\n')],
  ['bare line feeds with a body', '400 close', printPost(animal).replaceAll('\r\n', '\n')],
  ['chunk extensions above 16 KiB', '413 close', printFramed(`2;${long}`, chunked)],
  ['trailers above 16 KiB', '431 close', printFramed(`0\r\nX: ${long}\r\n\r\n`, chunked)],
  ['chunks in HTTP/1.0', '201 close', printFramed(chunkedAnimal, chunked).replace('1.1', '1.0')],
  ['a body with HEAD', '200', printRequest('HEAD /v1/pets HTTP/1.1', ['Content-Length: 2'], '{}')],
  ['a request as the body of a POST', '400', printPost(one)],
  ['a request as the body of a GET', '200', printGet('/v1/pets', `Content-Length: ${one.length}`) + one],
  ['a request behind chunks with a length', '400 close', printPost(`0\r\n\r\n${one}`, chunked)],
  ['a request behind an empty body', '400 200', printFramed(one, 'Content-Length: 0')],
  ['a request behind a malformed one', '400 close', printGet('/v1/ pets') + one],
  ['requests at once', '200 201 404 200', one + printPost(animal) + printGet('/') + one],
  ['100 requests at once', Array(100).fill('200').join(' '), one.repeat(100)],
  ['malformed bytes behind a GET', '200 400 close', `${one}garbage\r\n\r\n`],
  ['malformed bytes behind a POST', '201 400 close', `${printPost(animal)}garbage\r\n\r\n`],
  ['a number of 5,000 digits', '400', printPost(`{"name":"a","categoryId":${'9'.repeat(5_000)}}`)],
  ['arrays nested 50,000 deep', '400', printPost('['.repeat(50_000))],
  ['a body above 1 MiB', '413', printPost(oversized)],
  ['chunks above 1 MiB', '413', printFramed(`100001\r\n${oversized}\r\n0\r\n\r\n`, chunked)],
  ['a body with a coding', '201', printPacked(packed, 'gzip')],
  ['a body with a coding that is cut', '400', printPacked(packed.subarray(0, -9), 'gzip')],
  ['a body with two codings', '400', printPacked(gzipSync(packed), 'gzip, gzip')],
];

function printPacked(body: Buffer, codings: string): string {
  return printPost(body.toString('latin1'), `Content-Encoding: ${codings}`);
}
