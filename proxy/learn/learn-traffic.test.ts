import { expect, test } from 'vitest';
import { completeBehaviour } from '../../common/behaviour/behaviours.ts';
import type { ChoiceName } from '../../common/behaviour/choices.ts';
import { printLearned } from '../../common/learn/learn.ts';
import type { Exchange } from '../exchange.ts';
import { learnTraffic } from './learn-traffic.ts';
import { KEPT_OF_SHAPE, LARGEST_RECORD, MOST_SHAPES, TrafficRecord } from './traffic-record.ts';

/** An exchange of a client. @default a GET of the list with the valid key, in JSON */
interface Told {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly authorization?: string;
  readonly type?: string;
  readonly sent?: object | string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Further headers of the request, in lower case. */
  readonly more?: Readonly<Record<string, string>>;
  readonly violations?: Exchange['violations'];
  readonly refusal?: Exchange['refusal'];
  /** When it was sent and answered, in ms. Without it, it follows the one before it. */
  readonly at?: number;
  readonly end?: number;
}

const KEY = 'Bearer secret-key';

function createExchange(told: Told): Exchange {
  const { path = '/pets', query = '', authorization = KEY, type = 'application/json', sent } = told;
  const { method = sent === undefined ? 'GET' : 'POST', status = 200, headers = {}, body = [] } = told;
  const text = typeof sent === 'string' || sent === undefined ? sent : JSON.stringify(sent);
  return {
    request: {
      method,
      target: `/v1${path}${query === '' ? '' : `?${query}`}`,
      path,
      query,
      headers: { authorization, ...(sent !== undefined && { 'content-type': type }), ...told.more },
      body: Buffer.from(text ?? ''),
    },
    response: {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    },
    operationId: 'listPets',
    violations: told.violations ?? [],
    sent: typeof sent === 'object' ? sent : undefined,
    answered: body,
    refusal: told.refusal,
  };
}

function recordAll(told: readonly Told[]): TrafficRecord {
  const record = new TrafficRecord();
  for (const [index, one] of told.entries()) {
    const { at = index * 10, end = at + 5 } = one;
    record.add(createExchange(one), at, end - at);
  }
  return record;
}

/** Learns a choice. @returns its value, or why it is unknown */
function learnOne(name: ChoiceName, told: readonly Told[]) {
  const { observed, behaviour, unknown } = learnTraffic(recordAll(told));
  return observed.includes(name) ? completeBehaviour(behaviour)[name] : `unknown: ${unknown[name]}`;
}

const NOT_SENT = 'unknown: no client sent requests that show it';

const animal = (id: number, more: object = {}) => ({ id, name: `Rex ${id}`, categoryId: 1, ...more });
const animals = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => animal(from + index, { status: 'sold' }));
const list = (query: string, body: readonly object[], more: Told = {}): Told => ({ query, body, ...more });
const post = (sent: object | string, id: number, more: Told = {}): Told => {
  const object = typeof sent === 'string' ? { name: 'x', categoryId: 1 } : sent;
  return { sent, status: 201, body: { ...object, id }, ...more };
};
const refusal = (status: number, more: Told = {}): Told => ({
  status,
  body: { code: 'invalid_request', message: 'It is wrong.', status },
  ...more,
});
const rex = { name: 'Rexi 1', categoryId: 1 };
const violation = {
  severity: 'error',
  location: ['response', 'body'],
  place: 'response.body',
  rule: 'type',
  expected: undefined,
  missing: undefined,
  message: '',
  received: undefined,
} as const;
const undocumented = [{ ...violation, severity: 'warning', rule: 'undocumented-status' }] as const;
const charset = { 'content-type': 'application/json; charset=utf-8' };
const short = list('', animals(1, 20));
const long = list('limit=100', animals(1, 30));

type Row = readonly [what: string, name: ChoiceName, told: readonly Told[], expected: string | number];

test.for<Row>([
  ['a response', 'charset', [list('', [], { headers: charset })], 'utf-8'],
  [
    'responses that differ',
    'charset',
    [list('', []), list('', [], { headers: charset })],
    'unknown: responses differ',
  ],
  [
    'a response that breaks the contract',
    'charset',
    [list('', []), list('', [], { headers: charset, violations: [violation] })],
    'absent',
  ],
  [
    'a request that breaks the contract',
    'malformedId',
    [list('', []), refusal(400, { path: '/pets/undefined', violations: undocumented })],
    400,
  ],
  [
    'a response of a fault of a mock',
    'charset',
    [list('', []), list('', [], { headers: { ...charset, 'x-fault': '1' } })],
    'absent',
  ],
  [
    'a response that the proxy refused',
    'charset',
    [list('', []), list('', [], { headers: charset, refusal: { code: 'upstream_failed', message: '' } })],
    'absent',
  ],
  [
    'a limit above 100 between lists of one length',
    'limitAbove100',
    [short, long, list('limit=200', animals(1, 30)), short, long],
    'clamp',
  ],
  [
    'a limit above 100 while others add animals',
    'limitAbove100',
    [short, long, post(rex, 31), list('limit=200', animals(1, 20)), short, list('limit=100', animals(1, 31))],
    NOT_SENT,
  ],
  [
    'a limit above 100 during a POST that gets no response in time',
    'limitAbove100',
    [short, long, list('limit=200', animals(1, 20)), short, long, post(rex, 31, { at: 15, end: 90 })],
    NOT_SENT,
  ],
  [
    'a limit below 1 next to lists before it only',
    'limitBelow1',
    [short, list('limit=0', animals(1, 1))],
    NOT_SENT,
  ],
  ['a refused limit', 'limitBelow1', [short, refusal(400, { query: 'limit=0' })], 'refuse'],
  [
    'a refused limit of a wrong key',
    'limitBelow1',
    [refusal(400, { query: 'limit=0', authorization: 'Bearer a' })],
    NOT_SENT,
  ],
  [
    'a parameter of paging that has an effect',
    'unknownParameters',
    [short, list('page=2', animals(21, 10)), short],
    NOT_SENT,
  ],
  [
    'a parameter without an effect, which the service may know',
    'unknownParameters',
    [short, list('offset=0', animals(1, 20)), short],
    NOT_SENT,
  ],
  [
    'two parameters without an effect',
    'unknownParameters',
    [short, list('offset=0', animals(1, 20)), short, list('_=1', animals(1, 20)), short],
    'ignore',
  ],
  [
    'a parameter without an effect, and two refused ones',
    'unknownParameters',
    [
      ...[short, list('offset=0', animals(1, 20)), short],
      ...[refusal(400, { query: '_=1' }), refusal(400, { query: 'sort=name' })],
    ],
    'refuse',
  ],
  ['one refused parameter', 'unknownParameters', [short, refusal(400, { query: 'page=0' })], NOT_SENT],
  [
    'two refused parameters',
    'unknownParameters',
    [short, refusal(400, { query: 'page=0' }), refusal(400, { query: 'sort=name&limit=20' })],
    'refuse',
  ],
  ['a refused member', 'unknownMembers', [refusal(400, { sent: { ...rex, tag: 1 } }), short], NOT_SENT],
  [
    'a refused member, and the same animal without it',
    'unknownMembers',
    [refusal(400, { sent: { ...rex, tag: 1 } }), post(rex, 31)],
    'refuse',
  ],
  [
    'a refused member, and the same animal before it, whose name may be taken',
    'unknownMembers',
    [post(rex, 31), refusal(400, { sent: { ...rex, tag: 1 } })],
    NOT_SENT,
  ],
  ['a member that is kept', 'unknownMembers', [post({ ...rex, tag: 1 }, 31)], 'keep'],
  ['a name again', 'uniqueNames', [post(rex, 31), post(rex, 32), list('', [animal(31), animal(32)])], 'no'],
  [
    'a name again after a reset',
    'uniqueNames',
    [post(rex, 31), post(rex, 31), list('', [animal(31)])],
    NOT_SENT,
  ],
  [
    'a refused name',
    'uniqueNames',
    [post(rex, 31), refusal(400, { sent: rex }), { path: '/pets/31', body: animal(31) }],
    'unknown: taken names are refused, perhaps also in another case',
  ],
  [
    'a refused name whose other case is accepted',
    'uniqueNames',
    [
      post(rex, 31),
      refusal(400, { sent: rex }),
      post({ ...rex, name: 'rexi 1' }, 32),
      { path: '/pets/31', body: animal(31) },
    ],
    'required',
  ],
  [
    'a refused empty name, and nothing about spaces',
    'emptyNames',
    [
      post(rex, 31),
      post(rex, 32),
      list('', [animal(31), animal(32)]),
      refusal(400, { sent: { ...rex, name: '' } }),
    ],
    'unknown: empty names are refused, perhaps also those of spaces only',
  ],
  [
    'a refused empty name, and a refused one of spaces that may be too short',
    'emptyNames',
    [
      ...[post(rex, 31), post(rex, 32), list('', [animal(31), animal(32)])],
      ...['', '  '].map((name) => refusal(400, { sent: { ...rex, name } })),
    ],
    'unknown: empty names are refused, perhaps also those of spaces only',
  ],
  [
    'a refused empty name, and a refused one of spaces',
    'emptyNames',
    [
      ...[post(rex, 31), post(rex, 32), list('', [animal(31), animal(32)])],
      post({ ...rex, name: 'Al' }, 33),
      ...['', '  '].map((name) => refusal(400, { sent: { ...rex, name } })),
    ],
    'blank',
  ],
  [
    'a refused empty name, and an accepted one of spaces',
    'emptyNames',
    [
      ...[post(rex, 31), post(rex, 32), list('', [animal(31), animal(32)])],
      ...[refusal(400, { sent: { ...rex, name: '' } }), post({ ...rex, name: '  ' }, 33)],
    ],
    'refused',
  ],
  [
    'ids of a mock that a test resets',
    'ids',
    [31, 32, 31, 32, 31, 32, 31, 32, 31, 32, 31, 32].map((id) => post({ ...rex, name: `Rexi ${id}` }, id)),
    'unknown: no response to POST shows it',
  ],
  [
    'a scheme in lower case that is refused when the key may have expired',
    'schemeCase',
    [short, refusal(401, { authorization: KEY.toLowerCase() })],
    NOT_SENT,
  ],
  [
    'a scheme in lower case that is refused between two lists',
    'schemeCase',
    [short, refusal(401, { authorization: 'bearer secret-key' }), short],
    'exact',
  ],
  [
    'a path of another resource',
    'unknownPaths',
    [short, refusal(404, { path: '/orders/1' }), { path: '/orders/2', body: {} }],
    NOT_SENT,
  ],
  ['a path that got nothing but 404', 'unknownPaths', [short, refusal(404, { path: '/animals/1' })], 'error'],
  [
    'a message about another member',
    'refusedMember',
    [
      short,
      refusal(400, { sent: { name: 'Rexi 1' }, body: { code: 'x', message: 'name is taken', status: 400 } }),
    ],
    NOT_SENT,
  ],
  ['a HEAD', 'head', [short, { method: 'HEAD', status: 405, body: '' }], 405],
  [
    'a new animal that is gone after a reset',
    'getDelay',
    [
      post(rex, 31, { at: 0, end: 5 }),
      { path: '/pets/31', body: animal(31), at: 400, end: 405 },
      post({ ...rex, name: 'Rexi 2' }, 32, { at: 500, end: 505 }),
      refusal(404, { path: '/pets/32', at: 600, end: 605 }),
    ],
    'unknown: no client asked for a new animal soon enough',
  ],
  [
    'a new animal that is found later',
    'getDelay',
    [
      post(rex, 31, { at: 0, end: 5 }),
      refusal(404, { path: '/pets/31', at: 250, end: 255 }),
      { path: '/pets/31', body: animal(31), at: 310, end: 315 },
    ],
    300,
  ],
  [
    'a list that is not read again',
    'etag',
    [
      list('', animals(1, 3), { headers: { etag: 'W/"1"' } }),
      { path: '/pets/1', body: animal(1), headers: { etag: 'W/"2"' } },
      {
        more: { 'if-none-match': 'W/"1"' },
        status: 304,
        headers: { etag: 'W/"1"' },
        violations: undocumented,
      },
    ],
    'all',
  ],
  ['a refused method', 'allow', [short, refusal(405, { method: 'DELETE', path: '/pets/1' })], 'absent'],
  [
    'a slash at the end',
    'trailingSlash',
    [short, { path: '/pets/', status: 307, headers: { location: '/v1/pets' } }],
    'redirect',
  ],
  [
    'a name refused with 409 whose other case is accepted',
    'uniqueNames',
    [
      post(rex, 31),
      refusal(409, { sent: rex }),
      post({ ...rex, name: 'rexi 1' }, 32),
      { path: '/pets/31', body: animal(31) },
    ],
    'conflict',
  ],
  [
    'a name refused with 409 by a store that may be full',
    'uniqueNames',
    [post(rex, 31), refusal(409, { sent: rex }), { path: '/pets/31', body: animal(31) }],
    NOT_SENT,
  ],
  [
    'a limit above 100 next to lists of another key',
    'limitAbove100',
    [short, long, list('limit=200', animals(1, 30), { authorization: 'Bearer other' }), short, long],
    NOT_SENT,
  ],
  [
    'a name again with another key',
    'uniqueNames',
    [post(rex, 31), post(rex, 32, { authorization: 'Bearer other' }), list('', [animal(31), animal(32)])],
    NOT_SENT,
  ],
  [
    'lists long before and long after a new animal shows',
    'listDelay',
    [
      list('limit=100', animals(1, 3), { at: 0, end: 5 }),
      post(rex, 31, { at: 10, end: 15 }),
      list('limit=100', animals(1, 3), { at: 450, end: 455 }),
      list('limit=100', [...animals(1, 3), animal(31)], { at: 1_590, end: 1_600 }),
    ],
    'unknown: the traffic has no list soon after a new animal',
  ],
  [
    'a body of another media type that is refused for any reason',
    'otherMediaTypes',
    [post({ ...rex, name: 'Rexi 2' }, 31), refusal(400, { sent: rex, type: 'text/plain' })],
    NOT_SENT,
  ],
  [
    'a refused body of another media type, and the same animal in JSON',
    'otherMediaTypes',
    [refusal(400, { sent: rex, type: 'text/plain' }), post(rex, 31)],
    400,
  ],
  [
    'a body of another media type that is refused with 415',
    'otherMediaTypes',
    [short, refusal(415, { sent: rex, type: 'text/plain' })],
    415,
  ],
  [
    'a limit of 03 between lists that never have more than one animal',
    'limitLeadingZero',
    [list('', animals(1, 1)), list('limit=03', animals(1, 1)), list('', animals(1, 1))],
    NOT_SENT,
  ],
  [
    'a name again, of which another one was stored',
    'uniqueNames',
    [
      post('{"name":"Rexi 2","name":"Rexi 1","categoryId":1}', 31, {
        body: { ...rex, name: 'Rexi 2', id: 31 },
      }),
      post(rex, 32),
      list('', [animal(31), animal(32)]),
    ],
    NOT_SENT,
  ],
  ['few requests', 'rateLimit', [short], 'unknown: the traffic was too slow'],
  ['many requests', 'rateLimit', Array.from({ length: 120 }, () => short), 'none'],
  [
    'many slow requests',
    'rateLimit',
    Array.from({ length: 120 }, (_, index) => ({ ...short, at: index * 5_000 })),
    'unknown: the traffic was too slow',
  ],
])('%s: %s', ([, name, told, expected]) => {
  expect(learnOne(name, told)).toBe(expected);
});

test('a file has no name, key, id, query and member of the traffic', () => {
  const ada = { name: 'Ada Lovelace', categoryId: 4711, nickname: 'Countess', status: 'sold' };
  const record = recordAll([
    list('owner=ada@example.com&limit=5', [animal(815, ada)]),
    list('status=Ada', [animal(815, ada)], { headers: { 'x-ada': '1', location: '/ada' } }),
    refusal(404, { path: '/pets/Ada' }),
    refusal(404, { path: '/ada/815', query: 'token=secret-key' }),
    refusal(401, { authorization: 'Bearer wrong-key' }),
    refusal(400, { query: 'limit=ada' }),
    post(ada, 815),
    { path: '/pets/815', body: animal(815, ada) },
    ...Array.from({ length: 10 }, (_, index) => post({ ...ada, name: `Ada ${index}` }, 900 + index)),
  ]);
  const learned = learnTraffic(record);
  expect(learned.observed.length).toBeGreaterThan(8);
  const text = printLearned(learned);
  expect(text).not.toMatch(/ada|lovelace|countess|nickname|secret|wrong-key|4711|815|90\d|token|owner/i);
  const { evidence } = learned;
  expect(evidence.location).toEqual([
    {
      request: 'POST /pets, unlisted category, further members',
      status: 201,
      headers: ['content-type'],
      animals: [],
    },
    {
      request: 'POST /pets, unlisted category, further members',
      status: 201,
      headers: ['content-type'],
      animals: [],
    },
  ]);
});

test('the record of days of traffic is bounded', () => {
  const record = new TrafficRecord();
  const body = animals(1, 100).map((one) => ({ ...one, name: 'x'.repeat(500) }));
  const wide = createExchange(list('limit=100', body));
  for (let index = 0; index < 1_000; index += 1) record.add(wide, index, 1);
  expect(record.kept.length).toBe(2 * KEPT_OF_SHAPE);
  expect(record.kept.map(({ at }) => at).slice(-2)).toEqual([998, 999]);
  for (let index = 0; index < 2 * MOST_SHAPES; index += 1) {
    const exchange = createExchange(list(`q${index}=1`, body));
    for (let again = 0; again < 10; again += 1) record.add(exchange, index, 1);
  }
  const bytes = record.kept.reduce((sum, { response }) => sum + response.body.length, 0);
  expect(bytes).toBeLessThanOrEqual(LARGEST_RECORD);
  expect(record.kept.length).toBeLessThanOrEqual(2 * KEPT_OF_SHAPE * MOST_SHAPES);
  expect(record.count).toBe(1_000 + 20 * MOST_SHAPES);
});
