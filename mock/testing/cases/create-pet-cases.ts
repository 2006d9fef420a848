import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { petStatuses } from '../../../common/json/pet.ts';
import { edgeCaseIntegers, edgeCaseNames } from '../../../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { type HttpCase, post, refusal } from '../../../testing/http-case.ts';

const rex = '{"name":"Rex","categoryId":1}';
const created = { name: 'Rex', categoryId: 1n };

function creates(what: string, body: string | Buffer, animal: object, headers = {}): HttpCase {
  return {
    title: `POST /pets with ${what} adds the animal`,
    request: post('/v1/pets', body, headers),
    // The sample animals hold 1, 2, 3 and one id above 2^53, so the next one is 4.
    answer: { status: 201, headers: { 'content-type': 'application/json' }, body: { id: 4n, ...animal } },
  };
}

function createsFrom(json: string, animal: object): HttpCase {
  return creates(json.slice(0, 120), json, animal);
}

function refuses(what: string, body: string | Buffer, mention: string, headers = {}, status = 400): HttpCase {
  return refusal(`POST /pets with ${what} is refused`, post('/v1/pets', body, headers), status, [mention]);
}

/** The name of a NewPet that is exactly 1 MiB. */
const longest = 'x'.repeat(1024 * 1024 - rex.length + 3);

function withName(name: string): string {
  return rex.replace('Rex', name);
}

function withCategoryId(number: string | bigint): string {
  return `{"name":"Rex","categoryId":${number}}`;
}

/** A NewPet of four members, one of them an array of large numbers. */
function withMore(numbers: number): string {
  return rex.replace('}', `,"x":[${Array(numbers).fill('1e399').join()}]}`);
}

const valid: readonly HttpCase[] = [
  ...petStatuses.map((status) =>
    createsFrom(rex.replace('}', `,"status":"${status}"}`), { ...created, status }),
  ),
  createsFrom('{"name":"Rex","categoryId":1,"id":99,"color":"red","__proto__":{"x":1}}', created),
  createsFrom('{"categoryId":1,"name":"first","name":"Rex"}', created),
  createsFrom(' \n{"name":"Re\\u0078","categoryId":1}\t', created),
  ...['1e2', '100.0', '1.00e2', '1000E-1', '10000000e-5'].map((number) =>
    createsFrom(withCategoryId(number), { ...created, categoryId: 100n }),
  ),
  createsFrom(withCategoryId('-0'), { ...created, categoryId: 0n }),
  ...edgeCaseIntegers.map((categoryId) =>
    createsFrom(withCategoryId(categoryId), { ...created, categoryId }),
  ),
  ...edgeCaseNames.map((name) =>
    createsFrom(`{"name":${JSON.stringify(name)},"categoryId":1}`, { ...created, name }),
  ),
  creates('a byte order mark', `\uFEFF${rex}`, created),
  creates('a body in gzip', gzipSync(rex), created, { 'Content-Encoding': 'gzip' }),
  creates('a body in deflate', deflateSync(rex), created, { 'Content-Encoding': 'deflate' }),
  creates('a body in br', brotliCompressSync(rex), created, { 'Content-Encoding': 'br' }),
  creates('a body in zstd', zstdCompressSync(rex), created, { 'Content-Encoding': 'zstd' }),
  creates('a body of exactly 1 MiB', withName(longest), { ...created, name: longest }),
  creates('15,000 values', withMore(14_996), created),
  creates('a name of 100,000 commas', withName(','.repeat(1e5)), { ...created, name: ','.repeat(1e5) }),
  ...['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8";v=1'].map(
    (mediaType) => creates(`the media type ${mediaType}`, rex, created, { 'Content-Type': mediaType }),
  ),
];

const everyField =
  'name must be a string, not null; ' +
  'categoryId is missing; it must be an integer from -9223372036854775808 to 9223372036854775807; ' +
  'status must be available, pending or sold, not "lost".';
const notJson = 'could not be read as JSON';
const mediaTypes = 'text/plain text/json application/x-www-form-urlencoded application/vnd.api+json json';
const wholeWhenRounded = withCategoryId('1.0000000000000000001');
const tooLong = withName(`${longest}x`);
const tooLarge = '1048576 bytes';
const manyValues = 'more than 15000 JSON values';

const invalid: readonly HttpCase[] = [
  ...invalidAnimals.map(({ why, fields, json }) => {
    return refusal(`POST /pets with ${why} is refused`, post('/v1/pets', json), 400, fields);
  }),
  refuses('every field wrong', '{"name":null,"status":"lost"}', everyField),
  refuses('an object as its name', '{"name":{}}', 'name must be a string, not an object'),
  ...[undefined, ...mediaTypes.split(' ')].map((mediaType) =>
    refuses(`the media type ${mediaType}`, rex, 'Content-Type must be application/json', {
      'Content-Type': mediaType,
    }),
  ),
  refusal(
    'POST /pets with no body is refused',
    { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'application/json' } },
    400,
    ['empty'],
  ),
  refuses('an empty body', '', 'empty'),
  ...['null', 'true', '1', '0.5', '"a \\"b\\""'].map((json) =>
    refuses(`the body ${json}`, json, `must be a JSON object, not ${json}.`),
  ),
  refuses(`the body [${rex}]`, `[${rex}]`, 'must be a JSON object, not an array'),
  refuses('the body 1e400', '1e400', 'must be a JSON object, not a number far too large'),
  refuses(
    'a very long string',
    `"${'x'.repeat(1e5)}"`,
    'must be a JSON object, not a string of 100000 characters.',
  ),
  ...[
    ...['{', '{"name":"Rex"', "{'name':'Rex'}", '{"name":"Rex","categoryId":1,}'],
    ...['{"name":"Rex","categoryId":01}', 'NaN', '\u0000', ' '],
  ].map((json) => refuses(`the malformed JSON ${JSON.stringify(json)}`, json, notJson)),
  refuses('bytes that are not UTF-8', Buffer.from(withName('R\xe9x'), 'latin1'), 'not UTF-8'),
  refuses('UTF-16', Buffer.from(rex, 'utf16le'), notJson),
  refuses('an array nested 9,000 deep', '['.repeat(9e3) + ']'.repeat(9e3), 'nested too deeply'),
  refuses('a fraction nested 9,000 deep', `${'['.repeat(9e3)}1.5${']'.repeat(9e3)}`, 'nested too deeply'),
  refuses('an array nested 100,000 deep', '['.repeat(1e5) + ']'.repeat(1e5), manyValues),
  refuses('15,001 values', withMore(14_997), manyValues),
  refuses('100,000 large numbers in 2 kB', gzipSync(withMore(1e5)), manyValues, {
    'Content-Encoding': 'gzip',
  }),
  refuses('a million digits', withCategoryId('9'.repeat(1e6)), 'categoryId must be an integer'),
  refuses('an endless exponent', withCategoryId('1e999999999'), 'categoryId must be an integer'),
  refuses('a number that looks whole only when it is rounded', wholeWhenRounded, 'a number with a fraction'),
  refuses('text said to be gzip', rex, 'could not be read', { 'Content-Encoding': 'gzip' }),
  refuses('an unknown encoding', rex, 'zip', { 'Content-Encoding': 'zip' }),
  refuses('1 MiB and a byte of text', tooLong, tooLarge, { 'Content-Type': 'text/html' }, 413),
  refuses('a body of 1 MiB and a byte', tooLong, tooLarge, {}, 413),
  refuses('1 MiB and a byte in gzip', gzipSync(tooLong), tooLarge, { 'Content-Encoding': 'gzip' }, 413),
];

/** Source: specification, POST /pets; docs/reference/unspecified.md */
export const createPetCases: readonly HttpCase[] = [...valid, ...invalid];
