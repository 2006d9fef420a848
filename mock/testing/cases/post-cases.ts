import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { petStatuses } from '../../../common/json/pet.ts';
import { edgeCaseIntegers, edgeCaseNames } from '../../../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { type HttpCase, post, refusal } from '../../../tools/testing/http-case.ts';

const rex = '{"name":"Rex","categoryId":1}';
const created = { name: 'Rex', categoryId: 1n };
const withName = (name: string) => rex.replace('Rex', name);
const withCategoryId = (number: string | bigint) => rex.replace('1', `${number}`);
const withMember = (json: string) => rex.replace('}', `,${json}}`);
/** Prints an array of large numbers, which is one value more. */
const numbers = (length: number) => withMember(`"x":[${Array(length).fill('1e399').join()}]`);
/** The name of a NewPet that is exactly 1 MiB. */
const longest = 'x'.repeat(1024 * 1024 - rex.length + 3);

const encoded = (encoding: string) => ({ 'Content-Encoding': encoding });
const typed = (mediaType?: string) => ({ 'Content-Type': mediaType });
type Headers = Readonly<Record<string, string | undefined>>;

const valid: readonly (readonly [body: string | Buffer, changes?: object, headers?: Headers])[] = [
  ...petStatuses.map((status) => [withMember(`"status":"${status}"`), { status }] as const),
  [withMember('"id":99,"color":"red","__proto__":{"x":1}')],
  ['{"categoryId":1,"name":"first","name":"Rex"}'],
  [' \n{"name":"Re\\u0078","categoryId":1}\t'],
  ...['1e2', '1.00e2', '1000E-1'].map((number) => [withCategoryId(number), { categoryId: 100n }] as const),
  [withCategoryId('-0'), { categoryId: 0n }],
  ...edgeCaseIntegers.map((categoryId) => [withCategoryId(categoryId), { categoryId }] as const),
  ...edgeCaseNames.map((name) => [`{"categoryId":1,"name":${JSON.stringify(name)}}`, { name }] as const),
  [`\uFEFF${rex}`],
  [gzipSync(rex), {}, encoded('gzip')],
  [deflateSync(rex), {}, encoded('deflate')],
  [brotliCompressSync(rex), {}, encoded('br')],
  [zstdCompressSync(rex), {}, encoded('zstd')],
  [withName(longest), { name: longest }],
  [numbers(14_996)],
  [withName('[{,:\\"'.repeat(1e4)), { name: '[{,:"'.repeat(1e4) }],
  [rex, {}, typed('application/json; charset=utf-8')],
  [rex, {}, typed('Application/JSON;charset="UTF-8";v=1')],
];

const everyField =
  'name must be a string, not null. ' +
  'categoryId is required and must be a 64-bit integer. ' +
  'status must be available, pending or sold, not "lost".';
const notJson = 'could not be read as JSON';
const notAnObject = 'The body must be a JSON object, not';
const noJsonType = 'Content-Type must be application/json';
const anInteger = 'categoryId must be a 64-bit integer';
const tooLong = withName(`${longest}x`);
const tooLarge = '1048576 bytes';
const manyValues = 'more than 15000 JSON values';
const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
const malformed = ['{', '{"name":"Rex"', "{'a':1}", withMember(''), withCategoryId('01'), 'NaN', '\0', ' '];
const types = [undefined, 'text/plain', 'text/json', 'application/vnd.api+json'];

type Refused = readonly [body: string | Buffer, mention: string, headers?: Headers];

const refused: readonly Refused[] = [
  ['{"name":null,"status":"lost"}', everyField],
  ['{"name":{}}', 'name must be a string, not an object'],
  ...types.map((type) => [rex, noJsonType, typed(type)] as const),
  ['', 'empty'],
  ...['null', '0.5', '"a \\"b\\""'].map((json) => [json, `${notAnObject} ${json}.`] as const),
  [`[${rex}]`, `${notAnObject} an array`],
  ['1e400', `${notAnObject} a number far too large`],
  [`"${'x'.repeat(1e5)}"`, `${notAnObject} a string of 100000 characters.`],
  ...[...malformed, Buffer.from(rex, 'utf16le')].map((body) => [body, notJson] as const),
  [Buffer.from(withName('R\xe9x'), 'latin1'), 'not UTF-8'],
  [nested(9e3), 'nested too deeply'],
  [nested(9e3, '1.5'), 'nested too deeply'],
  [nested(1e5), manyValues],
  [numbers(14_997), manyValues],
  [gzipSync(numbers(1e5)), manyValues, encoded('gzip')],
  [withCategoryId('9'.repeat(1e6)), anInteger],
  [withCategoryId('1e999999999'), anInteger],
  // Rounding makes it whole.
  [withCategoryId('1.0000000000000000001'), 'a number with a fraction'],
  [rex, 'could not be read', encoded('gzip')],
  [rex, 'zip', encoded('zip')],
  [tooLong, tooLarge, typed('text/html')],
  [tooLong, tooLarge],
  [gzipSync(tooLong), tooLarge, encoded('gzip')],
];

const refusedMessages: readonly Refused[] = [
  ...['{}', '{"message":null}', '{"message":["hi"]}'].map((json) => [json, 'message'] as const),
  ...['', '{', '"hi"'].map((json) => [json, 'The body'] as const),
  ['{"message":"hi"}', noJsonType, typed('text/plain')],
  [tooLong, tooLarge],
];

const refuse = (path: string, [body, mention, headers = {}]: Refused) =>
  refusal(post(path, body, headers), mention === tooLarge ? 413 : 400, [mention]);

const json = { 'content-type': 'application/json' };
const createdAt = '2026-11-21T12:00:00.000Z';

/** Source: specification, POST /pets and quickstart; docs/reference/unspecified.md */
export const postCases: readonly HttpCase[] = [
  ...valid.map(([body, changes, headers = {}]) => ({
    request: post('/v1/pets', body, headers),
    // The sample animals have the ids 1, 2, 3 and one above 2^53, so the next one is 4.
    answer: { status: 201, headers: json, body: { id: 4n, ...created, ...changes } },
  })),
  ...invalidAnimals.map(({ fields, json }) => refusal(post('/v1/pets', json), 400, fields)),
  ...refused.map((row) => refuse('/v1/pets', row)),
  refusal({ method: 'POST', path: '/v1/pets', headers: typed('application/json') }, 400, ['empty']),
  ...['hi', '', 'Zoë 🐈 "quoted"\n', '\uD83D'].map((message) => {
    const body = { id: expect.stringMatching(/./), message, status: 'queued', createdAt };
    const request = post('/messages', JSON.stringify({ message, extra: 1 }));
    return { request, options: { now: new Date(createdAt) }, answer: { status: 202, headers: json, body } };
  }),
  ...refusedMessages.map((row) => refuse('/messages', row)),
];
