import type { RequestListener } from 'node:http';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { exchangeRaw, toRawHeaders } from '../../../tools/testing/exchange-raw.ts';
import type { differences } from './differences.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** An exchange. By default a list is requested. If a body is sent, an animal is added. */
interface Row {
  readonly method?: string;
  /** Relative to the base URL. */
  readonly path?: string;
  /** In addition to a key and a media type. A header that is undefined is not sent. */
  readonly headers?: Headers;
  readonly sent?: string | Buffer;
  readonly status?: number;
  readonly answered?: string | Buffer;
  readonly answerHeaders?: Headers;
  /** If the stock proxy differs: why, its status or end, and its violations. */
  readonly stock?: readonly [keyof typeof differences, number | 'hangs' | 'ends', ...string[]];
  /** The only violation that ours reports. */
  readonly ours?: string;
}

/** An exchange that both proxies must check with the same result, except for `stock`. */
export type SampleExchange = ReturnType<typeof toExchange>;

function toExchange(row: Row, isConforming: boolean) {
  const { sent, stock, ours, method = sent === undefined ? 'GET' : 'POST', path = '/pets' } = row;
  const { status = method === 'POST' ? 201 : 200 } = row;
  const single = method === 'POST' || path.startsWith('/pets/') ? printPet() : `[${printPet()}]`;
  const { answered = status > 201 ? printError({ status }) : single } = row;
  const json = { 'Content-Type': 'application/json' };
  const headers: Headers = { Authorization: 'Bearer k', ...(sent !== undefined && json), ...row.headers };
  const answerHeaders: Headers = { ...json, ...row.answerHeaders };
  const title = `${isConforming ? 'allowed' : 'reported'}: ${JSON.stringify(row).slice(0, 150)}`;
  return { title, isConforming, stock, ours, method, path, headers, sent, status, answered, answerHeaders };
}

const printPet = (members: object = {}) =>
  JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, status: 'available', ...members });
const printError = (members: object) =>
  JSON.stringify({ code: 'code', message: 'A message.', status: 401, ...members });
const newPet = '{"name":"Rex","categoryId":2}';
const one = { path: '/pets/1' };
const creation = { sent: newPet };
const nothing = { answered: '', answerHeaders: { 'Content-Type': undefined } };
const redirect = { 'Content-Type': undefined, Location: '/v1/landing' };
const chunked = { 'Transfer-Encoding': 'chunked' };
const preflight = { Origin: 'http://app.test', 'Access-Control-Request-Method': 'POST' };
const noUtf8 = Buffer.from('{"id":1,"name":"\xff","categoryId":2}', 'latin1');
const outside = ['9223372036854775808', '-9223372036854775809'];

/** Integers within int64 that the stock proxy reports. */
const int64 = ['9007199254740992', '9223372036854775807', '-9223372036854775808'];

/** What the stock proxy reports of a body that is of another media type than JSON. */
const ofOtherType = ['Error response', 'Error response.body type'];

const ruleOf = (id: string) => (id.startsWith('-') ? 'minimum' : 'maximum');
const rowsOf = <Value>(toRow: (value: Value) => Row, ...values: readonly Value[]) => values.map(toRow);
const toPath = (path: string) => ({ path: `/pets${path}` });
const toNewPet = (members: object) => ({ sent: JSON.stringify({ name: 'Rex', categoryId: 2, ...members }) });
const toSent = (sent: string) => ({ sent });
const toPet = (members: object) => ({ ...one, answered: printPet(members) });
const toAnswered = (answered: string) => ({ answered });
const toError = (members: object) => ({ status: 401, answered: printError(members) });
const toKey = (key: string | undefined) => ({ headers: { Authorization: key } });
const toType = (type: string | undefined) => ({ ...creation, headers: { 'Content-Type': type } });
const toAnswerType = (type: string) => ({ answered: '[]', answerHeaders: { 'Content-Type': type } });
const toCategory = (id: string) => ({ sent: `{"name":"Rex","categoryId":${id}}` });
const toId = (id: string) => ({ ...one, answered: `{"id":${id},"name":"Rex","categoryId":2}` });
const inCoding = (coding: string) => ({ answerHeaders: { 'Content-Encoding': coding } });
/** Reads members in JSON, such as `"id":1 "id":null`, each as an object. */
const readMembers = (texts: string) => texts.split(' ').map((text): object => JSON.parse(`{${text}}`));

const allowed: readonly Row[] = [
  ...rowsOf(toKey, 'Bearer  k', 'Bearer\tk', 'Bearer a.b-c_d~e+f/g=='),
  { ...toKey('beArer  k'), stock: ['scheme', 200, 'Error request 401'] },
  { path: '/pets?Limit=0', stock: ['query case', 200, 'Error request.query.limit minimum'] },
  { path: '/pets?limit[]=0&__proto__=1', stock: ['unknown parameter', 200] },
  { path: '/pets?__code=x', stock: ['preferences', 422] },
  { method: 'HEAD', path: '/pets?limit=1', stock: ['head', 500] },
  { method: 'OPTIONS', status: 405, stock: ['preflight', 204], headers: preflight },
  ...rowsOf(toPath, '', '?limit=%31', '?l%69mit=100&status=sold', '/-1', '/%31', '/1?'),
  ...int64.flatMap((id): Row[] => [
    { ...toPath(`/${id}`), stock: ['int64', 200, `Error request.path.petid ${ruleOf(id)}`] },
    { ...toCategory(id), stock: ['int64', 201, `Error request.body.categoryId ${ruleOf(id)}`] },
    { ...toId(id), stock: ['int64', 200, `Error response.body.id ${ruleOf(id)}`] },
    { answered: `[${toId(id).answered}]`, stock: ['int64', 200, `Error response.body.0.id ${ruleOf(id)}`] },
  ]),
  ...rowsOf(toSent, newPet, ' {\n\t"name" : "" , "categoryId" : 2 }\r\n'),
  { sent: '{"name":5,"name":"a","categoryId":-1.0e2}', stock: ['repeated member', 201] },
  { answered: '\ufeff[]', stock: ['byte order mark', 500] },
  { sent: '{"n\\u0061me":"Zoë 🐈‍⬛ \\ud83d\\u0000","categoryId":2,"status":"sold"}' },
  { sent: printPet({ staus: 'sold', color: { red: [null] } }), stock: ['unknown member', 201] },
  ...rowsOf(toType, 'application/json; charset=utf-8', 'Application/JSON'),
  // A semicolon may have nothing after it. Source: RFC 9110 section 5.6.6
  { ...toType('application/json;'), stock: ['media type of a request', 500] },
  { ...creation, headers: chunked, stock: ['chunked', 400, 'Error response', 'Error response.body type'] },

  ...rowsOf((status) => ({ status }), 400, 401),
  ...rowsOf((status) => ({ ...creation, status }), 400, 401),
  ...rowsOf((status) => ({ ...one, status }), 200, 401, 404),
  ...rowsOf(toAnswered, '[]', ' [ \n ] ', `[${printPet()},${printPet({ status: undefined, color: 'red' })}]`),
  { answered: `[${printPet({ status: undefined, staus: 'sold' })}]`, stock: ['unknown member', 200] },
  { ...one, answered: '{"id":1.0,"name":"Rex","categoryId":-1e2}' },
  ...rowsOf(toAnswerType, 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'),
  { answered: '[]', answerHeaders: { 'Content-Type': undefined, 'CONTENT-type': 'Application/JSON' } },
  { ...inCoding('gzip'), answered: gzipSync('[]') },
  { ...inCoding('deflate'), answered: deflateSync('[]') },
  { ...inCoding('zstd'), answered: zstdCompressSync('[]'), stock: ['content coding', 500] },
];

const reported: readonly Row[] = [
  ...rowsOf(
    (key: string | undefined): Row => ({ ...toKey(key), stock: ['open service', 200, 'Error request 401'] }),
    ...['Bearer', 'Bearerk', 'Basic azpr', '', undefined],
  ),
  { ...toKey(undefined), status: 401 },
  { ...toKey(undefined), path: '/pets/abc', status: 404, answered: '{}' },
  ...['GET /', 'GET /PETS', 'GET /pets/1/2', 'GET //pets', 'POST /pets/1', 'DELETE /pets/1', 'OPTIONS /pets']
    .map((line) => line.split(' '))
    .map(([method = '', path = '']) => ({ method, path, status: 404 })),
  { method: 'PUT', ...creation, status: 405 },
  { path: '/x/../pets', stock: ['dot segments', 200], ours: 'Warning request' },
  { method: 'GET', ...creation, stock: ['body of GET', 501], ours: 'Error request 415' },
  { method: 'HEAD', path: '/pets/abc', stock: ['head', 500], ours: 'Error request.path.petid type' },
  ...rowsOf(toPath, '?limit=0', '?limit=101', '?limit=1000000000000000000000', '?limit=1.5', '?limit=abc'),
  ...rowsOf(toPath, '?limit=%ZZ', '?limit=1&limit=2', '?status=%20sold', '?limit=0&status=lost'),
  ...rowsOf(
    (query): Row => ({ ...toPath(query), stock: ['parameter text', 200] }),
    ...['?limit=', '?status=', '?limit=05', '?limit=%205', '?limit=0x10', '/1e3'],
  ),
  ...rowsOf((id) => toPath(`/${id}`), ...outside, 'abc', '1.5', '1%2F2'),
  {
    path: '/pets/',
    stock: ['path parameter', 200, 'Error request.path required'],
    ours: 'Error request.path.petid empty-path-parameter',
  },
  { path: '/pets/%ZZ', stock: ['end of process', 'ends'], ours: 'Error request unreadable' },
  ...rowsOf(toNewPet, { name: undefined }, ...readMembers('"name":5 "categoryId":"2" "categoryId":1.5')),
  ...rowsOf(toNewPet, { status: 'Available' }),
  ...rowsOf(toSent, '', '{}', '{"name":1,"categoryId":"1","status":null}', `[${newPet}]`),
  ...rowsOf(
    (sent): Row => ({ sent, stock: ['no object', 201, 'Error request required'] }),
    ...['null', '""'],
  ),
  ...rowsOf(toCategory, ...outside),
  { method: 'POST' },
  ...rowsOf(toType, 'text/plain', 'application/x-www-form-urlencoded'),
  {
    ...toType(undefined),
    stock: ['no media type', 201, 'Error request.body type'],
    ours: 'Error request 415',
  },
  { ...toKey('Bearer undefined'), stock: ['empty key', 200], ours: 'Error request 401' },
  {
    ...toType('application/json, text/plain'),
    ours: 'Error request 415',
    stock: ['media type of a request', 500],
  },
  { sent: '{"name":', stock: ['malformed request', 'hangs'], ours: 'Error request.body json' },
  { sent: noUtf8, stock: ['byte sequence', 201], ours: 'Error request.body json' },
  {
    ...creation,
    headers: { ...chunked, 'Content-Type': 'text/plain' },
    ours: 'Error request 415',
    stock: ['chunked', 400, 'Error request.body type', 'Error response', 'Error response.body type'],
  },

  ...rowsOf((status) => ({ status }), 202, 206, 300, 403, 404, 429),
  { status: 500, stock: ['server error', 500, 'Warning response'], ours: 'Error response server-error' },
  { ...toAnswerType('text/html'), status: 403, stock: ['error body', 403, 'Warning response'] },
  { status: 201, answered: printPet() },
  { ...creation, status: 200 },
  { ...one, status: 400 },
  ...rowsOf((status) => ({ status, ...nothing }), 204, 302, 304),
  { answered: '', status: 302, stock: ['redirect', 200], ours: 'Warning response', answerHeaders: redirect },
  { status: 501, stock: ['not implemented', 200], ours: 'Error response server-error' },
  ...rowsOf(
    (type): Row => ({ ...toAnswerType(type), stock: ['body of another type', 200, ...ofOtherType] }),
    ...['text/html', 'text/json'],
  ),
  { ...nothing, answered: '[]', stock: ['body of another type', 200, ...ofOtherType] },
  {
    ...toAnswerType('application/hal+json'),
    stock: ['JSON of another type', 200],
    ours: 'Error response',
  },
  {
    ...toError({}),
    answerHeaders: { 'Content-Type': 'application/problem+json' },
    stock: ['JSON of another type', 401],
  },
  {
    ...toType('application/merge-patch+json'),
    stock: ['JSON of another type', 201],
    ours: 'Error request 415',
  },
  { ...toAnswerType('text/plain'), status: 401, stock: ['body of another type', 401, ...ofOtherType] },
  { ...toAnswerType('json'), stock: ['end of process', 'ends'], ours: 'Error response' },
  { ...inCoding('gzip'), answered: gzipSync('[{}]') },
  {
    ...inCoding('gzip'),
    answered: '[]',
    stock: ['content coding', 500],
    ours: 'Error response.body unchecked-body',
  },
  {
    ...inCoding('gzip'),
    answered: gzipSync('[]').subarray(0, -9),
    stock: ['content coding', 200],
    ours: 'Error response.body unchecked-body',
  },
  { ...inCoding('compress'), stock: ['content coding', 200], ours: 'Error response.body unchecked-body' },
  {
    answered: `[${`${printPet()},`.repeat(50_000)}${printPet()}]`,
    stock: ['size', 200],
    ours: 'Error response.body unchecked-body',
  },
  { ...toId('7.00000000000000000001'), stock: ['fraction', 200] },
  { ...toCategory('2.00000000000000000001'), stock: ['fraction', 201] },
  ...rowsOf(toPet, { id: undefined }, ...readMembers('"id":null "id":"1" "id":1.5')),
  ...rowsOf(toPet, ...readMembers('"name":[] "categoryId":true "status":""')),
  { ...creation, answered: printPet({ id: undefined }) },
  { answered: `[{},${printPet({ id: '1', status: 'lost' })}]` },
  ...rowsOf(toError, { code: undefined }, ...readMembers('"message":[] "status":"401" "status":401.5')),
  ...rowsOf(toAnswered, '{}', 'null', '5', '[null]', '[{}]'),
  ...rowsOf((answered) => ({ ...one, answered }), '[]', 'null', '{}', `[${printPet()}]`),
  ...rowsOf((answered) => ({ ...one, answered, status: 404 }), '[]', 'null', '{"error":"Unauthorized"}'),
  ...rowsOf(toId, ...outside),
  ...rowsOf((id) => ({ answered: `[${toId(id).answered}]` }), ...outside),
  { answered: '[', stock: ['malformed response', 500], ours: 'Error response.body json' },
  { answered: '', stock: ['malformed response', 500], ours: 'Error response.body type' },
  { ...one, answered: noUtf8, stock: ['byte sequence', 200], ours: 'Error response.body json' },
  { answered: JSON.stringify(Array(60).fill({})), stock: ['long header', 200, 'cut off'] },
];

/** Exchanges of every operation and status, conforming ones and one for each rule that can be broken. */
export const corpus: readonly SampleExchange[] = [
  ...allowed.map((row) => toExchange(row, true)),
  ...reported.map((row) => toExchange(row, false)),
];

/** Answers a request as its exchange of the corpus has it. */
export const answerSample: RequestListener = (request, response) => {
  const index = request.url === '/v1/landing' ? 0 : Number(request.headers['x-exchange']);
  const { status, answerHeaders, answered } = corpus[index] as SampleExchange;
  request.resume().once('end', () => response.writeHead(status, toRawHeaders(answerHeaders)).end(answered));
};

/** Sends the request of an exchange of the corpus to a proxy. */
export function sendSample(url: string, exchange: SampleExchange, signal?: AbortSignal) {
  const { method, path, headers, sent } = exchange;
  const hasLength = headers['Transfer-Encoding'] === undefined && (sent !== undefined || /^P/.test(method));
  const length = hasLength ? String(Buffer.byteLength(sent ?? '')) : undefined;
  const all = { 'X-Exchange': String(corpus.indexOf(exchange)), 'Content-Length': length, ...headers };
  const target = `${new URL(url).pathname.replace(/\/$/, '')}${path}`;
  return exchangeRaw(url, method, target, toRawHeaders(all), sent, signal);
}
