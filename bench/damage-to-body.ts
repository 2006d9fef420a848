import { gzipSync } from 'node:zlib';
import { type Damage, owed, unowed } from './damage.ts';
import {
  animal,
  chunkedAnimal,
  printFramedPost,
  printGet,
  printLawful,
  printPost,
  printRequest,
} from './print-request.ts';
import type { Random } from './random.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const LARGEST = 1024 * 1024;

const lengths = ['-1', '+1', '1e3', '0x10', '99999999999999999999', '1 1', '1,2', '5, 5', 'a', '1\0', '\xb2'];

const encodings = [
  'chunkedd',
  'identity',
  'gzip',
  'chunked, gzip',
  'chunked, identity',
  '\x0bchunked',
  'chun ked',
  ',',
  'xchunked',
];

const chunks = [
  'zz\r\nab\r\n0\r\n\r\n',
  '-1\r\n',
  '0x2\r\n{}\r\n0\r\n\r\n',
  ' 2\r\n{}\r\n0\r\n\r\n',
  '2 \r\n{}\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n',
  '2\r\n{}x\r\n0\r\n\r\n',
  '2\r\n{}\n0\r\n\r\n',
  '2;a=\0\r\n{}\r\n0\r\n\r\n',
  '\r\n\r\n',
  `2;${'x'.repeat(20_000)}`,
  '0\r\nbad trailer: x\r\n\r\n',
  '0\r\nX: \0\r\n\r\n',
  `0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
];

const trailers = [
  'Content-Length: 5',
  'X: \xff',
  'X:',
  '__proto__: x',
  'Transfer-Encoding: chunked',
  'Host: y',
  'X: a\r\nX: b\r\nConnection: close',
];

const texts = [
  '',
  'null',
  '[]',
  '"x"',
  '1e999',
  '{"name":"a","categoryId":1e400}',
  `{"name":"a","categoryId":${'9'.repeat(5_000)}}`,
  '{"__proto__":{"name":"a"},"constructor":1}',
  '{"name":{"toString":1},"categoryId":"1"}',
  '{"name":"a","name":"b","categoryId":1,"categoryId":2}',
  '{"name":"\\ud800","categoryId":1}',
  '\xef\xbb\xbf{}',
  '{"name":"a","categoryId":1}garbage',
  "{'name':1}",
];

const mediaTypes = [
  '',
  'text/plain',
  'application/json;',
  'application/json; charset=\xff',
  '/',
  ';',
  'a/b/c',
  '\xff',
];

const codings = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'x-gzip',
  'foo',
  'gzip, br',
  '__proto__',
  'constructor',
  ',',
];

const openings = ['[', '{"a":', '{"name":['];

function printNested(layers: number): string {
  let body = Buffer.from(animal);
  for (let layer = 0; layer < layers; layer += 1) body = gzipSync(body, { level: 0 });
  return printPost(body.toString('latin1'), `Content-Encoding: ${'gzip,'.repeat(layers).slice(0, -1)}`);
}

function printDeep(random: Random): string {
  const [depth, opening] = [random.below(50_000), random.pick(openings)];
  const closing = opening.startsWith('[') ? ']' : '}';
  return printPost(opening.repeat(depth) + (random.isChance(0.5) ? `1${closing.repeat(depth)}` : ''));
}

function printOversized(random: Random): string {
  const body = `{"name":"${'x'.repeat(LARGEST + random.below(LARGEST / 2))}","categoryId":1}`;
  if (random.isChance(0.5)) return printPost(body);
  return printFramedPost(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, CHUNKED);
}

/** What can be wrong in the body of a request or its framing, or after it. */
export const damageToBody: Readonly<Record<string, Damage>> = {
  'bad Content-Length': owed((random) => printFramedPost(animal, `Content-Length: ${random.pick(lengths)}`)),
  'two lengths': owed((random) => printPost(animal, `Content-Length: ${random.below(99)}`)),
  'length and encoding': owed((random) =>
    random.isChance(0.5)
      ? printPost(chunkedAnimal, CHUNKED)
      : printFramedPost('', CHUNKED, 'Content-Length: 5'),
  ),
  'bad Transfer-Encoding': owed((random) =>
    printFramedPost(chunkedAnimal, `Transfer-Encoding: ${random.pick(encodings)}`),
  ),
  'bad chunk': owed((random) => printFramedPost(random.pick(chunks), CHUNKED)),
  'odd trailer': owed((random) => {
    const body = chunkedAnimal.replace(/\r\n$/, `${random.pick(trailers)}\r\n\r\n`);
    return printFramedPost(body, CHUNKED, 'Trailer: X');
  }),
  'cut body': unowed((random) => printPost(animal).slice(0, -1 - random.below(animal.length))),
  'cut chunk': unowed((random) =>
    printFramedPost(chunkedAnimal.slice(0, random.below(chunkedAnimal.length)), CHUNKED),
  ),
  'length too short': owed((random) =>
    printFramedPost(animal, `Content-Length: ${1 + random.below(animal.length - 1)}`),
  ),
  'truncated JSON': owed((random) => printPost(animal.slice(0, random.below(animal.length)))),
  'odd JSON': owed((random) => printPost(random.pick(texts))),
  'broken UTF-8': owed((random) => printPost(animal.replace('Rex', random.bytes(4)))),
  'deep JSON': owed(printDeep),
  'random body': owed((random) => printPost(random.bytes(random.below(300)))),
  'bad Content-Type': owed((random) =>
    printPost(animal).replace('application/json', () => random.pick(mediaTypes)),
  ),
  'broken coding': owed((random) => {
    const body = random.isChance(0.5) ? random.bytes(40) : gzipSync(animal).toString('latin1').slice(0, 30);
    return printPost(body, `Content-Encoding: ${random.pick(codings)}`);
  }),
  'many codings': owed((random) => printNested(1 + random.below(30))),
  'oversized body': owed(printOversized),
  'body at another path': owed((random) =>
    printPost(animal).replace('/v1/pets', () => random.pick(['/messages', '/v1/pets/1', '/', '*'])),
  ),
  'HEAD with a body': owed(() =>
    printRequest('HEAD /v1/pets HTTP/1.1', [`Content-Length: ${animal.length}`], animal),
  ),
  'pipelined garbage': owed((random) => printLawful(random) + random.bytes(1 + random.below(200))),
  'pipelined requests': owed((random) =>
    Array.from({ length: 1 + random.below(20) }, () => printLawful(random)).join(''),
  ),
  'requests after a refusal': owed((random) => printGet('/v1/ pets') + printLawful(random)),
  'random bytes': unowed((random) => random.bytes(1 + random.below(400))),
};
