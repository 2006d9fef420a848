import { expect, test } from 'vitest';
import { Exchange } from '../../contract-tests/client/exchange.ts';
import { createTarget } from '../../contract-tests/testing/run-suite.ts';
import { completeBehaviour } from '../behaviour/behaviours.ts';
import type { ChoiceName } from '../behaviour/choices.ts';
import type { ErrorCodes } from '../behaviour/error-codes.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../json/exact-json.ts';
import { learn } from './learn.ts';

/** An exchange of a run. Without a time it follows the one before it. */
interface Told {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sentHeaders?: Readonly<Record<string, string>>;
  readonly body?: ExactJson;
  readonly sent?: string;
  readonly mediaType?: string;
  /** What the request has as Authorization. Without the key of the target it is of a clause about keys. */
  readonly authorization?: string;
  readonly isAuthorized?: boolean;
  readonly base?: string;
  /** When it was sent and when it was answered, in ms. */
  readonly at?: number;
  readonly end?: number;
}

const target = createTarget({ baseUrl: 'http://store.example/v1' });

const KEY = `Bearer ${target.apiKey}`;

function createExchange(told: Told, index: number, secrets = target): Exchange {
  const {
    method = 'GET',
    path = '/pets',
    status = 200,
    headers = {},
    body,
    sent,
    base = target.baseUrl,
  } = told;
  const { mediaType = 'application/json', authorization = KEY, at = index * 10, end = at + 5 } = told;
  const request = {
    method,
    base,
    path,
    headers: {
      Authorization: authorization,
      ...(sent !== undefined && { 'Content-Type': mediaType }),
      ...told.sentHeaders,
    },
    body: sent,
    isAuthorized: told.isAuthorized ?? authorization === KEY,
  };
  const text = body === undefined ? '' : printExactJson(body);
  const response = { status, headers, body: Buffer.from(text) };
  return new Exchange(request, { response, failure: undefined }, secrets, at, end - at);
}

/** Learns a choice from a run. @returns its value and what shows it, or why it is unknown */
function learnOne(name: ChoiceName, told: readonly Told[], allowsWrites = true) {
  const { behaviour, observed, unknown, evidence } = learn(
    told.map((one, index) => createExchange(one, index)),
    {
      ...target,
      allowsWrites,
    },
  );
  if (!observed.includes(name)) return [unknown[name]];
  const shown = evidence[name]?.map(({ request, status }) => `${request} ${status}`);
  return [completeBehaviour(behaviour)[name], shown?.join(', ')];
}

type Row = readonly [
  what: string,
  told: readonly Told[],
  value: ExactJson | string | number | ErrorCodes,
  evidence?: string,
];

const UNCERTAIN = 'the time is not certain enough';
const NOT_SHOWN = 'no response shows it';
const NOT_OF_TIME = 'ids grow with gaps, but not with the time';
const NOT_CREATED = 'no response to POST shows it';
const DIFFERENT = 'responses differ';
const NO_VALUE = 'no value describes what was observed';
const OF_ANY_CASE = 'taken names are refused, perhaps also in another case';
const PERHAPS_BLANK = 'empty names are refused, perhaps also those of spaces only';
const TOO_FEW = 'the deployment has too few animals';

function animal(id: number | bigint, others: JsonObject = {}): JsonObject {
  return { id: BigInt(id), name: `Animal ${id}`, categoryId: 1n, status: 'sold', ...others };
}

/** Animals with these ids. */
const animals = (from: number, to: number, others: JsonObject = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => animal(from + index, others));

const list = (query: string, body: readonly JsonObject[], others: Told = {}): Told => {
  return { path: `/pets${query}`, body, ...others };
};

const refusal = (path: string, status = 400, others: Told = {}): Told => ({
  path,
  status,
  body: { code: 'bad', message: 'x', status: BigInt(status) },
  ...others,
});

/** An Error with a code. */
const failure = (status: number, code: string): Told => refusal('/pets', status, { body: { code } });

/** An Error with a code, and another status than 400 if it is given. */
const refuseAs = (code: string, { path = '/pets', status = 400, ...others }: Told): Told =>
  refusal(path, status, { ...others, body: { code, message: 'x', status } });

/** An Error for a body. */
const refuseBodyAs = (code: string, sent: string): Told => refuseAs(code, { method: 'POST', sent });

/** Adds an animal. @param sent its members, as JSON text */
function add(id: number | bigint, sent = `"name":"Animal ${id}","categoryId":1`, others: Told = {}): Told {
  const shown = JSON.parse(`{${sent}}`);
  const { name = '', status = 'available' } = shown;
  const body = animal(id, { name, status });
  return { method: 'POST', sent: `{${sent}}`, status: 201, body, ...others };
}

const refuse = (sent: string, status = 400): Told =>
  add(0, sent, { status, body: { code: 'bad', message: 'It is refused.', status } });

const refuseWith = (sent: string, message: string): Told =>
  add(0, sent, { status: 400, body: { code: 'bad', message, status: 400n } });

const fetch = (id: number, others: Told = {}): Told => ({ path: `/pets/${id}`, body: animal(id), ...others });

const ALL = '?limit=100';
const FURTHER = '?limit=1&page=2&offset=3&skip=4';

/** Two lists of the same order. */
const ordered = [list('', animals(1, 8)), list(ALL, animals(1, 30))];

/** The members of an animal with a name. */
const ofName = (name: string) => `"name":"${name}","categoryId":1`;

/** Eight lists that take some milliseconds each. */
const readsOf = (ms: number) =>
  Array.from({ length: 8 }, (_, index) => list('', [], { at: 1_000 * index, end: 1_000 * index + ms }));

/** Eight additions that take some milliseconds each. */
const creationsOf = (ms: number) =>
  Array.from({ length: 8 }, (_, index) =>
    add(index, undefined, { at: 1_000 * index, end: 1_000 * index + ms }),
  );

/** An animal of each status. */
const ofEachStatus = [animal(1), animal(2, { status: 'pending' }), animal(3, { status: 'available' })];

const ofStatus = (status: string) => `${ALL}&status=${status}`;

/** Animals with categories that no listed animal has. */
const ofCategories = (accepted: readonly number[], refused: readonly number[]): readonly Told[] => [
  list('', animals(1, 2)),
  add(49, '"name":"Animal 49","categoryId":1'),
  ...accepted.map((category, index) =>
    add(50 + index, `"name":"Animal ${50 + index}","categoryId":${category}`),
  ),
  ...refused.map((category, index) => refuse(`"name":"Animal ${60 + index}","categoryId":${category}`)),
];

/** Animals that are added every 100 ms, with ids of the time. @param unit how many make a millisecond */
const idsOfTime = (unit: number, speed = 1): readonly Told[] =>
  Array.from({ length: 8 }, (_, index) => {
    const ms = index * 100;
    return add((1_800_000_000_000 + ms * speed) * unit, undefined, { at: ms });
  });

/** The members of an animal with a name of so many letters. */
const nameOf = (length: number) => `"name":"${'x'.repeat(length)}","categoryId":1`;

/** A body with two names. */
const twice = '"name":"First","categoryId":1,"name":"Other"';

/** A new animal 9 that was added until 5 ms. */
const added = add(9, undefined, { at: 0 });
const lacking = (at: number) => list(ALL, animals(1, 1), { at });
const showing = (end: number) => list(ALL, [animal(9), animal(1)], { at: end - 5, end });

const delays: readonly Row[] = [
  ['shows it', [added, showing(20)], 0, `GET /pets${ALL} 200`],
  ['shows it late', [added, lacking(205), showing(320)], 300, `GET /pets${ALL} 200, GET /pets${ALL} 200`],
  // Clocks may differ by 20 ms.
  ['shows it a little early', [added, lacking(205), showing(280)], 300],
  ['shows it early', [added, lacking(205), showing(279)], 250],
  ['lacks it a little late', [added, lacking(324), showing(400)], 300],
  ['lacks it late', [added, lacking(325), showing(400)], 350],
  ['lacks it after 580 ms, and shows it after 780', [added, lacking(585), showing(780)], 700],
  ['lacks it after 500 ms, and shows it after 801', [added, lacking(505), showing(801)], UNCERTAIN],
  ['shows it before another one lacks it', [added, lacking(605), showing(500)], UNCERTAIN],
  ['lacks it for a moment', [added, lacking(5), showing(30)], 20],
  ['never shows it', [added, lacking(205)], UNCERTAIN],
  ['never shows it in a long time', [added, lacking(1_305)], UNCERTAIN],
  ['is not there', [added], UNCERTAIN],
  ['may show it at two times', [added, showing(400)], UNCERTAIN],
  ['lacked it before', [add(9, undefined, { at: 300 }), lacking(304), showing(320)], 0],
  ['of another status lacks it', [added, list(ofStatus('sold'), [], { at: 8 }), showing(20)], 0],
  [
    'of its status lacks it',
    [added, list(ofStatus('available'), [], { at: 205 }), showing(320)],
    300,
    `GET /pets${ofStatus('available')} 200, GET /pets${ALL} 200`,
  ],
  ['was cut', [added, list(ALL, animals(1, 2), { at: 8 }), showing(20)], 0],
  ['has another limit', [added, list('?limit=5', [], { at: 205 }), showing(20)], 0],
];

test.for(delays)('the delay of a new animal, if a list %s', ([, told, value, evidence]) => {
  const learned = learnOne('listDelay', told);
  expect(learned[0]).toEqual(value);
  if (evidence !== undefined) expect(learned[1]).toBe(evidence);
});

const twenty = list('', animals(1, 20));
const thirty = list(ALL, animals(1, 30));
const usual = [twenty, thirty];

/** Animals whose ids and names are in no order. */
const mixed = [3, 1, 2, 6, 4, 5].map((id) => animal(id, { name: `Rex ${(id * 4) % 7}` }));
/** Sorted by status, then by id, and not by name. */
const shelves = [4, 6, 7, 1, 2, 5].map((id, index) =>
  animal(id, { name: `Rex ${(id * 4) % 7}`, status: index < 3 ? 'available' : 'sold' }),
);
const named = (ids: readonly number[], names: string) =>
  ids.map((id, index) => animal(id, { name: `Rex ${names[index]}` }));

/** An animal with an ETag, and another request for it with the ETag. */
const taggedList = list('', [], { headers: { etag: '"1"' } });
const tagged = fetch(1, { headers: { etag: '"1"' } });
const again = (status: number, { sent = 'If-None-Match', etag = '"1"' } = {}): Told =>
  fetch(1, { status, headers: { etag }, sentHeaders: { [sent]: '"1"' } });

const PAGE = 'https://page.example';
const withKey = { 'access-control-allow-headers': 'Content-Type, Authorization' };

/** The preflight of a page. */
const preflight = (headers: Told['headers'] = {}, status = 204): Told => ({
  method: 'OPTIONS',
  authorization: '',
  sentHeaders: { Origin: PAGE, 'Access-Control-Request-Method': 'GET' },
  status,
  headers,
});

const rows: { readonly [Name in ChoiceName]?: readonly Row[] } = {
  order: [
    [
      'by status, then by id',
      [
        list('', shelves),
        add(9),
        list('', [...shelves.slice(0, 3), animal(9, { status: 'available' }), ...shelves.slice(3)]),
      ],
      'status,id',
    ],
    [
      'by status, but for one animal',
      [list('', shelves), add(9), list('', [...shelves.slice(0, 2), animal(9), ...shelves.slice(2)])],
      NO_VALUE,
    ],
    [
      'a new animal first',
      [list('', mixed), add(9), list('', [animal(9), ...mixed])],
      'newest',
      'GET /pets 200, GET /pets 200',
    ],
    ['a new animal last', [list('', mixed), add(9), list('', [...mixed, animal(9)])], 'oldest'],
    [
      'a new animal in the middle',
      [list('', mixed), add(9), list('', [...mixed.slice(0, 3), animal(9), ...mixed.slice(3)])],
      NO_VALUE,
    ],
    [
      'a new animal among four',
      [list('', mixed.slice(2)), add(9), list('', [animal(9), ...mixed.slice(2)])],
      NOT_SHOWN,
    ],
    [
      'two new animals that were added one after the other',
      [list('', mixed), add(8), add(9), list('', [animal(9), animal(8), ...mixed])],
      'newest',
    ],
    [
      'two new animals that were added at the same time',
      [
        list('', mixed),
        add(8, undefined, { at: 20, end: 40 }),
        add(9, undefined, { at: 25, end: 45 }),
        list('', [animal(8), animal(9), ...mixed], { at: 50 }),
      ],
      'newest',
    ],
    [
      'an animal that no list had before',
      [list('', mixed), add(9), list('', [animal(7), animal(9), ...mixed])],
      'newest',
    ],
    ['ids that rise', [list('', named([1, 2, 3, 4], 'DCAB'))], 'oldest'],
    ['ids that fall', [list('', named([4, 3, 2, 1], 'DCAB'))], 'newest'],
    ['ids below 0 that rise', [list('', named([-4, -3, -2, -1], 'DCAB'))], NOT_SHOWN],
    ['names that rise', [list('', named([3, 1, 4, 2], 'ABCD'))], 'name'],
    ['names that rise, of three animals', [list('', named([3, 1, 2], 'ABC'))], NOT_SHOWN],
    [
      'names that rise, in a case that languages sort otherwise',
      [list('', named([3, 1, 4, 2, 5], 'AaBCD'))],
      'name',
    ],
    ['ids and names that rise', [list('', named([1, 2, 3, 4], 'ABCD'))], 'more than one order fits'],
    ['another order each time', [list('', mixed), list('', mixed.toReversed())], 'random'],
    ['no order', [list('', mixed)], NO_VALUE],
    ['one animal', [list('', animals(1, 1))], NOT_SHOWN],
  ],
  pageSize: [
    ['a list of 100', [list(ALL, animals(1, 100))], 100, `GET /pets${ALL} 200`],
    ['a list of 30', [thirty], TOO_FEW],
    [
      'three lists of 7 after other animals',
      [
        list(ofStatus('sold'), animals(1, 7)),
        list(ofStatus('pending'), animals(8, 14)),
        list(ALL, animals(1, 7)),
      ],
      7,
      `GET /pets${ALL} 200`,
    ],
    [
      'four lists of 7',
      [
        ...['sold', 'pending', 'available'].map((one, index) =>
          list(ofStatus(one), animals(7 * index + 1, 7 * index + 7)),
        ),
        list(ALL, animals(1, 5)),
        list(ALL, animals(1, 7)),
      ],
      7,
      `GET /pets${ALL} 200`,
    ],
    [
      'lists of 50 for three limits above it, of more animals',
      [
        list(ofStatus('sold'), animals(51, 90)),
        ...[50, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 50))),
        list(ALL, animals(1, 50)),
      ],
      50,
    ],
    [
      'lists of 12 for three limits above it, which hide animals of a status',
      [
        list(ofStatus('pending'), animals(51, 60, { status: 'pending' })),
        ...[26, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 12))),
        list(ALL, animals(1, 12)),
      ],
      'it is not certain that the longest list was cut',
    ],
    [
      'three lists of 12 after other animals',
      [
        list(ofStatus('sold'), animals(1, 12)),
        list(ofStatus('pending'), animals(13, 24)),
        list(ALL, animals(1, 12)),
      ],
      12,
      `GET /pets${ALL} 200`,
    ],
    [
      'lists of 25 for three limits above it, of more animals',
      [
        list(ofStatus('sold'), animals(51, 60)),
        ...[26, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 25))),
        list(ALL, animals(1, 25)),
      ],
      25,
    ],
    [
      'a list of 20, and more animals in another one',
      [list(ofStatus('sold'), animals(21, 40)), list(ALL, animals(1, 20))],
      'it is not certain that the longest list was cut',
    ],
    [
      'two lists of 7 after other animals',
      [list(ofStatus('sold'), animals(1, 7)), list('', animals(8, 20)), list(ALL, animals(1, 7))],
      'it is not certain that the longest list was cut',
    ],
    [
      'three lists of 7 with the same animals',
      [
        list(ofStatus('sold'), animals(1, 7)),
        list(ofStatus('pending'), animals(1, 7)),
        list(ALL, animals(1, 7)),
      ],
      TOO_FEW,
    ],
  ],
  limitAbove100: [
    [
      'the list of limit=20',
      [list('?limit=20', animals(1, 20)), thirty, list('?limit=101', animals(1, 20))],
      'default',
    ],
    [
      'a list that was short before',
      [list(ALL, animals(1, 15)), ...usual, list('?limit=101', animals(1, 30))],
      'clamp',
    ],
    [
      'a usual list that was short before',
      [list('', animals(1, 5)), list('', animals(1, 30)), thirty, list('?limit=101', animals(1, 30))],
      NOT_SHOWN,
    ],
    ['400', [...usual, refusal('/pets?limit=101')], 'refuse', 'GET /pets?limit=101 400'],
    ['the longest list', [...usual, list('?limit=101', animals(1, 30))], 'clamp'],
    ['a list that grows', [...usual, list(ALL, animals(1, 32)), list('?limit=101', animals(1, 31))], 'clamp'],
    ['the usual list', [...usual, list('?limit=1000', animals(1, 20))], 'default'],
    ['another list', [...usual, list('?limit=101', animals(1, 31))], NO_VALUE],
    ['a shorter list', [...usual, list('?limit=101', animals(1, 29))], 29],
    [
      'a clamp to 30',
      [
        twenty,
        list(ALL, animals(1, 48)),
        list('?limit=101', animals(1, 30)),
        list('?limit=1000', animals(1, 30)),
      ],
      30,
      'GET /pets?limit=101 200, GET /pets?limit=1000 200',
    ],
    [
      'two shorter lists',
      [...usual, list('?limit=101', animals(1, 29)), list('?limit=1000', animals(1, 28))],
      DIFFERENT,
    ],
    ['an empty list', [...usual, list('?limit=101', [])], NO_VALUE],
    [
      'few animals',
      [list('', animals(1, 5)), list(ALL, animals(1, 5)), list('?limit=101', animals(1, 5))],
      NOT_SHOWN,
    ],
    ['429', [...usual, refusal('/pets?limit=101', 429)], NOT_SHOWN],
    ['422', [...usual, refusal('/pets?limit=101', 422)], NO_VALUE],
    [
      'the longest list, where lists are cut to 30',
      [
        twenty,
        list(ofStatus('sold'), animals(31, 60)),
        list(ofStatus('pending'), animals(61, 90)),
        thirty,
        list('?limit=101', animals(1, 30)),
      ],
      'clamp',
    ],
    [
      'different lists',
      [...usual, refusal('/pets?limit=101'), list('?limit=102', animals(1, 20))],
      DIFFERENT,
    ],
    ['a limit of 100', usual, NOT_SHOWN],
    ['two parameters', [...usual, refusal('/pets?limit=101&status=sold')], NOT_SHOWN],
  ],
  limitBelow1: [
    [
      'the usual list after one animal',
      [list('', animals(1, 1)), twenty, list('?limit=0', animals(1, 20))],
      'default',
    ],
    [
      '400',
      [refusal('/pets?limit=0'), refusal('/pets?limit=-1')],
      'refuse',
      'GET /pets?limit=0 400, GET /pets?limit=-1 400',
    ],
    ['one animal', [...usual, list('?limit=0', animals(1, 1))], 'clamp'],
    ['the usual list', [...usual, list('?limit=-5', animals(1, 20))], 'default'],
    [
      'the list of limit=20',
      [list('?limit=20', animals(1, 20)), list('?limit=0', animals(1, 20))],
      'default',
    ],
    ['an empty list', [...usual, list('?limit=0', [])], 'none'],
    ['an empty list of none', [list('', []), list('?limit=0', [])], NOT_SHOWN],
    ['another list', [...usual, list('?limit=0', animals(1, 5))], NO_VALUE],
    ['one animal of one', [list('', animals(1, 1)), list('?limit=0', animals(1, 1))], NOT_SHOWN],
    ['a limit of 1', [refusal('/pets?limit=1')], NOT_SHOWN],
  ],
  limitWord: [
    ['400', [refusal('/pets?limit=abc')], 'refuse', 'GET /pets?limit=abc 400'],
    ['the usual list', [...usual, list('?limit=abc', animals(1, 20))], 'default', 'GET /pets?limit=abc 200'],
    ['one animal', [...usual, list('?limit=abc', animals(1, 1))], 'one'],
    ['an empty list', [...usual, list('?limit=abc', [])], 'none'],
    ['another list', [...usual, list('?limit=abc', animals(1, 30))], NO_VALUE],
    ['422', [refusal('/pets?limit=abc', 422)], NO_VALUE],
    ['one animal of one', [list('', animals(1, 1)), list('?limit=abc', animals(1, 1))], NOT_SHOWN],
    ['an empty store', [list('', []), list('?limit=abc', [])], NOT_SHOWN],
    [
      'no word',
      ['Infinity', '1e3', '2.5', '02', '', '0'].map((text) => refusal(`/pets?limit=${text}`)),
      NOT_SHOWN,
    ],
  ],
  limitFraction: [
    ['400', [refusal('/pets?limit=2.5')], 'refuse', 'GET /pets?limit=2.5 400'],
    ['the usual list', [...usual, list('?limit=2.5', animals(1, 20))], 'default'],
    ['two animals', [...usual, list('?limit=2.5', animals(1, 2))], 'truncate'],
    ['three animals', [...usual, list('?limit=2.5', animals(1, 3))], NO_VALUE],
    ['one animal', [...usual, list('?limit=2.5', animals(1, 1))], NO_VALUE],
    ['the longest list for 100.5', [...usual, list('?limit=100.5', animals(1, 30))], 'truncate'],
    ['the usual list for 100.5', [...usual, list('?limit=100.5', animals(1, 20))], 'default'],
    [
      'all animals, where these are two',
      [list('', animals(1, 2)), list(ALL, animals(1, 2)), list('?limit=2.5', animals(1, 2))],
      NOT_SHOWN,
    ],
    [
      'all animals, where these are fewer than 100',
      [list('', animals(1, 9)), list(ALL, animals(1, 9)), list('?limit=100.5', animals(1, 9))],
      NOT_SHOWN,
    ],
    ['a list, where no other one is known', [list('?limit=2.5', animals(1, 2))], NOT_SHOWN],
    ['two animals, where no long list is known', [twenty, list('?limit=2.5', animals(1, 2))], 'truncate'],
    [
      'one animal of a store that was smaller',
      [list(ALL, animals(1, 1)), ...usual, list('?limit=2.5', animals(1, 1))],
      NO_VALUE,
    ],
    ['a fraction out of bounds', [refusal('/pets?limit=0.5'), refusal('/pets?limit=101.5')], NOT_SHOWN],
    ['two ways', [...usual, refusal('/pets?limit=2.5'), list('?limit=100.5', animals(1, 30))], DIFFERENT],
  ],
  limitLeadingZero: [
    [
      '400',
      [refusal('/pets?limit=08'), refusal('/pets?limit=02')],
      'refuse',
      'GET /pets?limit=08 400, GET /pets?limit=02 400',
    ],
    ['two animals for 02', [...usual, list('?limit=02', animals(1, 2))], 'decimal'],
    ['the usual list', [...usual, list('?limit=02', animals(1, 20))], 'default'],
    ['an empty list', [...usual, list('?limit=08', [])], NO_VALUE],
    [
      'no leading zero',
      [refusal('/pets?limit=0'), refusal('/pets?limit=00'), refusal('/pets?limit=10')],
      NOT_SHOWN,
    ],
  ],
  limitEmpty: [
    ['400', [refusal('/pets?limit=')], 'refuse', 'GET /pets?limit= 400'],
    ['the usual list', [...usual, list('?limit=', animals(1, 20))], 'default'],
    ['one animal', [...usual, list('?limit=', animals(1, 1))], 'one'],
    ['an empty list', [...usual, list('?limit=', [])], 'none'],
    ['no limit', usual, NOT_SHOWN],
  ],
  invalidStatus: [
    [
      'an empty list after an empty store',
      [list('', []), list('?limit=20', animals(1, 5)), list('?status=gone', [])],
      'empty',
    ],
    ['400', [refusal('/pets?status=gone')], 'refuse', 'GET /pets?status=gone 400'],
    ['all animals', [list('?status=gone', [animal(1), animal(2, { status: 'pending' })])], 'ignore'],
    ['animals of one status', [list('?status=gone', animals(1, 5))], NOT_SHOWN],
    ['an empty list', [twenty, list('?status=gone', [])], 'empty'],
    ['an empty list of none', [list('', []), list('?status=gone', [])], NOT_SHOWN],
    ['a status in another form', [refusal('/pets?status=SOLD'), refusal('/pets?status=%20sold')], NOT_SHOWN],
    ['an empty status', [refusal('/pets?status=')], NOT_SHOWN],
  ],
  statusCase: [
    ['400', [list('', ofEachStatus), refusal('/pets?status=SOLD')], 'exact', 'GET /pets?status=SOLD 400'],
    ['all animals', [list('', ofEachStatus), list('?status=SOLD', ofEachStatus)], 'exact'],
    ['an empty list', [list('', ofEachStatus), list('?status=SOLD', [])], 'exact'],
    [
      'its animals',
      [list('', ofEachStatus), list('?status=SOLD', animals(1, 3))],
      'any',
      'GET /pets?status=SOLD 200',
    ],
    [
      'its animals, and a word is refused',
      [refusal('/pets?status=lost'), list('?status=Sold', animals(1, 3))],
      'any',
    ],
    [
      'animals of its status, as all have it',
      [list('', animals(1, 3)), list('?status=SOLD', animals(1, 3))],
      NOT_SHOWN,
    ],
    [
      'its animals, in a list that is shorter than the usual one',
      [list('', [...ofEachStatus, animal(9)]), list('?status=SOLD', animals(1, 2))],
      NOT_SHOWN,
    ],
    ['422', [refusal('/pets?status=SOLD', 422)], NO_VALUE],
    ['the same case', [list('', ofEachStatus), list('?status=sold', animals(1, 3))], NOT_SHOWN],
  ],
  statusLists: [
    ['400', [refusal('/pets?status=sold,pending')], 'invalid', 'GET /pets?status=sold,pending 400'],
    ['all animals', [list('?limit=100&status=sold,pending', ofEachStatus)], 'invalid'],
    [
      'animals of both',
      [
        list('', ofEachStatus),
        list('?limit=100&status=sold,pending', [animal(1), animal(2, { status: 'pending' }), animal(4)]),
      ],
      'union',
    ],
    [
      'animals of one',
      [list('', ofEachStatus), list('?limit=100&status=sold,pending', animals(1, 3))],
      NOT_SHOWN,
    ],
    ['a status and a word', [refusal('/pets?status=sold,lost')], NOT_SHOWN],
  ],
  repeatedParameters: [
    [
      'the first of two animals',
      [
        list(ALL, animals(1, 1)),
        list(ALL, animals(1, 2)),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', animals(1, 2)),
      ],
      'first',
      'GET /pets?limit=1&limit=2 200, GET /pets?status=sold&status=pending 200',
    ],
    ['400', [refusal('/pets?limit=1&limit=2'), refusal('/pets?status=sold&status=pending')], 'refuse'],
    [
      'the first',
      [
        thirty,
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', animals(1, 5)),
        list('?status=sold&status=pending', []),
      ],
      'first',
      'GET /pets?limit=1&limit=2 200, GET /pets?status=sold&status=pending 200',
    ],
    [
      'the last',
      [thirty, list('?limit=1&limit=2', animals(1, 2)), list('?status=pending&status=sold', animals(1, 5))],
      'last',
    ],
    [
      'the longer list',
      [
        thirty,
        list('?limit=1&limit=2', animals(1, 3)),
        list('?status=available&status=pending', animals(1, 5)),
      ],
      NO_VALUE,
    ],
    [
      'both statuses',
      [
        list(ALL, animals(1, 1)),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', [animal(1), animal(2, { status: 'pending' })]),
      ],
      NO_VALUE,
    ],
    [
      'the last limit, and both statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', [
          animal(1),
          animal(2, { status: 'pending' }),
          animal(4),
        ]),
      ],
      'union',
      'GET /pets?limit=1&limit=2 200, GET /pets?limit=100&status=sold&status=pending 200',
    ],
    [
      'the first limit, and both statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?limit=100&status=sold&status=pending', [
          animal(1),
          animal(2, { status: 'pending' }),
          animal(4),
        ]),
      ],
      DIFFERENT,
    ],
    [
      'the last limit, and all statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', ofEachStatus),
      ],
      DIFFERENT,
    ],
    ['one parameter', [refusal('/pets?limit=1&limit=2')], 'the run repeated one parameter only'],
    [
      'another form',
      [refusal('/pets?limit=1&limit=2&x=1'), refusal('/pets?status=sold&limit=1')],
      'the run repeated one parameter only',
    ],
  ],
  pages: [
    ['the same animal', [...ordered, list(FURTHER, animals(1, 1))], 'none', `GET /pets${FURTHER} 200`],
    ['the second animal', [...ordered, list(FURTHER, animals(2, 2))], 'page'],
    ['the fourth animal', [...ordered, list(FURTHER, animals(4, 4))], 'offset'],
    ['the fifth animal', [...ordered, list(FURTHER, animals(5, 5))], 'skip'],
    ['the second animal before an addition', [...ordered, list(FURTHER, animals(2, 2)), add(50)], 'page'],
    ['the third animal', [...ordered, list(FURTHER, animals(3, 3))], NO_VALUE],
    ['an unknown animal', [...ordered, list(FURTHER, animals(50, 50))], NO_VALUE],
    ['several animals', [...ordered, list(FURTHER, animals(1, 2))], NO_VALUE],
    ['400', [...ordered, refusal(`/pets${FURTHER}`)], NOT_SHOWN],
    ['after an addition', [...ordered, add(50), list(FURTHER, animals(1, 1))], NOT_SHOWN],
    [
      'after shuffled lists',
      [list('', animals(1, 8)), list('', animals(1, 8).toReversed()), list(FURTHER, animals(2, 2))],
      NOT_SHOWN,
    ],
    [
      'after short lists',
      [list('', animals(1, 4)), list('', animals(1, 4)), list(FURTHER, animals(2, 2))],
      NOT_SHOWN,
    ],
  ],
  unknownParameters: [
    ['400', [refusal('/pets?contract-test=1')], 'refuse'],
    ['a list', [list('?contract-test=1', [])], 'ignore'],
    ['another value', [refusal('/pets?contract-test=2')], NOT_SHOWN],
    ['500', [refusal('/pets?contract-test=1', 500)], NO_VALUE],
  ],
  listsWithoutStatus: [
    [
      'it',
      [list('?status=sold', [animal(1), { id: 2n, name: 'x', categoryId: 1n }])],
      'sold',
      'GET /pets?status=sold 200',
    ],
    ['it with a limit', [list(ofStatus('pending'), [{ id: 2n, name: 'x', categoryId: 1n }])], 'pending'],
    ['it in two lists', ['sold', 'pending'].map((one) => list(ofStatus(one), [{ id: 2n }])), DIFFERENT],
    [
      'it in the list of all only',
      [
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 1))),
      ],
      'none',
      `GET /pets${ALL} 200, GET /pets${ofStatus('available')} 200`,
    ],
    [
      'it in a list of all, and lists that were cut',
      [
        list(ALL, [animal(1), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 2))),
      ],
      NOT_SHOWN,
    ],
    [
      'it in a list of all after the others',
      [
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 1))),
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
      ],
      NOT_SHOWN,
    ],
    [
      'it in a list of all, and two others',
      [
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending'].map((one) => list(ofStatus(one), animals(1, 1))),
      ],
      NOT_SHOWN,
    ],
    ['a status of each', [thirty], NOT_SHOWN],
  ],
  errorCodes: [
    [
      'not_found',
      [failure(404, 'not_found'), failure(400, 'invalid_request')],
      'snake',
      'GET /pets 404, GET /pets 400',
    ],
    ['not.found', [failure(401, 'unauthorized'), failure(404, 'not.found')], 'dotted'],
    ['NOT_FOUND', [failure(404, 'NOT_FOUND'), failure(401, 'UNAUTHORIZED')], 'upper'],
    [
      'codes of another service',
      [failure(404, 'NO_PET'), failure(400, 'BAD_REQUEST'), failure(401, 'UNAUTH'), failure(404, 'NO_PET')],
      { 400: 'BAD_REQUEST', 401: 'UNAUTH', 404: 'NO_PET' },
      'GET /pets 400, GET /pets 401',
    ],
    [
      'one of the usual codes, and another one',
      [failure(404, 'not_found'), failure(400, 'bad')],
      { 400: 'bad', 404: 'not_found' },
    ],
    ['pet.not.found', [failure(404, 'pet.not.found')], { 404: 'pet.not.found' }],
    ['notfound', [failure(404, 'notfound')], { 404: 'notfound' }],
    [
      'two codes for a status',
      [failure(400, 'A'), failure(400, 'B'), failure(400, 'A'), failure(404, 'C')],
      { 404: 'C' },
    ],
    ['two codes for each status', [failure(400, 'A'), failure(400, 'B')], 'each status has several codes'],
    [
      'codes of queries and bodies',
      [
        refuseAs('LIMIT', { path: '/pets?limit=abc' }),
        refuseAs('LIMIT', { path: '/pets?limit=0' }),
        refuseAs('STATUS_FILTER', { path: '/pets?status=lost' }),
        refuseAs('PARAMETER', { path: '/pets?page=2' }),
        refuseAs('ID', { path: '/pets/abc' }),
        refuseBodyAs('MALFORMED', '{"name":'),
        refuseBodyAs('ARRAY', '[]'),
        refuseBodyAs('NO_NAME', '{"categoryId":1}'),
        refuseBodyAs('NO_CATEGORY', '{"name":"Rex"}'),
        refuseBodyAs('NAME', '{"name":true,"categoryId":1}'),
        refuseBodyAs('CATEGORY', '{"name":"Rex","categoryId":"x"}'),
        refuseBodyAs('STATUS', '{"name":"Rex","categoryId":1,"status":"lost"}'),
      ],
      {
        '400 limit': 'LIMIT',
        '400 statusFilter': 'STATUS_FILTER',
        '400 unknownParameter': 'PARAMETER',
        '400 petId': 'ID',
        '400 malformed': 'MALFORMED',
        '400 noObject': 'ARRAY',
        '400 missingName': 'NO_NAME',
        '400 missingCategoryId': 'NO_CATEGORY',
        '400 name': 'NAME',
        '400 categoryId': 'CATEGORY',
        '400 status': 'STATUS',
      },
    ],
    [
      'codes of paths and animals, and of keys',
      [
        refuseAs('NO_ROUTE', { path: '/contract-test-unknown-path', status: 404 }),
        refuseAs('NO_PET', { path: '/pets/7', status: 404 }),
        refuseAs('NO_PET', { path: '/pets/123456789012345678', status: 404 }),
        refuseAs('NO_ROUTE', { path: '/pets/-7', status: 404 }),
        refuseAs('NO_KEY', { status: 401, authorization: '' }),
        refuseAs('BAD_KEY', { status: 401, authorization: 'Bearer other' }),
        refuseAs('BAD_SCHEME', { status: 401, authorization: 'Basic other' }),
      ],
      {
        '401 missing': 'NO_KEY',
        '401 invalid': 'BAD_KEY',
        '401 scheme': 'BAD_SCHEME',
        '404 path': 'NO_ROUTE',
        '404 animal': 'NO_PET',
      },
    ],
    [
      'two codes of limits, and one of cut bodies',
      [
        refuseAs('A', { path: '/pets?limit=abc' }),
        refuseAs('B', { path: '/pets?limit=0' }),
        refuseBodyAs('C', '{"name":'),
      ],
      { '400 malformed': 'C' },
    ],
    [
      'codes of refusals for more than one thing',
      [
        refuseAs('A', { path: '/pets?limit=abc&status=lost' }),
        refuseBodyAs('B', '{"name":NaN}'),
        refuseBodyAs('F', '{"name":"A"}'),
        refuseBodyAs('C', '{}'),
        refuseBodyAs('G', '{"name":"<b>Rex</b>"}'),
        refuseBodyAs('D', '{"name":null,"categoryId":1}'),
        refuseBodyAs('E', '{"name":true,"categoryId":1,"tag":1}'),
      ],
      'each status has several codes',
    ],
    ['unauthorized only', [failure(401, 'unauthorized')], NOT_SHOWN],
    [
      'a code of a status that the mock never sends',
      [failure(422, 'invalid_request')],
      { 422: 'invalid_request' },
    ],
    ['a sentence', [failure(404, 'Not found')], NO_VALUE],
    ['a long code', [failure(404, 'x'.repeat(65))], NO_VALUE],
    ['the key', [failure(404, target.apiKey), failure(400, 'BAD')], { 400: 'BAD' }],
    ['404', [refusal('/pets/1', 404, { body: { code: 404n } })], NOT_SHOWN],
    ['a code of an animal', [fetch(1, { body: { ...animal(1), code: 'a_b' } })], NOT_SHOWN],
  ],
  errorMembers: [
    ['the usual ones', [refusal('/pets/1', 404)], 'none'],
    ['more', [refusal('/pets/1', 404, { body: { code: 'x', details: [], traceId: 'y' } })], 'some'],
    ['others', [refusal('/pets/1', 404, { body: { code: 'x', path: '/y' } })], { path: 'string' }],
    [
      'others, and more of some',
      [
        refusal('/pets/1', 404, { body: { code: 'x', path: null } }),
        refusal('/pets/2', 404, { body: { code: 'x', path: '/y', errors: [] } }),
      ],
      { path: 'string' },
    ],
    [
      'more of some only',
      [refusal('/pets/1', 404), refusal('/pets/2', 404, { body: { code: 'x', errors: [] } })],
      DIFFERENT,
    ],
    [
      'one of two types',
      ['/y', 1n].map((path) => refusal('/pets/1', 404, { body: { code: 'x', path } })),
      DIFFERENT,
    ],
    [
      'one whose name may be data',
      [refusal('/pets/1', 404, { body: { code: 'x', 'Ada L.': 1n } })],
      NO_VALUE,
    ],
  ],
  animalMembers: [
    ['the usual ones', [fetch(1), add(2)], 'none'],
    ['createdAt', [fetch(1, { body: animal(1, { createdAt: 'x' }) })], 'createdAt'],
    ['links', [fetch(1, { body: animal(1, { links: {} }) })], 'links'],
    ['another', [fetch(1, { body: animal(1, { owner: 'Ada' }) })], { owner: 'string' }],
    [
      'one of each type',
      [
        add(1, undefined, {
          body: animal(1, { text: 'x', size: 1n, share: 0.5, isOld: true, tags: [], _links: {}, none: null }),
        }),
      ],
      {
        _links: 'object',
        isOld: 'boolean',
        none: 'null',
        share: 'number',
        size: 'number',
        tags: 'array',
        text: 'string',
      },
    ],
    [
      'links outside lists',
      [
        add(1, undefined, { body: animal(1, { links: {} }) }),
        fetch(1, { body: animal(1, { links: {} }) }),
        list('', animals(1, 2)),
      ],
      { single: { links: 'object' } },
    ],
    [
      'tags, and links outside lists',
      [fetch(1, { body: animal(1, { links: {}, tags: [] }) }), list('', animals(1, 2, { tags: [] }))],
      { tags: 'array', single: { links: 'object' } },
    ],
    ['another in lists only', [add(1), list('', animals(1, 2, { tags: [] }))], DIFFERENT],
    [
      'another in one of two lists',
      [add(1), list('', animals(1, 2, { tags: [] })), list('', animals(1, 2))],
      DIFFERENT,
    ],
    [
      'another of two types',
      [1, 2].map((id) => add(id, undefined, { body: animal(id, { owner: id === 1 ? 'x' : 1n }) })),
      DIFFERENT,
    ],
    [
      'another that may be null',
      [1, 2].map((id) => add(id, undefined, { body: animal(id, { owner: id === 1 ? 'x' : null }) })),
      { owner: 'string' },
    ],
    [
      'one whose name may be data',
      [add(1, undefined, { body: animal(1, { 'Ada Lovelace': 1n }) })],
      NO_VALUE,
    ],
    [
      'a member that was sent',
      [
        add(1, '"name":"A","categoryId":1,"createdAt":"x"'),
        fetch(1, { body: animal(1, { createdAt: 'x' }) }),
      ],
      'none',
    ],
    [
      'createdAt of new animals, and none of old ones',
      [add(2, undefined, { body: animal(2, { createdAt: 'x' }) }), fetch(1)],
      'createdAt',
    ],
    [
      'none, but another of one stored animal',
      [fetch(1, { body: animal(1, { nickname: 'Rexi' }) }), list('', [...animals(2, 20)])],
      'none',
    ],
    [
      'createdAt of half of the stored animals',
      [fetch(1, { body: animal(1, { createdAt: 'x' }) }), fetch(2)],
      DIFFERENT,
    ],
    ['a long body', [fetch(1, { body: animal(1, { createdAt: 'x'.repeat(20_000) }) })], NOT_SHOWN],
    ['no animal', [refusal('/pets/1', 404)], NOT_SHOWN],
  ],
  charset: [
    ['none', [list('', [], { headers: { 'content-type': 'application/json' } })], 'absent'],
    ['utf-8', [list('', [], { headers: { 'content-type': 'Application/JSON; charset="UTF-8"' } })], 'utf-8'],
    ['another', [list('', [], { headers: { 'content-type': 'application/json;charset=latin1' } })], NO_VALUE],
    ['no JSON', [list('', [], { headers: { 'content-type': 'text/html; charset=utf-8' } })], NOT_SHOWN],
    ['a refusal', [refusal('/pets/1', 404, { headers: { 'content-type': 'application/json' } })], NOT_SHOWN],
  ],
  schemeCase: [
    ['401', [refusal('/pets', 401, { authorization: 'bearer test-key' })], 'exact', 'GET /pets 401'],
    ['a list', [list('', [], { authorization: 'bearer test-key' })], 'any'],
    ['500', [refusal('/pets', 500, { authorization: 'bearer test-key' })], NOT_SHOWN],
    ['another key', [refusal('/pets', 401, { authorization: 'bearer other' })], NOT_SHOWN],
  ],
  challenge: [
    [
      'one',
      [refusal('/pets', 401, { authorization: '', headers: { 'www-authenticate': 'Bearer' } })],
      'present',
    ],
    ['none', [refusal('/pets', 401, { authorization: '' })], 'absent'],
    ['403', [refusal('/pets', 403, { authorization: '' })], NOT_SHOWN],
    ['none for a preflight', [preflight({}, 401)], NOT_SHOWN],
  ],
  location: [
    ['one', [add(1, undefined, { headers: { location: '/pets/1' } })], 'present'],
    ['none', [add(1)], 'absent'],
  ],
  deprecationHeaders: [
    ['all', [fetch(1, { headers: { deprecation: '@1', sunset: 'x', link: '</v1/pets>' } })], 'deprecation'],
    ['sunset and link', [fetch(1, { headers: { sunset: 'x', link: '</v1/pets>' } })], 'sunset'],
    [
      'deprecation and sunset without link',
      [fetch(1, { headers: { deprecation: '@1', sunset: 'x' } })],
      NO_VALUE,
    ],
    ['sunset without link', [fetch(1, { headers: { sunset: 'x' } })], NO_VALUE],
    ['deprecation', [fetch(1, { headers: { deprecation: '@1' } })], NO_VALUE],
    ['none', [fetch(1)], 'none'],
    ['404', [refusal('/pets/1', 404)], NOT_SHOWN],
  ],
  malformedId: [
    ['400', [refusal('/pets/abc')], 400, 'GET /pets/abc 400'],
    [
      '404',
      [refusal('/pets/1.5', 404), refusal('/pets/null', 404)],
      404,
      'GET /pets/1.5 404, GET /pets/null 404',
    ],
    ['429', [refusal('/pets/abc', 429)], NOT_SHOWN],
    ['an id', [refusal('/pets/7', 404)], NOT_SHOWN],
  ],
  getDelay: [
    ['an animal', [added, fetch(9, { at: 10, end: 15 })], 0, 'GET /pets/9 200'],
    [
      '404, then an animal',
      [added, refusal('/pets/9', 404, { at: 205 }), fetch(9, { at: 305, end: 320 })],
      300,
      'GET /pets/9 404, GET /pets/9 200',
    ],
    [
      '404 for a moment',
      [added, refusal('/pets/9', 404, { at: 6 }), fetch(9, { at: 10, end: 30 })],
      20,
      'GET /pets/9 404, GET /pets/9 200',
    ],
    ['404 before the animal was there', [refusal('/pets/9', 404, { at: 0 }), add(9), fetch(9)], 0],
    ['another animal', [added, fetch(7)], NOT_SHOWN],
    ['no animal', [added, refusal('/pets/9', 404)], NOT_SHOWN],
    ['an animal after a long time', [added, fetch(9, { at: 400, end: 405 })], UNCERTAIN],
  ],
  rateLimit: [
    ['429', [refusal('/pets', 429)], 'it has a limit, but which one is unknown'],
    ['99 requests', Array(99).fill(twenty), NOT_SHOWN],
    ['100 requests', Array(100).fill(twenty), 'none', ''],
  ],
  unknownPaths: [
    ['an Error', [refusal('/contract-test-unknown-path', 404)], 'error'],
    [
      'a page',
      [{ path: '/contract-test-unknown-path', status: 404, headers: { 'content-type': 'text/html' } }],
      'html',
    ],
    ['another body', [{ path: '/contract-test-unknown-path', status: 404, body: {} }], NO_VALUE],
    ['another status', [refusal('/contract-test-unknown-path', 400)], NO_VALUE],
    ['429', [refusal('/contract-test-unknown-path', 429)], NOT_SHOWN],
    ['another path', [refusal('/pets/abc', 404)], NOT_SHOWN],
  ],
  unknownPathWithoutKey: [
    ['401', [refusal('/contract-test-unknown-path', 401, { authorization: '' })], 401],
    [
      '404',
      [refusal('/contract-test-unknown-path', 404, { authorization: '' })],
      404,
      'GET /contract-test-unknown-path 404',
    ],
    ['400', [refusal('/contract-test-unknown-path', 400, { authorization: '' })], NO_VALUE],
    ['429', [refusal('/contract-test-unknown-path', 429, { authorization: '' })], NOT_SHOWN],
    ['404 with the key', [refusal('/contract-test-unknown-path', 404)], NOT_SHOWN],
    ['401 at the list', [refusal('/pets', 401, { authorization: '' })], NOT_SHOWN],
  ],
  creationTime: [
    ['fast ones', [...readsOf(5), ...creationsOf(20)], 0, 'POST /pets 201, POST /pets 201'],
    ['slow ones', [...readsOf(5), ...creationsOf(359)], 350, 'POST /pets 201, POST /pets 201'],
    [
      'slow ones, and one slow read',
      [...readsOf(5), list('', [], { end: 900, at: 0 }), ...creationsOf(359)],
      350,
    ],
    [
      'slow ones, and one fast',
      [...readsOf(5), ...creationsOf(359), ...creationsOf(359), ...creationsOf(2).slice(0, 1)],
      350,
    ],
    ['slow ones, and slow reads', [...readsOf(300), ...creationsOf(359)], 0],
    [
      'slow ones, and some slow reads',
      [...readsOf(5), ...readsOf(5), ...readsOf(200), ...creationsOf(359)],
      UNCERTAIN,
    ],
    ['some slow ones', [...readsOf(5), ...creationsOf(2), ...creationsOf(359), ...creationsOf(359)], 0],
    ['few', [...readsOf(5), ...creationsOf(359).slice(1)], NOT_SHOWN],
  ],
  trailingSlash: [
    ['404', [refusal('/pets/', 404)], 'notFound', 'GET /pets/ 404'],
    ['a list', [list('/', [])], 'same'],
    ['a list, and a 304', [list('/', []), { path: '/pets/', status: 304 }], 'same', 'GET /pets/ 200'],
    ['a 304 only', [{ path: '/pets/', status: 304 }], NOT_SHOWN],
    ['an object', [{ path: '/pets/', body: {} }], NO_VALUE],
    ...(
      [
        [301, NO_VALUE],
        [302, NO_VALUE],
        [307, 'redirect'],
        [308, 'redirect'],
      ] as const
    ).map(
      ([status, value]): Row => [
        `${status} to the path without the slash`,
        [{ path: '/pets/', status, headers: { location: '/v1/pets' } }],
        value,
      ],
    ),
    [
      'a redirect to the address before a gateway',
      [{ path: '/pets/', status: 307, headers: { location: 'http://internal.example:8000/pets' } }],
      'redirect',
    ],
    [
      'a redirect to a page',
      [{ path: '/pets/', status: 302, headers: { location: 'https://login.example/?to=/v1/pets' } }],
      NO_VALUE,
    ],
    ['a redirect to nowhere', [{ path: '/pets/', status: 307 }], NO_VALUE],
    ['400', [refusal('/pets/', 400)], NO_VALUE],
    ['429', [refusal('/pets/', 429)], NOT_SHOWN],
    ['401 without the key', [refusal('/pets/', 401, { authorization: '' })], NOT_SHOWN],
  ],
  head: [
    ['200', [{ method: 'HEAD' }], 200, 'HEAD /pets 200'],
    ['405', [{ method: 'HEAD', status: 405 }], 405],
    ['404', [{ method: 'HEAD', status: 404 }], NO_VALUE],
    ['429', [{ method: 'HEAD', status: 429 }], NOT_SHOWN],
    ['GET', [list('', [])], NOT_SHOWN],
  ],
  otherMethods: [
    ['405', [{ method: 'OPTIONS', status: 405 }], 405, 'OPTIONS /pets 405'],
    ['404', [{ method: 'OPTIONS', status: 404 }], 404],
    ['404 to DELETE', [{ method: 'DELETE', status: 404 }], 404],
    [
      '404 to one method of two',
      [
        { method: 'OPTIONS', status: 405 },
        { method: 'PUT', status: 404 },
      ],
      DIFFERENT,
    ],
    ['OPTIONS that it has', [{ method: 'OPTIONS', status: 204 }], NOT_SHOWN],
    ['404 to the id of an animal', [{ method: 'DELETE', path: '/pets/1', status: 404 }], NOT_SHOWN],
    ['405 to HEAD', [{ method: 'HEAD', status: 405 }], NOT_SHOWN],
    ['404 without the key', [{ method: 'OPTIONS', status: 404, authorization: '' }], NOT_SHOWN],
  ],
  allow: [
    [
      'one with 405',
      [{ method: 'OPTIONS', status: 405, headers: { allow: 'GET' } }],
      'present',
      'OPTIONS /pets 405',
    ],
    ['none with 405', [{ method: 'HEAD', status: 405 }], 'absent'],
    ['one with 200', [{ method: 'OPTIONS', headers: { allow: 'GET' } }], NOT_SHOWN],
    [
      'one with one 405 of two',
      [
        { method: 'OPTIONS', status: 405, headers: { allow: 'GET' } },
        { method: 'HEAD', status: 405 },
      ],
      DIFFERENT,
    ],
  ],
  etag: [
    ['none', [list('', []), fetch(1)], 'none', 'GET /pets 200, GET /pets/1 200'],
    ['one, and a 304', [taggedList, tagged, again(304)], 'all', 'GET /pets/1 304'],
    ['one, and a 304 to lower case', [taggedList, tagged, again(304, { sent: 'if-none-match' })], 'all'],
    ['one, and a 200', [taggedList, tagged, again(200)], NO_VALUE],
    ['one that changed', [taggedList, tagged, again(200, { etag: '"2"' })], NOT_SHOWN],
    ['one only', [taggedList, tagged], NOT_SHOWN],
    ['one of animals, and none of lists', [tagged, list('', []), again(304)], 'animals'],
    [
      'one of lists, and none of animals',
      [taggedList, fetch(1), { status: 304, sentHeaders: { 'If-None-Match': '"1"' } }],
      'lists',
      'GET /pets 304',
    ],
    ['one of some lists', [taggedList, list('', []), fetch(1)], DIFFERENT],
    ['one of animals, and no list', [tagged, again(304)], NOT_SHOWN],
    ['one of lists, and no animal', [taggedList], NOT_SHOWN],
    ['none of lists, and no animal', [list('', [])], NOT_SHOWN],
    ['a refusal', [refusal('/pets/1', 404, { headers: { etag: '"1"' } })], NOT_SHOWN],
  ],
  listCaching: [
    [
      'none',
      [list('', []), fetch(1, { headers: { 'cache-control': 'no-store' } })],
      'absent',
      'GET /pets 200',
    ],
    ['no-store', [list('', [], { headers: { 'cache-control': 'no-store' } })], 'no-store'],
    [
      'an age',
      [list('', [], { headers: { 'cache-control': 'private, max-age=15' } })],
      'private, max-age=15',
    ],
    ['of some lists', [list('', [], { headers: { 'cache-control': 'no-store' } }), list('', [])], DIFFERENT],
    ['in quotes', [list('', [], { headers: { 'cache-control': 'private="x"' } })], NO_VALUE],
    ['a long one', [list('', [], { headers: { 'cache-control': 'a'.repeat(65) } })], NO_VALUE],
    ['with the key', [list('', [], { headers: { 'cache-control': `x=${target.apiKey}` } })], NO_VALUE],
    [
      'of a refusal',
      [refusal('/pets?limit=0', 400, { headers: { 'cache-control': 'no-store' } })],
      NOT_SHOWN,
    ],
  ],
  getCaching: [
    ['none', [fetch(1), list('', [], { headers: { 'cache-control': 'no-store' } })], 'absent'],
    ['no-store', [fetch(1, { headers: { 'cache-control': 'no-store' } })], 'no-store', 'GET /pets/1 200'],
    ['of a refusal', [refusal('/pets/1', 404, { headers: { 'cache-control': 'no-store' } })], NOT_SHOWN],
  ],
  compression: [
    ['none', [list(ALL, animals(1, 50))], 'none', `GET /pets${ALL} 200`],
    [
      'gzip',
      [list(ALL, animals(1, 50), { headers: { 'content-encoding': 'gzip' } }), list('', animals(1, 2))],
      'gzip',
    ],
    ['another coding', [list(ALL, animals(1, 50), { headers: { 'content-encoding': 'br' } })], NO_VALUE],
    [
      'of some',
      [list(ALL, animals(1, 50), { headers: { 'content-encoding': 'gzip' } }), list(ALL, animals(1, 50))],
      DIFFERENT,
    ],
    ['short lists', [list('', animals(1, 2))], NOT_SHOWN],
  ],
  cors: [
    ['any', [preflight({ 'access-control-allow-origin': '*', ...withKey })], 'any', 'OPTIONS /pets 204'],
    ['its origin', [preflight({ 'access-control-allow-origin': PAGE, ...withKey })], 'any'],
    ['401 without CORS', [preflight({}, 401)], 'none'],
    ['405 without CORS', [preflight({ allow: 'GET' }, 405)], 'none'],
    ['200 without CORS', [preflight({ allow: 'GET' }, 200)], 'others'],
    ['another origin', [preflight({ 'access-control-allow-origin': 'https://x.example' })], 'others'],
    ['a refusal that depends on the origin', [preflight({ vary: 'Accept, Origin' }, 400)], NO_VALUE],
    ['a list of methods only', [preflight({ 'access-control-allow-methods': 'GET' })], 'others'],
    ['any origin without the key', [preflight({ 'access-control-allow-origin': '*' })], NO_VALUE],
    [
      'any header but the key',
      [preflight({ 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' })],
      NO_VALUE,
    ],
    ['any with 401', [preflight({ 'access-control-allow-origin': '*', ...withKey }, 401)], NO_VALUE],
    ['502', [preflight({}, 502)], NOT_SHOWN],
    ['429', [preflight({}, 429)], NOT_SHOWN],
    ['OPTIONS', [{ method: 'OPTIONS', status: 405 }], NOT_SHOWN],
  ],
  duplicateMembers: [
    ['the last', [add(1, twice, { body: animal(1, { name: 'Other' }) })], 'last', 'POST /pets 201'],
    ['the first', [add(1, twice, { body: animal(1, { name: 'First' }) })], 'first'],
    ['neither', [add(1, twice, { body: animal(1, { name: 'Rex' }) })], NO_VALUE],
    ['400', [add(1), refuse(twice)], 'refuse'],
    ['400 for an unknown category', [refuse(twice)], NOT_SHOWN],
    ['one name', [add(1)], NOT_SHOWN],
  ],
  statusWhenOmitted: [
    ['sold', [add(1, '"name":"A","categoryId":1', { body: animal(1) })], 'sold'],
    ['none', [add(1, undefined, { body: { id: 1n, name: 'A', categoryId: 1n } })], 'absent'],
    [
      'sold, then pending',
      [add(1, undefined, { body: animal(1) }), fetch(1, { body: animal(1, { status: 'pending' }) })],
      DIFFERENT,
    ],
    [
      'sold, and pending of another',
      [add(1, undefined, { body: animal(1) }), fetch(2, { body: animal(2, { status: 'pending' }) })],
      'sold',
    ],
    ['a status that was sent', [add(1, '"name":"A","categoryId":1,"status":"sold"')], NOT_SHOWN],
  ],
  shortestName: [
    ['one character', [add(1), add(2, ofName('0'))], 1, 'POST /pets 201'],
    [
      'two characters',
      [add(1), refuse(ofName('0')), add(2, ofName('-0'))],
      2,
      'POST /pets 201, POST /pets 400',
    ],
    ['three characters', [add(1), refuse(ofName('0')), refuse(ofName('-0')), add(2, ofName('007'))], 3],
    ['nothing of the length before', [add(1), refuse(ofName('0')), add(2, ofName('007'))], NOT_SHOWN],
    [
      'another character',
      [add(1), refuse(ofName('é')), refuse(ofName('{}')), add(2, ofName('123'))],
      NOT_SHOWN,
    ],
    ['another category', [add(1), refuse('"name":"0","categoryId":5'), add(2, ofName('-0'))], NOT_SHOWN],
    ['422', [add(1), { ...refuse(ofName('0')), status: 422 }, add(2, ofName('-0'))], NOT_SHOWN],
    [
      'a name that may be taken',
      [
        list(ALL, [animal(8, { name: '0' })]),
        add(1),
        refuse(ofName('Animal 1')),
        refuse(ofName('0')),
        add(2, ofName('-0')),
      ],
      NOT_SHOWN,
    ],
    ['only a longer one', [add(1)], NOT_SHOWN],
  ],
  nameCharacters: [
    [
      'accepted',
      [add(1, ofName('Rex 🐶')), add(2, ofName('Salt & Pepper')), refuse(ofName('Re\\u0000x'))],
      'any',
      'POST /pets 201, POST /pets 201',
    ],
    [
      'refused',
      [
        add(1, ofName('Salt and Pepper')),
        refuse(ofName('Rex 🐶')),
        refuse(ofName('Salt & Pepper')),
        refuse(ofName('a@b.c')),
      ],
      'plain',
      'POST /pets 400, POST /pets 400',
    ],
    [
      'refused, and longer than an accepted one',
      [add(1), refuse(ofName('Rex 🐶')), refuse(ofName('Salt & Pepper')), refuse(ofName('a@b.c'))],
      NOT_SHOWN,
    ],
    [
      'two names',
      [add(1, ofName('Salt and Pepper')), refuse(ofName('Rex 🐶')), refuse(ofName('Salt & Pepper'))],
      NOT_SHOWN,
    ],
    [
      'refused, but for an ampersand',
      [add(1, ofName('Salt & Pepper')), refuse(ofName('Rex 🐶')), refuse(ofName('a@b.c'))],
      'it accepts some other characters, but not all',
    ],
  ],
  emptyNames: [
    ['201', [add(1, '"name":"","categoryId":1')], 'accepted'],
    [
      '400, and 201 for spaces',
      [add(1), refuse('"name":"","categoryId":1'), add(2, '"name":"  ","categoryId":1')],
      'refused',
      'POST /pets 400, POST /pets 201',
    ],
    [
      '400, also for spaces',
      [add(1), refuse('"name":"","categoryId":1'), refuse('"name":"  ","categoryId":1')],
      'blank',
      'POST /pets 400, POST /pets 400',
    ],
    [
      '400 only for spaces',
      [add(1, '"name":"","categoryId":1'), refuse('"name":"  ","categoryId":1')],
      DIFFERENT,
    ],
    ['400, without a name of spaces', [add(1), refuse('"name":"","categoryId":1')], PERHAPS_BLANK],
    [
      '400, also for spaces with another category',
      [add(1), refuse('"name":"","categoryId":1'), refuse('"name":"  ","categoryId":2')],
      PERHAPS_BLANK,
    ],
    [
      '400 where an animal may have the empty name, and names are unique',
      [
        list(ALL, animals(1, 100)),
        add(101),
        refuse('"name":"Animal 101","categoryId":1'),
        refuse('"name":"","categoryId":1'),
      ],
      'another animal may have the name',
    ],
    [
      '400 where no animal has the empty name, and names are unique',
      [
        list(ALL, animals(1, 3)),
        add(101),
        refuse('"name":"Animal 101","categoryId":1'),
        refuse('"name":"","categoryId":1'),
        refuse('"name":"  ","categoryId":1'),
      ],
      'blank',
    ],
    ['400 for an unknown category', [add(1), refuse('"name":"","categoryId":2')], NOT_SHOWN],
    ['422', [add(1), refuse('"name":"","categoryId":1', 422)], NO_VALUE],
  ],
  uniqueNames: [
    ['201', [add(1), add(2, '"name":"Animal 1","categoryId":1')], 'no', 'POST /pets 201'],
    [
      '400, and 201 in another case',
      [add(1), refuse('"name":"Animal 1","categoryId":1'), add(2, '"name":"ANIMAL 1","categoryId":1')],
      'required',
      'POST /pets 400, POST /pets 201',
    ],
    [
      '400 in any case',
      [
        add(1),
        refuse('"name":"Animal 1","categoryId":1'),
        refuse('"name":"Animal 1B","categoryId":1'),
        add(2, '"name":"Animal 1b DROP","categoryId":1'),
        add(3, '"name":"Animal 2 at once","categoryId":1'),
        refuse('"name":"Animal 2 at ONCE","categoryId":1'),
      ],
      'ignoringCase',
    ],
    [
      '400 in another case where no name may have capitals',
      [
        add(1, '"name":"animal 1 at once","categoryId":1'),
        refuse('"name":"animal 1 at once","categoryId":1'),
        refuse('"name":"animal 1 at ONCE","categoryId":1'),
      ],
      OF_ANY_CASE,
    ],
    ['400, and none in another case', [add(1), refuse('"name":"Animal 1","categoryId":1')], OF_ANY_CASE],
    [
      '409, and 201 in another case',
      [add(1), refuse('"name":"Animal 1","categoryId":1', 409), add(2, '"name":"ANIMAL 1","categoryId":1')],
      'conflict',
      'POST /pets 409, POST /pets 201',
    ],
    [
      '409 in any case',
      [
        add(1, '"name":"Animal 1 at once","categoryId":1'),
        refuse('"name":"Animal 1 at once","categoryId":1', 409),
        refuse('"name":"Animal 1 at ONCE","categoryId":1', 409),
        add(2, '"name":"Animal 2 DROP","categoryId":1'),
      ],
      'conflictIgnoringCase',
    ],
    [
      '409 where no animal is accepted any more',
      [add(1), refuse('"name":"Animal 1","categoryId":1', 409)],
      NOT_SHOWN,
    ],
    [
      '409 and 400',
      [
        add(1),
        refuse('"name":"Animal 1","categoryId":1', 409),
        refuse('"name":"Animal 1","categoryId":1'),
        add(2),
      ],
      DIFFERENT,
    ],
    [
      '201, though a name in another case is refused',
      [add(1), add(2, '"name":"Animal 1","categoryId":1'), refuse('"name":"ANIMAL 1","categoryId":1')],
      'no',
    ],
    [
      '400 at the same time',
      [add(1, undefined, { at: 0, end: 50 }), refuse('"name":"Animal 1","categoryId":1')],
      NOT_SHOWN,
    ],
    [
      '400 for more',
      [
        add(1),
        refuse('"name":"Animal 1","categoryId":1,"x":1'),
        refuse('"name":"Animal 1","categoryId":1,"id":5'),
      ],
      NOT_SHOWN,
    ],
    ['400 for another name', [add(1), refuse('"name":"Animal 2","categoryId":1')], NOT_SHOWN],
  ],
  refusedMember: [
    ['the name', [refuseWith('"categoryId":1', 'Name is required')], 'named', 'POST /pets 400'],
    ['the category in words', [refuseWith('"name":"A"', 'A category id is required')], 'named'],
    ['another member', [refuseWith('"name":"A"', 'The name and the status are wrong')], 'absent'],
    ['none', [refuseWith('"name":"A","categoryId":1,"status":"x"', 'It is invalid')], 'absent'],
    [
      'one, and none',
      [refuseWith('"categoryId":1', 'name'), refuseWith('"categoryId":"x","name":"A"', 'Bad request')],
      DIFFERENT,
    ],
    ['none of two', [refuseWith('"status":"x","name":"A"', 'It is invalid')], NOT_SHOWN],
    ['none for a body that a parser may fail at', [refuseWith('"categoryId":1,"name":{}', 'Bad')], NOT_SHOWN],
    ['none for a further member', [refuseWith('"categoryId":1,"nickname":"A"', 'Bad')], NOT_SHOWN],
    ['no message', [add(0, '"categoryId":1', { status: 400, body: {} })], NOT_SHOWN],
    [
      'none for another media type',
      [{ ...refuseWith('"categoryId":1', 'Bad'), mediaType: 'text/plain' }],
      NOT_SHOWN,
    ],
  ],
  otherMediaTypes: [
    ['415', [add(0, undefined, { mediaType: 'text/plain', status: 415, body: {} })], 415],
    ['201', [add(1, undefined, { mediaType: 'text/plain' })], 'read', 'POST /pets 201'],
    [
      '201, and 400 for a body that is no NewPet',
      [add(1, undefined, { mediaType: 'text/plain' }), { ...refuse('"name":"A"'), mediaType: 'text/plain' }],
      'read',
    ],
    ['400 for a body that is no NewPet', [{ ...refuse('"name":"A"'), mediaType: 'text/plain' }], NOT_SHOWN],
    [
      '201, and 415',
      [
        add(1, undefined, { mediaType: 'text/plain' }),
        add(0, undefined, { mediaType: 'application/x-www-form-urlencoded', status: 415, body: {} }),
      ],
      DIFFERENT,
    ],
    ['429', [add(0, undefined, { mediaType: 'text/plain', status: 429, body: {} })], NOT_SHOWN],
    [
      '400',
      [add(0, undefined, { mediaType: 'application/x-www-form-urlencoded', status: 400, body: {} })],
      400,
    ],
    ['JSON', [add(1)], NOT_SHOWN],
  ],
  longestName: [
    ['short ones', [add(1)], NOT_CREATED],
    [
      '1,001 letters',
      [add(1, `"name":"${'x'.repeat(1_001)}","categoryId":1`), add(2)],
      'any',
      'POST /pets 201',
    ],
    ['1,000 letters', [add(1, `"name":"${'x'.repeat(1_000)}","categoryId":1`)], NOT_CREATED],
    [
      'a refusal of 31 letters, after one of 40',
      [add(1), refuse(nameOf(40)), refuse(nameOf(31))],
      'the limit is not certain enough',
    ],
    ['names up to 120', [add(1, nameOf(120)), refuse(nameOf(300)), refuse(nameOf(121))], 120],
    ['names up to 255, with 422', [add(1, nameOf(60)), refuse(nameOf(256), 422)], 255],
    [
      'the same length, accepted and refused',
      [add(1, nameOf(50)), refuse(nameOf(50).replace('x', 'y'))],
      DIFFERENT,
    ],
    ['a refusal of 30 letters', [add(1), refuse(`"name":"${'x'.repeat(30)}","categoryId":1`)], NOT_CREATED],
    ['a refusal of signs', [add(1), refuse(`"name":"${'é'.repeat(31)}","categoryId":1`)], NOT_CREATED],
  ],
  fullStore: [
    ['11 animals', Array.from({ length: 11 }, (_, id) => add(id + 1)), 'never', 'POST /pets 201'],
    ['10 animals', Array.from({ length: 10 }, (_, id) => add(id + 1)), NOT_CREATED],
    ['409', [refuse('"name":"A","categoryId":1', 409)], 'it refused animals as a full store does'],
    ['409 for no animal', [refuse('"name":1', 409)], NOT_CREATED],
    [
      '409 for taken names',
      [
        add(1),
        refuse('"name":"Animal 1","categoryId":1', 409),
        refuse('"name":"ANIMAL 1","categoryId":1', 409),
        refuse('"name":"007","categoryId":1', 409),
        { ...refuse('"name":"Animal 4","categoryId":1', 409), at: 41, end: 49 },
        ...Array.from({ length: 10 }, (_, id) => add(id + 2)),
      ],
      'never',
    ],
    [
      '409 for taken names, and for a new one',
      [
        add(1),
        refuse('"name":"Animal 1","categoryId":1', 409),
        add(2),
        refuse('"name":"Animal 3","categoryId":1', 409),
      ],
      'it refused animals as a full store does',
    ],
  ],
  ids: [
    [
      'that count',
      Array.from({ length: 8 }, (_, id) => add(id + 1)),
      'next',
      'POST /pets 201, POST /pets 201',
    ],
    ['of few animals', Array.from({ length: 7 }, (_, id) => add(id + 1)), NOT_CREATED],
    ['below 0', Array.from({ length: 8 }, (_, id) => add(-id - 1)), 'negative'],
    ['above 2^53', Array.from({ length: 8 }, (_, id) => add(2n ** 53n + 1n + BigInt(id))), 'large'],
    ['up to 2^53', Array.from({ length: 8 }, (_, id) => add(2n ** 53n - 7n + BigInt(id))), 'next'],
    ['of both signs', [-1, 2, 3, 4, 5, 6, 7, 8].map((id) => add(id)), NO_VALUE],
    ['at random, of one digit', [5, 1, 6, 2, 7, 3, 8, 4].map((id) => add(id)), NO_VALUE],
    ['at random, up to 6 digits', [5, 1, 6, 2, 7, 3, 812345, 40].map((id) => add(id)), 'random:6'],
    ['at random, up to 15 digits', [5, 1, 6, 2, 7, 3, 10 ** 14, 4].map((id) => add(id)), 'random:15'],
    ['at random, up to 2^53', [5, 1, 6, 2, 7, 3, 10 ** 15, 4].map((id) => add(id)), 'random'],
    ['of the time in milliseconds', idsOfTime(1), 'time', 'POST /pets 201, POST /pets 201'],
    ['of the time in microseconds', idsOfTime(1_000), 'time'],
    ['that grow faster than the time', idsOfTime(1, 2), NOT_OF_TIME],
    ['that grow slower than the time', idsOfTime(1, 0.5), NOT_OF_TIME],
    ['of the time for a moment', idsOfTime(1).map((one, index) => ({ ...one, at: index * 10 })), NOT_OF_TIME],
    ['that count from a large one', Array.from({ length: 8 }, (_, id) => add(10 ** 12 + id)), 'next'],
    ['with two falls', [1, 2, 5, 4, 6, 8, 7, 9].map((id) => add(id)), DIFFERENT],
    [
      'that fall for requests at the same time',
      [8, 7, 6, 5, 4, 3, 2, 1].map((id) => add(id, undefined, { at: 0, end: 50 })),
      'next',
    ],
  ],
  integerNotations: [
    ['201', [add(1, '"name":"Animal 1","categoryId":1.0')], 'accepted'],
    ['400', [add(1), refuse('"name":"Animal 2","categoryId":1.0')], 'refused'],
    ['400 for an unknown category', [add(1), refuse('"name":"Animal 2","categoryId":2.0')], NOT_SHOWN],
    ['400 for a name of another form', [add(1), refuse('"name":"animal 2","categoryId":1.0')], NOT_SHOWN],
  ],
  categories: [
    [
      'any',
      [list('', animals(1, 2)), add(1, '"name":"A","categoryId":7'), add(2, '"name":"B","categoryId":-7')],
      'any',
    ],
    [
      'positive ones',
      [list('', animals(1, 2)), add(1, '"name":"A","categoryId":7'), refuse('"name":"B","categoryId":0')],
      'positive',
      'POST /pets 201, POST /pets 400',
    ],
    [
      'known ones',
      [list('', animals(1, 2)), add(1, '"name":"A","categoryId":1'), refuse('"name":"B","categoryId":7')],
      'known',
    ],
    ['those from 1 to 56', [...ofCategories([7, 12], [57, 0])], 56, 'POST /pets 201, POST /pets 400'],
    ['those from 1 to 12', [...ofCategories([7, 12], [-1, 100, 0, 13])], 12],
    ['some above a refused one', [...ofCategories([7, 100], [57, 0])], DIFFERENT],
    ['some, and 0', [...ofCategories([7, 0], [57, -1])], DIFFERENT],
    ['some, and all negative ones', [...ofCategories([7, -1], [57])], DIFFERENT],
    ['some, without one below 1', [...ofCategories([7], [57])], DIFFERENT],
    [
      'some, and others are a 404',
      [...ofCategories([7], [57]), refuse('"name":"Animal 99","categoryId":0', 404)],
      DIFFERENT,
    ],
    [
      'those from 1 to 56, shown by another notation',
      [...ofCategories([], [57, 0]), add(1, '"name":"Animal 70","categoryId":120e-1')],
      56,
    ],
    ['one', [list('', animals(1, 2)), add(1, '"name":"A","categoryId":7')], NOT_SHOWN],
    ['a known one', [list('', animals(1, 2)), add(1)], NOT_SHOWN],
    [
      'any, though an own id is refused',
      [
        list('', animals(1, 2)),
        add(1, '"name":"Animal 1","categoryId":7'),
        add(2, '"name":"Animal 2","categoryId":-7'),
        refuse('"name":"Animal 3","categoryId":7,"id":5'),
      ],
      'any',
    ],
    [
      'any, though a very large one is refused',
      [
        list('', animals(1, 2)),
        add(1, '"name":"Animal 1","categoryId":7'),
        add(2, '"name":"Animal 2","categoryId":-7'),
        refuse('"name":"Animal 3","categoryId":9007199254740993'),
      ],
      'any',
    ],
    [
      'one with a longer name',
      [list('', animals(1, 2)), add(1, '"name":"A","categoryId":1'), refuse('"name":"AB","categoryId":7')],
      NOT_SHOWN,
    ],
  ],
  spacesAroundNames: [
    ['kept', [add(1, '"name":" Animal 1","categoryId":1')], 'kept', 'POST /pets 201'],
    [
      'removed',
      [
        add(1, '"name":"Animal 1 ","categoryId":1', { body: animal(1, { name: 'Animal 1' }) }),
        fetch(1, { body: animal(1, { name: 'Animal 1' }) }),
      ],
      'trimmed',
      'POST /pets 201, GET /pets/1 200',
    ],
    [
      'removed later',
      [add(1, '"name":" Animal 1","categoryId":1'), fetch(1, { body: animal(1, { name: 'Animal 1' }) })],
      DIFFERENT,
    ],
    ['none', [add(1)], NOT_SHOWN],
    [
      'another name',
      [add(1, '"name":" Animal 1","categoryId":1', { body: animal(1, { name: 'A' }) })],
      NO_VALUE,
    ],
  ],
  categoryIdAsText: [
    ['201', [add(1, '"name":"Animal 1","categoryId":"1"')], 'accepted', 'POST /pets 201'],
    ['400', [add(1), refuse('"name":"Animal 2","categoryId":"1"')], 'refused'],
    ['422', [add(1), refuse('"name":"Animal 2","categoryId":"1"', 422)], 'refused'],
    ['400 for an unknown category', [add(1), refuse('"name":"Animal 2","categoryId":"2"')], NOT_SHOWN],
    ['400 for another text', [add(1), refuse('"name":"Animal 2","categoryId":"x"')], NOT_SHOWN],
    ['400 for a taken name', [add(1), refuse('"name":"Animal 1","categoryId":"1"')], NOT_SHOWN],
    ['400 for a short name', [add(1), refuse('"name":"Rex","categoryId":"1"')], NOT_SHOWN],
  ],
  nullStatus: [
    ['201', [add(1, '"name":"Animal 1","categoryId":1,"status":null')], 'accepted'],
    [
      '400 where names may repeat',
      [
        add(1, '"name":"007","categoryId":1'),
        add(2, '"name":"007","categoryId":1'),
        refuse('"name":"Rex","categoryId":1,"status":null'),
      ],
      'refused',
      'POST /pets 400',
    ],
    [
      '400 where the short name may be taken',
      [add(1, '"name":"007","categoryId":1'), refuse('"name":"Rex","categoryId":1,"status":null')],
      NOT_SHOWN,
    ],
    ['400 for another name', [add(1), refuse('"name":"Animal 2","categoryId":1,"status":null')], 'refused'],
    ['400 for no null', [add(1), refuse('"name":"Animal 2","categoryId":1,"status":0')], NOT_SHOWN],
  ],
  memberCase: [
    ['201', [add(1, '"Name":"Rex","categoryId":1', { body: animal(1, { name: 'Rex' }) })], 'any'],
    ['201 without the name', [add(1, '"Name":"Rex","categoryId":1')], NO_VALUE],
    ['400', [add(1), refuse('"Name":"Animal 2","categoryId":1')], 'exact'],
    ['400 for a short name', [add(1), refuse('"Name":"Rex","categoryId":1')], NOT_SHOWN],
    ['400 without a category', [add(1), refuse('"Name":"Animal 2"')], NOT_SHOWN],
  ],
  unknownMembers: [
    ['kept', [add(1, '"name":"A","categoryId":1,"x":1', { body: animal(1, { x: 1n }) })], 'keep'],
    ['left out', [add(1, '"name":"A","categoryId":1,"x":1')], 'ignore', 'POST /pets 201'],
    [
      'refused',
      [add(1, '"name":"Animal 1","categoryId":1'), refuse('"name":"Animal 2","categoryId":1,"x":1')],
      'refuse',
    ],
    [
      'refused as an id',
      [add(1, '"name":"Animal 1","categoryId":1'), refuse('"name":"Animal 2","categoryId":1,"id":7')],
      'refuse',
    ],
    ['an id that is left out', [add(1, '"name":"Animal 1","categoryId":1,"id":7')], NOT_SHOWN],
    ['refused with a category', [add(1), refuse('"name":"Animal 2","categoryId":2,"x":1')], NOT_SHOWN],
    ['refused in a long name', [add(1), refuse('"name":"Animal 22","categoryId":1,"x":1')], NOT_SHOWN],
    [
      'refused in a long body',
      [add(1), refuse(`"name":"Animal 2","categoryId":1,"x":"${'x'.repeat(960)}"`)],
      NOT_SHOWN,
    ],
    ['refused with signs', [add(1), refuse('"name":"Zoé","categoryId":1,"x":1')], NOT_SHOWN],
  ],
};

const all = Object.entries(rows).flatMap(([name, some]) =>
  some.map((row) => [name as ChoiceName, ...row] as const),
);

test.for(all)('%s: %s', ([name, , told, value, evidence]) => {
  const learned = learnOne(name, told);
  expect(learned[0]).toEqual(value);
  if (evidence !== undefined) expect(learned[1]).toBe(evidence);
});

test('the category that the user gives is no unknown one', () => {
  const told = [
    list('', animals(1, 2)),
    add(1, '"name":"Animal 1","categoryId":77'),
    add(2, '"name":"Animal 2","categoryId":77'),
    refuse('"name":"Animal 3","categoryId":7'),
  ];
  const journal = told.map((one, index) => createExchange(one, index));
  expect(learn(journal, { ...target, categoryId: 77n }).behaviour.categories).toBe('known');
});

test.for(['name', 'newest', 'oldest'] as const)('learned animals keep the order %s', (order) => {
  const lists = {
    name: named([3, 1, 4, 2, 6, 5, 8, 7, 10, 12, 11, 9], 'ABCDEFGHIJKL'),
    newest: animals(1, 12).toReversed(),
    oldest: animals(1, 12),
  };
  const listed = lists[order].map((one, index) =>
    order === 'name' ? one : { ...one, name: `Rex ${(index * 5) % 12}` },
  );
  const { behaviour, animals: learned = [] } = learn(
    [list(ALL, listed)].map((one, index) => createExchange(one, index)),
    target,
    {
      learnAnimals: true,
    },
  );
  expect(completeBehaviour(behaviour).order).toBe(order);
  const names = learned.map(({ name }) => `${name}`);
  expect(names).toEqual(names.toSorted());
  const ids = learned.map(({ id }) => id);
  expect(order === 'newest' ? ids.toReversed() : ids).toEqual(listed.map(({ id }) => id));
});

test('a learned file has no names, keys, further members and unknown headers', () => {
  const secret = createTarget({ baseUrl: 'http://store.example/v1', apiKey: '7077077', allowsWrites: false });
  const headers = { 'content-type': 'application/json', 'x-ada': '1' };
  const told: Told[] = [
    refusal('/pets/ada', 404),
    list('', [animal(7077077), animal(9, { status: 'Ada' }), ...mixed], { headers }),
    list('?status=Ada&limit=5', animals(1, 1), { headers }),
    fetch(3, { headers: { deprecation: '@1', link: '</v1/pets>', sunset: 'x' } }),
    list('?limit=3', [
      animal(10, { name: 'key 7077077' }),
      { id: 'Ada', name: 'Ada', categoryId: 1n },
      animal(11, { categoryId: 7077077n }),
      animal(12, { name: 5n }),
      animal(2n ** 64n),
    ]),
  ];
  const journal = told.map((one, index) =>
    createExchange({ authorization: 'Bearer 7077077', isAuthorized: true, ...one }, index, secret),
  );
  const { mode, behaviour, evidence, animals: learned } = learn(journal, secret, { learnAnimals: true });
  expect([mode, behaviour]).toEqual([
    'read-only',
    { deprecationHeaders: 'deprecation', errorCodes: { 404: 'bad' } },
  ]);
  expect(evidence.errorMembers).toEqual([
    { request: 'GET /pets/{petId}', status: 404, headers: [], animals: [] },
  ]);
  const few = [3, 1, 2, 6].map((id) => ({ id: BigInt(id), status: 'sold' }));
  const shown = { status: 200, headers: ['content-type'] };
  expect(evidence.charset).toEqual([
    { ...shown, request: 'GET /pets', animals: [{ id: 9n }, ...few] },
    { ...shown, request: 'GET /pets?status={status}&limit=5', animals: [{ id: 1n, status: 'sold' }] },
  ]);
  expect(evidence.deprecationHeaders).toEqual([
    {
      request: 'GET /pets/3',
      status: 200,
      headers: ['deprecation', 'link', 'sunset'],
      animals: [{ id: 3n, status: 'sold' }],
    },
  ]);
  // The longest list first, from its end, since most services list the newest first.
  const ids = [10n, 5n, 4n, 6n, 2n, 1n, 3n, 9n];
  const whole = ids.map((id, index) => ({
    id,
    name: `Animal ${index + 1}`,
    categoryId: 1n,
    ...(id !== 9n && { status: 'sold' }),
  }));
  expect(learned).toEqual(whole);
  const { animals: named = [] } = learn(journal, secret, { learnAnimals: true, keepNames: true });
  expect([named[0]?.name, named.at(-1)?.name]).toEqual(['key [key]', 'Animal 9']);
  expect(learn(journal, secret)).not.toHaveProperty('animals');
});
