import { expect, test } from 'vitest';
import type { Shape } from '../failures/failure.ts';
import { createExchange, type Told } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import {
  type Exchange,
  hasValidKey,
  isAscii,
  isDecodable,
  isPathDecodable,
  type SuiteRequest,
  toOperation,
} from './exchange.ts';

const target = createTarget();

const PET = '{"id":7,"name":"Rex","categoryId":1}';
const post = { method: 'POST', status: 201, body: PET } as const;

const flags = [
  'isList',
  'isSuccess',
  'isAddition',
  'isPage',
  'isGatewayPage',
  'asksToWait',
  'isPageFor503',
  'isTooMany',
  'isUnreached',
  'isUnanswered',
  'isRefused',
  'isCut',
  'isUncertain',
  'isOverQuota',
  'hasError',
  'isRefusedAsFull',
] as const;

const html = { 'content-type': 'text/HTML; charset=utf-8' };
const retry = { 'retry-after': '1' };

const ERROR = '{"code":"a","message":"No.","status":500}';

type Row = [what: string, told: Told, expected: readonly (typeof flags)[number][]];

test.for<Row>([
  ['a list', { status: 200, body: '[]' }, ['isList', 'isSuccess']],
  ['a list with a query', { status: 200, body: '[]', path: '/pets?x' }, ['isList', 'isSuccess']],
  ['a list with 206', { status: 206, body: '[]' }, ['isSuccess']],
  ['a list of another path', { status: 200, body: '[]', path: '/pets/' }, ['isSuccess']],
  ['a list below another path', { status: 200, body: '[]', path: '/x/pets' }, ['isSuccess']],
  ['a list for POST', { status: 200, body: '[]', method: 'POST' }, ['isSuccess']],
  ['an object', { status: 200, body: '{}' }, ['isSuccess']],
  [
    'a list that is cut',
    { status: 200, body: '[]', failure: 'body ended' },
    ['isSuccess', 'isCut', 'isUncertain'],
  ],
  ['201', post, ['isSuccess', 'isAddition']],
  ['201 for GET', { status: 201 }, ['isSuccess']],
  ['200 for POST', { status: 200, method: 'POST' }, ['isSuccess']],
  ['299', { status: 299 }, ['isSuccess']],
  ['300', { status: 300 }, []],
  ['199', { status: 199 }, []],
  ['a page by its type', { status: 200, headers: html }, ['isSuccess', 'isPage']],
  ['a page by its start', { status: 404, body: ' \n<!DOCTYPE html>' }, ['isPage']],
  ['a page without a type', { status: 404, body: '<HTML>' }, ['isPage']],
  ['a page after 100 bytes', { status: 404, body: `${' '.repeat(100)}<html>` }, []],
  ['a word with html', { status: 404, body: 'the <html>' }, []],
  ['429', { status: 429 }, ['asksToWait', 'isTooMany']],
  ['a page with 429', { status: 429, headers: html }, ['isPage', 'isGatewayPage', 'asksToWait', 'isTooMany']],
  ['503', { status: 503 }, []],
  ['503 with Retry-After', { status: 503, headers: retry }, ['asksToWait', 'isTooMany']],
  [
    'a page with 503',
    { status: 503, headers: html },
    ['isPage', 'isGatewayPage', 'isPageFor503', 'isTooMany'],
  ],
  ['502', { status: 502, headers: retry }, ['isUnreached', 'isUncertain']],
  [
    'a page with 503 at any rate',
    { status: 503, headers: html, isAtAnyRate: true },
    ['isPage', 'isGatewayPage', 'isPageFor503', 'isUnreached'],
  ],
  [
    'a page with 502',
    { status: 502, headers: html },
    ['isPage', 'isGatewayPage', 'isUnreached', 'isUncertain'],
  ],
  [
    'a page with 504',
    { status: 504, headers: html },
    ['isPage', 'isGatewayPage', 'isUnreached', 'isUncertain'],
  ],
  ['a page with 500', { status: 500, headers: html }, ['isPage']],
  ['502 and an Error', { status: 502, body: ERROR }, ['hasError']],
  ['502 and no status in its Error', { status: 502, body: '{"code":"a"}' }, ['isUnreached', 'isUncertain']],
  [
    '502 and a status that is a string',
    { status: 502, body: '{"code":"a","status":"502"}' },
    ['isUnreached', 'isUncertain'],
  ],
  ['502 and no code in its Error', { status: 502, body: '{"status":502}' }, ['isUnreached', 'isUncertain']],
  ['504 and an Error', { status: 504, body: ERROR }, ['hasError']],
  ...[402, 403, 409, 507].map(
    (status): Row => [`${status} and an Error`, { status, body: ERROR }, ['hasError', 'isRefusedAsFull']],
  ),
  ['507', { status: 507 }, []],
  ['400 and an Error', { status: 400, body: ERROR }, ['hasError']],
  [
    '429 for a POST for more than a minute, and an Error',
    { status: 429, method: 'POST', headers: { 'retry-after': '61' }, body: ERROR },
    ['asksToWait', 'isTooMany', 'isOverQuota', 'hasError', 'isRefusedAsFull'],
  ],
  [
    '429 for a POST for a minute, and an Error',
    { status: 429, method: 'POST', headers: { 'retry-after': '60' }, body: ERROR },
    ['asksToWait', 'isTooMany', 'hasError'],
  ],
  [
    '429 for a GET for more than a minute, and an Error',
    { status: 429, headers: { 'retry-after': '61' }, body: ERROR },
    ['asksToWait', 'isTooMany', 'hasError'],
  ],
  ['no answer in time', { failure: 'timeout' }, ['isUnanswered', 'isUncertain']],
  ['a refused connection', { failure: 'refused' }, ['isRefused']],
  ['a proxy that fails', { failure: 'proxy' }, ['isRefused']],
  ['a cut connection', { failure: 'cut' }, ['isCut', 'isUncertain']],
  ['a certificate', { failure: 'certificate' }, []],
])('what an exchange with %s is', ([, told, expected]) => {
  const exchange = createExchange(told);
  expect(flags.filter((name) => exchange[name])).toEqual(expected);
});

test('the words of an error are those of a 5xx of the service', () => {
  const wordsOf = (status: number, headers = {}) =>
    createExchange({ status, headers, body: '{"message":"No connection"}' }).words;
  expect([wordsOf(500), wordsOf(502), wordsOf(499), wordsOf(200)]).toEqual([
    ...['No connection', 'No connection'],
    ...['', ''],
  ]);
  expect([wordsOf(500, html), wordsOf(502, html)]).toEqual(['No connection', '']);
});

test.for<[body: string, shape: Shape]>([
  ['{"id":7,"name":"Rex","categoryId":1}', { is: 'animal', id: '7' }],
  ['{"id":7}', { is: 'object', members: ['id'] }],
  ['{"id":"7","name":"Rex"}', { is: 'object', members: ['id', 'name'] }],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', { is: 'object', members: ['a', 'b', 'c', 'd', 'e'] }],
  ['[7,8]', { is: 'array', length: 2 }],
  ['"Rex"', { is: 'value', value: '"Rex"' }],
  ['null', { is: 'value', value: 'null' }],
  ['', { is: 'empty' }],
  ['Rex', { is: 'text', text: 'Rex' }],
])('what the body %s is', ([body, shape]) => {
  expect(createExchange({ status: 200, body }).shape).toEqual(shape);
});

test('an exchange has the animals, the ids and the times of its messages', () => {
  const added = createExchange({ ...post, sent: '{"name":"Rex"}' });
  expect([added.id, added.animal, added.sent]).toEqual([
    7n,
    { id: 7n, name: 'Rex', categoryId: 1n },
    { name: 'Rex' },
  ]);
  expect([added.at, added.ms, added.end, added.outcome, added.traceId]).toEqual([100, 7, 107, '201', '0af7']);
  const fetched = createExchange({ status: 404, body: PET, path: '/pets/12' });
  expect([fetched.requestedId, fetched.animal, fetched.id]).toEqual([12n, undefined, 7n]);
  for (const path of ['/pets/1.5', '/pets/7/', '/pets', '/v1/pets/7'])
    expect(createExchange({ path }).requestedId).toBe(undefined);
  expect(createExchange({ status: 200, body: `[7,${PET},null,[1]]` }).animals).toEqual([added.animal]);
  const without = createExchange({ failure: 'cut', sent: '[1]' });
  expect([without.status, without.outcome, without.sent, without.json]).toEqual([
    0,
    'no answer (why cut)',
    {},
    undefined,
  ]);
  expect(createExchange({ status: 200, body: '{"id":"7"}' }).id).toBe(undefined);
  expect(createExchange({ status: 429, headers: retry }).retryAfter).toBe('1');
});

test('of a body of more than 16 KiB the beginning is kept, without half a key at its end', () => {
  const whole = `{"id":7,"x":"${'x'.repeat(16 * 1024 - 15)}"}`;
  const short = createExchange({ status: 200, body: whole });
  expect([short.response?.body.length, short.response?.length]).toEqual([16 * 1024, undefined]);
  expect(short.json).toHaveProperty('x');
  const body = `${'{"id":7,"x":"'.padEnd(4 * 1024 - 3, '-')}test-key${'-'.repeat(20_000)}"}`;
  const long = createExchange({ status: 200, body });
  expect([long.response?.length, long.json]).toEqual([body.length, { id: 7n }]);
  const kept = String(long.response?.body);
  expect([kept.length, kept.slice(-4)]).toEqual([4 * 1024 - 3, '----']);
});

test('a request has the valid key if it was sent to the target with it, also with an earlier one', () => {
  const { request } = createExchange({});
  const of = (others: Partial<SuiteRequest>) =>
    hasValidKey({ request: { ...request, ...others } } as Exchange, target);
  expect([of({ isAuthorized: true }), of({}), of({ isAuthorized: false })]).toEqual([true, false, false]);
  expect(of({ isAuthorized: true, base: 'http://127.0.0.1:9' })).toBe(false);
});

test('an operation has no query and no id', () => {
  const operationOf = (path: string) => toOperation({ ...createExchange({}).request, path });
  expect(
    ['/pets?a\n=1', '/pets/7?x', '/pets/a\nb', '/pets', '/messages', '/v1/pets/7'].map(operationOf),
  ).toEqual([
    'GET /pets',
    'GET /pets/{petId}',
    'GET /pets/{petId}',
    'GET /pets',
    'GET /messages',
    'GET /v1/pets/7',
  ]);
});

test('gateways take a path that is UTF-8 without a NUL, and servers a header that is ASCII', () => {
  expect(['/pets', '/%C3%A4', '/%', '/%FF', ''].map(isDecodable)).toEqual([true, true, false, false, false]);
  const isTaken = (path: string) => isPathDecodable({ ...createExchange({}).request, path });
  expect(['/pets?x=%FF%00', '/pets/%FF', '/pets/%00'].map(isTaken)).toEqual([true, false, false]);
  expect([isAscii('a~\x7f'), isAscii('ä'), isAscii(undefined)]).toEqual([true, false, true]);
});
