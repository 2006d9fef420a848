import type { RequestListener } from 'node:http';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { exchangeRaw, toRawHeaders } from '../../../tools/testing/exchange-raw.ts';

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
}

/** An exchange to check. */
type SampleExchange = ReturnType<typeof toExchange>;

function toExchange(row: Row) {
  const { sent, method = sent === undefined ? 'GET' : 'POST', path = '/pets' } = row;
  const { status = method === 'POST' ? 201 : 200 } = row;
  const single = method === 'POST' || path.startsWith('/pets/') ? printPet() : `[${printPet()}]`;
  const { answered = status > 201 ? printError({ status }) : single } = row;
  const json = { 'Content-Type': 'application/json' };
  const headers: Headers = { Authorization: 'Bearer k', ...(sent !== undefined && json), ...row.headers };
  const answerHeaders: Headers = { ...json, ...row.answerHeaders };
  const title = JSON.stringify(row, (_, value) => (value?.type === 'Buffer' ? 'bytes' : value)).slice(0, 150);
  return { title, method, path, headers, sent, status, answered, answerHeaders };
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

/** Integers within int64 that a double rounds, or does not hold. */
const int64 = ['9007199254740992', '9223372036854775807', '-9223372036854775808'];

const long = (length: number) => 'x'.repeat(length);
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

/** Messages that break no rule, apart from warnings. Most responses do not fit their requests. */
const allowed: readonly Row[] = [
  ...rowsOf(toKey, 'Bearer  k', 'Bearer\tk', 'Bearer a.b-c_d~e+f/g==', 'beArer  k', 'Bearer null-and-void'),
  ...rowsOf(toPath, '?Limit=0', '?limit[]=0&__proto__=1', '?__code=x'),
  { method: 'HEAD', path: '/pets?limit=1' },
  { method: 'HEAD', ...nothing },
  { method: 'OPTIONS', status: 405, headers: preflight },
  ...rowsOf(toPath, '', '?limit=%31', '?l%69mit=100&status=sold', '/-1', '/%31', '/1?'),
  ...rowsOf((id) => toPath(`/${id}`), ...int64),
  ...rowsOf(toCategory, ...int64),
  ...rowsOf(toId, ...int64),
  ...rowsOf((id) => ({ answered: `[${toId(id).answered}]` }), ...int64),
  ...rowsOf(toSent, newPet, ' {\n\t"name" : "" , "categoryId" : 2 }\r\n'),
  ...rowsOf(toSent, '{"name":5,"name":"a","categoryId":-1.0e2}'),
  { answered: '\ufeff[]' },
  { sent: '{"n\\u0061me":"Zoë 🐈‍⬛ \\ud83d\\u0000","categoryId":2,"status":"sold"}' },
  { sent: printPet({ staus: 'sold', color: { red: [null] } }) },
  ...rowsOf(toType, 'application/json; charset=utf-8', 'Application/JSON'),
  // A semicolon may have nothing after it. Source: RFC 9110 section 5.6.6
  toType('application/json;'),
  { ...creation, headers: chunked },

  ...rowsOf((status) => ({ status }), 400, 401),
  ...rowsOf((status) => ({ ...creation, status }), 400, 401),
  ...rowsOf((status) => ({ ...one, status }), 200, 401, 404),
  ...rowsOf(toAnswered, '[]', ' [ \n ] ', `[${printPet()},${printPet({ status: undefined, color: 'red' })}]`),
  { answered: `[${printPet({ status: undefined, staus: 'sold' })}]` },
  { ...one, answered: '{"id":1.0,"name":"Rex","categoryId":-1e2}' },
  ...rowsOf(toAnswerType, 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'),
  { answered: '[]', answerHeaders: { 'Content-Type': undefined, 'CONTENT-type': 'Application/JSON' } },
  { ...inCoding('gzip'), answered: gzipSync('[]') },
  { ...inCoding('deflate'), answered: deflateSync('[]') },
  { ...inCoding('zstd'), answered: zstdCompressSync('[]') },
];

const reported: readonly Row[] = [
  ...rowsOf(toKey, 'Bearer', 'Bearerk', 'Basic azpr', '', undefined, 'Bearer undefined', 'bearer null'),
  ...rowsOf((status) => ({ ...toKey(undefined), status }), 400, 401, 403, 429, 503),
  { ...creation, ...toKey(undefined) },
  ...rowsOf(
    (row) => ({ ...row, ...toKey(undefined), status: 401 }),
    { method: 'GET', sent: '{}' },
    { method: 'POST' },
  ),
  ...rowsOf((path) => ({ ...toKey(undefined), path, status: 404 }), '/pets/1', '/pets/%31'),
  { sent: JSON.stringify({ name: long(300), categoryId: 2 }), ...toKey(undefined), status: 400 },
  { ...toKey(undefined), path: '/pets/abc', status: 404, answered: '{}' },
  ...['GET /', 'GET /PETS', 'GET /pets/1/2', 'GET //pets', 'POST /pets/1', 'DELETE /pets/1', 'OPTIONS /pets']
    .map((line) => line.split(' '))
    .map(([method = '', path = '']) => ({ method, path, status: 404 })),
  { method: 'PUT', ...creation, status: 405 },
  ...rowsOf((path) => ({ path }), '/x/../pets', '/v1/pets?limit=1', `/${long(100)}`),
  { method: 'POST', path: '/pets/' },
  { method: 'GET', ...creation },
  { method: 'GET', sent: '{}', headers: { 'Content-Type': undefined } },
  { method: 'HEAD', path: '/pets/abc' },
  { method: 'HEAD', path: '/pets/', ...nothing },
  { ...creation, headers: { 'Content-Type': 'application/json; profile="a,b"' } },
  { method: 'HEAD', status: 403, ...nothing },
  { ...toAnswerType('text/event-stream'), status: 403 },
  ...rowsOf(toPath, '?limit=0', '?limit=101', '?limit=1000000000000000000000', '?limit=1.5', '?limit=abc'),
  ...rowsOf(toPath, '?limit=%ZZ', '?limit=1&limit=2', '?status=%20sold', '?limit=0&status=lost'),
  ...rowsOf(toPath, '?limit=', '?status=', '?limit=05', '?limit=%205', '?limit=0x10'),
  ...rowsOf(toPath, '?l%69mit=%61', '?limit=a&limit=b&limit=c&limit=d&limit=e', '?staus=sold'),
  ...rowsOf((status) => toPath(`?status=${status}`), long(100), `${long(79)}%F0%9F%90%88a`, long(2_000)),
  ...rowsOf((id) => toPath(`/${id}`), ...outside, 'abc', '1.5', '1%2F2', '1e3', '', '%ZZ'),
  ...rowsOf(toNewPet, { name: undefined }, ...readMembers('"name":5 "categoryId":"2" "categoryId":1.5')),
  ...rowsOf(toNewPet, { status: 'Available' }),
  ...rowsOf(
    toSent,
    '',
    '{}',
    '{"name":1,"categoryId":"1","status":null}',
    `[${newPet}]`,
    'null',
    '""',
    '{"name":',
    `{"name":[${'1,'.repeat(1_000)}`,
    '{"name":["a","b"],"categoryId":2}',
    '{"name":{"a":1},"categoryId":null}',
    '{"name":true,"categoryId":-1e400}',
  ),
  ...rowsOf(toCategory, ...outside, '2.00000000000000000001'),
  { method: 'POST' },
  ...rowsOf(toType, 'text/plain', 'application/x-www-form-urlencoded', 'application/json, text/plain'),
  ...rowsOf(toType, 'application/merge-patch+json', undefined),
  { sent: noUtf8 },
  {
    ...creation,
    headers: { ...chunked, 'Content-Type': 'text/plain' },
  },

  ...rowsOf((status) => ({ status }), 202, 206, 300, 403, 404, 429, 500, 501),
  { ...toAnswerType('text/html'), status: 403 },
  { status: 201, answered: printPet() },
  { ...creation, status: 200 },
  { ...one, status: 400 },
  ...rowsOf((status) => ({ status, ...nothing }), 204, 302, 304),
  { status: 503, ...nothing, answered: 'Busy' },
  { status: 503, answered: printError({ status: '503' }) },
  { answered: '', status: 302, answerHeaders: redirect },
  ...rowsOf(toAnswerType, 'text/html', 'text/json', 'application/hal+json', 'json'),
  { ...nothing, answered: '[]' },
  {
    ...toError({}),
    answerHeaders: { 'Content-Type': 'application/problem+json' },
  },
  { ...toAnswerType('text/plain'), status: 401 },
  { ...inCoding('gzip'), answered: gzipSync('[{}]') },
  {
    ...inCoding('gzip'),
    answered: '[]',
  },
  {
    ...inCoding('gzip'),
    answered: gzipSync('[]').subarray(0, -9),
  },
  { ...inCoding('compress') },
  {
    answered: `[${`${printPet()},`.repeat(50_000)}${printPet()}]`,
  },
  ...rowsOf(toPet, { id: undefined }, ...readMembers('"id":null "id":"1" "id":1.5')),
  ...rowsOf(toPet, ...readMembers('"name":[] "categoryId":true "status":""')),
  toPet({ name: 5, status: 'a\nb\u2028' }),
  { ...creation, answered: printPet({ id: undefined }) },
  { answered: `[{},${printPet({ id: '1', status: 'lost' })}]` },
  ...rowsOf(toError, { code: undefined }, ...readMembers('"message":[] "status":"401" "status":401.5')),
  ...rowsOf(toAnswered, '{}', 'null', '5', '[null]', '[{}]', '[', ''),
  ...rowsOf((answered) => ({ ...one, answered }), '[]', 'null', '{}', `[${printPet()}]`),
  ...rowsOf((answered) => ({ ...one, answered, status: 404 }), '[]', 'null', '{"error":"Unauthorized"}'),
  ...rowsOf(
    toId,
    ...outside,
    '7.00000000000000000001',
    '0.99999999999999999999',
    '1e-400',
    '9007199254740993.5',
  ),
  ...rowsOf(toId, `1${'0'.repeat(99)}`, `7.${'0'.repeat(2_000)}1`),
  ...rowsOf((id) => ({ answered: `[${toId(id).answered}]` }), ...outside),
  { ...one, answered: noUtf8 },
  { answered: JSON.stringify(Array(60).fill({})) },
];

const sold = ',"status":"sold"';
const soldPet = `{"name":"Rex","categoryId":2${sold}}`;
const withId = (id: number | string, members = '') => `{"id":${id},"name":"Rex","categoryId":2${members}}`;
const listOf = (length: number) => `[${Array.from({ length }, (_, id) => withId(id + 1)).join()}]`;
const toEcho = (sent: string, answered: string) => ({ sent, answered });

/** Responses that break a rule for one exchange, also next to members that are given twice, unless the rule reads them. */
const breaking: readonly Row[] = [
  { path: '/pets?limit=2', answered: listOf(3) },
  { path: '/pets?limit=500', answered: listOf(101) },
  { path: '/pets?status=sold&l%69mit=100', answered: listOf(101) },
  ...rowsOf((path) => ({ path, answered: listOf(21) }), '/pets', '/pets?sort=name'),
  { path: '/pets?status=available', answered: `[${withId(1, sold)},${withId(2)},${withId(3, sold)}]` },
  toAnswered(`[${[int64[1] ?? '', 1, '1.0', '1e0', int64[1] ?? ''].map((id) => withId(id)).join()}]`),
  { path: '/pets/9223372036854775806', answered: withId(int64[1] ?? '') },
  toEcho(soldPet, '{"id":1,"name":"rex","categoryId":3,"status":"pending"}'),
  toEcho(soldPet, withId(1)),
  toEcho('{"name":"Zoe\u0301","categoryId":2}', '{"id":1,"name":"Zoé","categoryId":2}'),
  toEcho('{"name":"\ud83d\udc08e","categoryId":2}', '{"id":1,"name":"\ud83d\udc08é","categoryId":2}'),
  {
    path: '/pets?limit=1',
    answered: `[${withId(1, ',"tag":1,"tag":1')},${withId(1, ',"a":":","\\u0061":2')}]`,
  },
  { path: '/pets?status=available', answered: `[${withId(1, sold + sold)},${withId(2, sold)}]` },
  { ...one, answered: withId(2, `,"tags":[{"id":1,"id":2}],"note":"\\":\\"a"${sold}${sold}`) },
  toEcho(newPet.replace('}', ',"x":1,"x":2}'), '{"id":1,"name":"rex","categoryId":3,"categoryId":3}'),
  { status: 401, answered: printError({ status: 403 }) },
  { ...creation, status: 429, answered: printError({ status: 200 }) },
];

/** Exchanges of every operation and status, and one for each rule of a message that can be broken. */
export const corpus: readonly SampleExchange[] = [...allowed, ...reported, ...breaking].map(toExchange);

/** Answers a request as its exchange of the corpus has it. */
export const answerSample: RequestListener = (request, response) => {
  const index = Number(request.headers['x-exchange']);
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
