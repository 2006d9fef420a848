import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { petStatuses } from '../../../common/json/pet.ts';
import { edgeCaseIntegers, edgeCaseNames } from '../../../fixtures/edge-case-pets.ts';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { type HttpCase, post, refusal } from '../../../testing/http-case.ts';

const rex = '{"name":"Rex","categoryId":1}';
const json = { 'content-type': 'application/json' };
const created = { name: 'Rex', categoryId: 1n };

/** Creates the name of a NewPet that is exactly 1 MiB. */
const longest = 'x'.repeat(1024 * 1024 - rex.length + 3);
const withName = (name: string) => rex.replace('Rex', name);
const withCategoryId = (number: string | bigint) => `{"name":"Rex","categoryId":${number}}`;
/** Prints a NewPet of four members, one of them an array of large numbers. */
const withMore = (numbers: number) => rex.replace('}', `,"x":[${Array(numbers).fill('1e399').join()}]}`);
const encoded = (encoding: string) => ({ 'Content-Encoding': encoding });
const typed = (mediaType?: string) => ({ 'Content-Type': mediaType });

type Created = readonly [body: string | Buffer, animal: object, headers?: Record<string, string | undefined>];

const valid: readonly Created[] = [
  ...petStatuses.map(
    (status) => [rex.replace('}', `,"status":"${status}"}`), { ...created, status }] as const,
  ),
  ['{"name":"Rex","categoryId":1,"id":99,"color":"red","__proto__":{"x":1}}', created],
  ['{"categoryId":1,"name":"first","name":"Rex"}', created],
  [' \n{"name":"Re\\u0078","categoryId":1}\t', created],
  ...['1e2', '1.00e2', '1000E-1'].map(
    (number) => [withCategoryId(number), { ...created, categoryId: 100n }] as const,
  ),
  [withCategoryId('-0'), { ...created, categoryId: 0n }],
  ...edgeCaseIntegers.map((categoryId) => [withCategoryId(categoryId), { ...created, categoryId }] as const),
  ...edgeCaseNames.map(
    (name) => [`{"name":${JSON.stringify(name)},"categoryId":1}`, { ...created, name }] as const,
  ),
  [`\uFEFF${rex}`, created],
  [gzipSync(rex), created, encoded('gzip')],
  [deflateSync(rex), created, encoded('deflate')],
  [brotliCompressSync(rex), created, encoded('br')],
  [zstdCompressSync(rex), created, encoded('zstd')],
  [withName(longest), { ...created, name: longest }],
  [withMore(14_996), created],
  [withName(','.repeat(1e5)), { ...created, name: ','.repeat(1e5) }],
  [rex, created, typed('application/json; charset=utf-8')],
  [rex, created, typed('Application/JSON;charset="UTF-8";v=1')],
];

const everyField =
  'name must be a string, not null; ' +
  'categoryId is missing; it must be an integer from -9223372036854775808 to 9223372036854775807; ' +
  'status must be available, pending or sold, not "lost".';
const notJson = 'could not be read as JSON';
const notAnObject = 'The body must be a JSON object, not';
const tooLong = withName(`${longest}x`);
const tooLarge = '1048576 bytes';
const manyValues = 'more than 15000 JSON values';
const noJsonType = 'Content-Type must be application/json';
const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

type Refused = readonly [what: string, body: string | Buffer, mention: string, headers?: Created[2]];

const invalid: readonly Refused[] = [
  ['every field wrong', '{"name":null,"status":"lost"}', everyField],
  ['an object as its name', '{"name":{}}', 'name must be a string, not an object'],
  ...[undefined, 'text/plain', 'text/json', 'application/vnd.api+json'].map(
    (type) => [`the media type ${type}`, rex, noJsonType, typed(type)] as const,
  ),
  ['an empty body', '', 'empty'],
  ...['null', '0.5', '"a \\"b\\""'].map((json) => [json, json, `${notAnObject} ${json}.`] as const),
  ['an array', `[${rex}]`, `${notAnObject} an array`],
  ['the body 1e400', '1e400', `${notAnObject} a number far too large`],
  ['a very long string', `"${'x'.repeat(1e5)}"`, `${notAnObject} a string of 100000 characters.`],
  ...['{', '{"name":"Rex"', "{'name':'Rex'}", '{"name":"Rex","categoryId":1,}', 'NaN', '\u0000', ' '].map(
    (json) => [`the malformed JSON ${json}`, json, notJson] as const,
  ),
  ['a zero before an integer', withCategoryId('01'), notJson],
  ['bytes that are not UTF-8', Buffer.from(withName('R\xe9x'), 'latin1'), 'not UTF-8'],
  ['UTF-16', Buffer.from(rex, 'utf16le'), notJson],
  ['an array nested 9,000 deep', nested(9e3), 'nested too deeply'],
  ['a fraction nested 9,000 deep', nested(9e3, '1.5'), 'nested too deeply'],
  ['an array nested 100,000 deep', nested(1e5), manyValues],
  ['15,001 values', withMore(14_997), manyValues],
  ['100,000 large numbers in 2 kB', gzipSync(withMore(1e5)), manyValues, encoded('gzip')],
  ['a million digits', withCategoryId('9'.repeat(1e6)), 'categoryId must be an integer'],
  ['an endless exponent', withCategoryId('1e999999999'), 'categoryId must be an integer'],
  ['what rounding makes whole', withCategoryId('1.0000000000000000001'), 'a number with a fraction'],
  ['a wrong encoding', rex, 'could not be read', encoded('gzip')],
  ['an unknown encoding', rex, 'zip', encoded('zip')],
  ['1 MiB and a byte of text', tooLong, tooLarge, typed('text/html')],
  ['a body of 1 MiB and a byte', tooLong, tooLarge],
  ['1 MiB and a byte in gzip', gzipSync(tooLong), tooLarge, encoded('gzip')],
];

const refuse = (path: string, [what, body, mention, headers = {}]: Refused) =>
  refusal(
    `POST ${path} with ${what} is refused`,
    post(path, body, headers),
    mention === tooLarge ? 413 : 400,
    [mention],
  );

/** Source: specification, POST /pets; decisions/what-the-specification-leaves-open.md */
export const createPetCases: readonly HttpCase[] = [
  ...valid.map(([body, animal, headers = {}]): HttpCase => {
    const what = JSON.stringify([String(body).slice(0, 100), headers]);
    return {
      title: `POST /pets with ${what} adds the animal`,
      request: post('/v1/pets', body, headers),
      // The sample animals have the ids 1, 2, 3 and one above 2^53, so the next one is 4.
      answer: { status: 201, headers: json, body: { id: 4n, ...animal } },
    };
  }),
  ...invalidAnimals.map(({ why, fields, json }) =>
    refusal(`POST /pets with ${why} is refused`, post('/v1/pets', json), 400, fields),
  ),
  ...invalid.map((row) => refuse('/v1/pets', row)),
  refusal(
    'POST /pets with no body is refused',
    { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'application/json' } },
    ...([400, ['empty']] as const),
  ),
];

const createdAt = '2026-11-21T12:00:00.000Z';

/** Source: specification, Introductory quickstart request */
export const messageCases: readonly HttpCase[] = [
  ...['hi', '', 'Zoë 🐈 "quoted"\n', '\uD83D'].map((message) => ({
    title: `POST /messages queues ${JSON.stringify(message)}, whatever else is in the body`,
    options: { now: new Date(createdAt) },
    request: post('/messages', JSON.stringify({ message, extra: 1 })),
    answer: {
      status: 202,
      headers: json,
      body: { id: expect.stringMatching(/./), message, status: 'queued', createdAt },
    },
  })),
  ...['{}', '{"message":null}', '{"message":["hi"]}', '{"Message":"hi"}'].map((json) =>
    refuse('/messages', [json, json, 'message']),
  ),
  ...['', '{', '"hi"'].map((json) => refuse('/messages', [`the body ${json}`, json, 'The body'])),
  refuse('/messages', ['the media type of text', '{"message":"hi"}', noJsonType, typed('text/plain')]),
  refuse('/messages', ['a body above 1 MiB', tooLong, tooLarge]),
];
