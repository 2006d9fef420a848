import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { petStatuses } from '../../../common/pet.ts';
import { edgeCaseIntegers, edgeCaseNames } from '../../../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { type HttpCase, type HttpRequest, post, refusal } from '../http-case.ts';

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

const rex = '{"name":"Rex","categoryId":1}';
const MEBIBYTE = 1024 * 1024;

function creates(what: string, request: HttpRequest, created: object): HttpCase {
  // The sample animals hold 1, 2, 3 and one id above 2^53, so the next one is 4.
  const body = { id: 4n, ...created };
  return {
    title: `POST /pets with ${what} adds the animal`,
    request,
    answer: { status: 201, headers: { 'content-type': 'application/json' }, body },
  };
}

function createsFrom(json: string, created: object): HttpCase {
  return creates(json.length > 120 ? `${json.slice(0, 120)}…` : json, post('/v1/pets', json), created);
}

function refuses(what: string, request: HttpRequest, ...mentions: string[]): HttpCase {
  return refusal(`POST /pets with ${what} is refused`, request, [400, 'invalid_request'], mentions);
}

/** A NewPet of exactly so many bytes. */
function bodyOfLength(bytes: number): string {
  return rex.replace('Rex', 'x'.repeat(bytes - rex.length + 3));
}

function withMediaType(mediaType: string | undefined): HttpRequest {
  return post('/v1/pets', rex, { 'Content-Type': mediaType });
}

const created = { name: 'Rex', categoryId: 1n };

const valid: readonly HttpCase[] = [
  ...petStatuses.map((status) =>
    createsFrom(`{"name":"Rex","categoryId":1,"status":"${status}"}`, { ...created, status }),
  ),
  createsFrom('{"name":"Rex","categoryId":1,"id":99,"color":"red","__proto__":{"x":1}}', created),
  createsFrom('{"categoryId":1,"name":"first","name":"Rex"}', created),
  createsFrom(' \n{"name":"Re\\u0078","categoryId":1}\t', created),
  ...['1e2', '100.0', '1.00e2', '1000E-1', '10000000e-5'].map((number) =>
    createsFrom(`{"name":"Rex","categoryId":${number}}`, { name: 'Rex', categoryId: 100n }),
  ),
  createsFrom('{"name":"Rex","categoryId":-0}', { name: 'Rex', categoryId: 0n }),
  ...edgeCaseIntegers.map((categoryId) =>
    createsFrom(`{"name":"Rex","categoryId":${categoryId}}`, { name: 'Rex', categoryId }),
  ),
  ...edgeCaseNames.map((name) =>
    createsFrom(`{"name":${JSON.stringify(name)},"categoryId":1}`, { name, categoryId: 1n }),
  ),
  creates('a byte order mark', post('/v1/pets', `\uFEFF${rex}`), created),
  ...Object.entries(codings).map(([coding, compress]) =>
    creates(`a body in ${coding}`, post('/v1/pets', compress(rex), { 'Content-Encoding': coding }), created),
  ),
  creates('a body of exactly 1 MiB', post('/v1/pets', bodyOfLength(MEBIBYTE)), {
    name: 'x'.repeat(MEBIBYTE - rex.length + 3),
    categoryId: 1n,
  }),
  ...['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8";v=1'].map(
    (mediaType) => creates(`the media type ${mediaType}`, withMediaType(mediaType), created),
  ),
];

const isJson = { 'Content-Type': 'application/json' };
const notJson = 'could not be read as JSON';
const otherMediaTypes =
  'text/plain text/json application/x-www-form-urlencoded application/vnd.api+json json'.split(' ');
const tooLarge = [413, 'payload_too_large'] as const;

const invalid: readonly HttpCase[] = [
  ...invalidAnimals.map(({ why, fields, json }) => refuses(why, post('/v1/pets', json), ...fields)),
  refuses(
    'every field wrong',
    post('/v1/pets', '{"name":null,"status":"lost"}'),
    'name must be a string, not null; ' +
      'categoryId is missing; it must be an integer from -9223372036854775808 to 9223372036854775807; ' +
      'status must be available, pending or sold, not "lost".',
  ),
  ...[undefined, ...otherMediaTypes].map((mediaType) =>
    refuses(`the media type ${mediaType}`, withMediaType(mediaType), 'Content-Type', 'application/json'),
  ),
  refuses('no body', { method: 'POST', path: '/v1/pets', headers: isJson }, 'empty'),
  refuses('an empty body', post('/v1/pets', ''), 'empty'),
  ...['null', 'true', '1', '"Rex"', '[]', `[${rex}]`].map((json) =>
    refuses(`the body ${json}`, post('/v1/pets', json), 'must be a JSON object'),
  ),
  ...[
    ...['{', '{"name":"Rex"', "{'name':'Rex'}", '{"name":"Rex","categoryId":1,}'],
    ...['{"name":"Rex","categoryId":01}', 'NaN', '\u0000', ' '],
  ].map((json) => refuses(`the malformed JSON ${JSON.stringify(json)}`, post('/v1/pets', json), notJson)),
  ...Object.entries({
    'bytes that are not UTF-8': [Buffer.from(rex.replace('Rex', 'R\xe9x'), 'latin1'), 'not UTF-8'],
    'UTF-16': [Buffer.from(rex, 'utf16le'), notJson],
    'an array nested 100,000 deep': ['['.repeat(1e5) + ']'.repeat(1e5), 'nested too deeply'],
    'a million digits': [`{"name":"Rex","categoryId":${'9'.repeat(1e6)}}`, 'categoryId'],
    'an endless exponent': ['{"name":"Rex","categoryId":1e999999999}', 'categoryId'],
    'a number that looks whole only when it is rounded': [
      '{"name":"Rex","categoryId":1.0000000000000000001}',
      'not a number with a fraction',
    ],
  } as const).map(([what, [body, mention]]) => refuses(what, post('/v1/pets', body), mention)),
  refuses('text said to be gzip', post('/v1/pets', rex, { 'Content-Encoding': 'gzip' }), 'could not be read'),
  refuses('an unknown encoding', post('/v1/pets', rex, { 'Content-Encoding': 'zip' }), 'zip'),
  ...Object.entries({
    '1 MiB and a byte of text': ['x'.repeat(MEBIBYTE + 1), { 'Content-Type': 'text/html' }],
    'a body of 1 MiB and a byte': [bodyOfLength(MEBIBYTE + 1), {}],
    'a body of 1 MiB and a byte once it is unzipped': [
      gzipSync(bodyOfLength(MEBIBYTE + 1)),
      { 'Content-Encoding': 'gzip' },
    ],
  } as const).map(([what, [body, headers]]) =>
    refusal(`POST /pets with ${what} is refused`, post('/v1/pets', body, headers), tooLarge, [
      '1048576 bytes',
    ]),
  ),
];

/** Source: specification, POST /pets; decisions/what-the-specification-leaves-open.md */
export const createPetCases: readonly HttpCase[] = [...valid, ...invalid];
