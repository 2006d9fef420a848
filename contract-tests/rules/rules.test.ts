import { expect, test } from 'vitest';
import { Exchange, type SuiteRequest } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { createEvidence } from '../runner/judge.ts';
import { createTarget } from '../testing/run-suite.ts';
import { clauses } from './clauses.ts';
import { isSighting, type Look } from './rule.ts';

/** A request, and its response. */
interface Seen {
  /** The body of a POST. @default a GET */
  readonly sent?: string;
  /** @default /pets */
  readonly path?: string;
  readonly status: number;
  /** @default an Error */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is tried in place of the valid key. @default the valid key */
  readonly trial?: SuiteRequest['trial'];
  /** What else the request is. */
  readonly request?: Partial<SuiteRequest>;
  /** True if the request was sent again, as the next one. */
  readonly isSentAgain?: boolean;
  /** How long after the one before it the request was sent, in ms. @default a minute */
  readonly after?: number;
}

/** In the name of each animal of the run. */
const MARK = 'mark';

const MINUTE = 60_000;

/** Looks at requests that were sent one after the other. @returns what the clause says of each response that it compares */
function look(id: string, seen: readonly Seen[], now = '2026-11-30'): readonly Look[] {
  const target = createTarget({ now: new Date(now) });
  const history = new History(target, MARK);
  history.marks.names.add(rex.name);
  let at = 0;
  for (const [index, one] of seen.entries()) {
    const { sent, path = '/pets', status, body, headers, trial, after = MINUTE } = one;
    const request = {
      ...{ method: sent === undefined ? 'GET' : 'POST', base: target.baseUrl, path, body: sent },
      ...{ isAuthorized: trial === undefined, ...(trial && { trial }) },
      headers: { 'Content-Type': 'application/json' },
      ...one.request,
    };
    const shown =
      typeof body === 'string' ? body : JSON.stringify(body ?? { code: 'refused', message: 'No.', status });
    const response = {
      ...{ status, headers: { 'content-type': 'application/json', ...headers } },
      body: Buffer.from(shown),
    };
    at += after;
    const exchange = new Exchange(request, { response, failure: undefined }, target, at, 5, index + 1);
    history.record(exchange, one.isSentAgain);
  }
  return clauses.find((one) => one.id === id)?.look(createEvidence(history)) ?? [];
}

/** Returns what a clause says of all responses that it compares. */
function judge(...asked: Parameters<typeof look>): string {
  const verdictOf = (one: Look) => {
    if (!isSighting(one)) return 'right';
    if (one.excuse) return 'excused';
    return one.evidence === 'to be asked again' ? 'in doubt' : 'wrong';
  };
  const verdicts = new Set(look(...asked).map(verdictOf));
  return [...verdicts].toSorted().join(' and ') || 'nothing';
}

const rex = { id: 1, name: `${MARK} Rex`, categoryId: 1 };
const sold = { ...rex, status: 'sold' };
/** An animal of others. */
const tom = { ...rex, id: 2, name: 'Tom', status: 'sold' };
/** An animal of the run with a longer name. */
const longer = { ...rex, id: 4, name: `${MARK} Rexy` };
const third = { ...tom, id: 3, name: 'Ada' };
const animals = (count: number) => Array.from({ length: count }, (_, index) => ({ ...rex, id: index + 1 }));
const list = (shown: readonly object[], query = ''): Seen => ({
  ...{ path: `/pets${query}`, status: 200, body: shown },
});
const listed = list([rex]);
const long = (...shown: readonly object[]) => list(shown, '?limit=100');
const unshown = (status: string) => list(animals(3), `?status=${status}`);
const refused = (status: number, path = '/pets'): Seen => ({ path, status });
const page = (status: number): Seen => ({
  path: '/pets',
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html></html>',
});
/** An animal of others after a hundred others. */
const late: Seen = { path: '/pets/500', status: 200, body: { ...tom, id: 500 } };
const thirdById: Seen = { path: '/pets/3', status: 200, body: third };
const withStatus = (count: number, status: string) => animals(count).map((animal) => ({ ...animal, status }));
const fiveSold = list(withStatus(5, 'sold'));
const sixSold = list(withStatus(6, 'sold'));
const fivePending = list(withStatus(5, 'pending'));
const threePending = withStatus(3, 'pending').map(
  (body): Seen => ({ path: `/pets/${body.id}`, status: 200, body }),
);
/** So many other requests that two lists are not at once. */
const pause: readonly Seen[] = Array.from({ length: 8 }, () => refused(404, '/pets/9'));
const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
const byId = (animal: object): Seen => ({ path: '/pets/1', status: 200, body: animal });
const inBrowser = (seen: Seen): Seen => ({ ...seen, request: { form: 'the headers of a browser' } });
const text = (status: number) => post('{"name":"Rex","categoryId":"1"}', status);
const withCharset = { 'Content-Type': 'application/json; charset=utf-8' };
const oneInTurn = [list([rex], '?limit=1'), inBrowser(list([tom], '?limit=1')), list([rex], '?limit=1')];
/** A response a moment after another one, which comes again then. */
const between = (usual: Seen, seen: Seen): readonly Seen[] => [
  usual,
  ...[seen, usual].map((one) => ({ ...one, after: 100 })),
];
const withoutAnyKey = (seen: Seen): Seen => ({ ...seen, request: { isAuthorized: false } });
const withoutKey = (seen: Seen, path: string): Seen => ({ ...seen, path, trial: 'missing key' });
const post = (sent: string, status: number): Seen => ({ sent, status });
/** @param shown the animal of a 201. @param sent the body, whose id is left out */
const add = (status: number, shown: object = rex, sent = shown): Seen => ({
  ...{ sent: JSON.stringify({ ...sent, id: undefined }), status, ...(status === 201 && { body: shown }) },
});

const addThree = [rex, tom, third].flatMap((animal): readonly Seen[] => [
  add(201, animal),
  { path: `/pets/${animal.id}`, status: 200, body: animal },
]);
const noneOf = (...ids: readonly number[]) => ids.map((id) => refused(404, `/pets/${id}`));

type Verdict =
  | ('right' | 'wrong' | 'right and wrong' | 'excused' | 'excused and right')
  | ('in doubt' | 'in doubt and right' | 'nothing');

/** What was seen, and what the clause says of it. */
const rows: Readonly<Record<string, readonly (readonly [what: string, seen: readonly Seen[], Verdict])[]>> = {
  'list-pets/limit-most-100': [
    ['100 animals', [list(animals(100), '?limit=100')], 'right'],
    ['101 animals', [list(animals(101), '?limit=abc')], 'wrong'],
  ],
  'list-pets/limit-is-a-maximum': [
    ['2 animals for 2', [list(animals(2), '?limit=2')], 'right'],
    ['3 animals for 2', [list(animals(3), '?limit=2')], 'wrong'],
    [
      '20 animals for two limits, since a service may take none',
      [list(animals(20), '?limit=1&limit=2')],
      'right',
    ],
    ['21 animals for two limits', [list(animals(21), '?limit=1&limit=2')], 'wrong'],
    // A service may take any limit for one that is invalid.
    ['21 animals for 0 and 5', [list(animals(21), '?limit=0&limit=5')], 'nothing'],
    ['21 animals for 1.5 and 5', [list(animals(21), '?limit=1.5&limit=5')], 'nothing'],
    ['21 animals for 101 and 5', [list(animals(21), '?limit=101&limit=5')], 'nothing'],
  ],
  'list-pets/limit-default': [
    ['20 animals', [list(animals(20))], 'right'],
    ['21 animals', [list(animals(21))], 'wrong'],
  ],
  'list-pets/limit-bounds': [
    ['200 for 100', [list([], '?limit=100')], 'right'],
    ['400 for 100', [refused(400, '/pets?limit=100')], 'wrong'],
    ['400 for 1', [refused(400, '/pets?limit=1')], 'wrong'],
  ],
  'list-pets/limit-invalid': [
    ['400', [refused(400, '/pets?limit=0')], 'right'],
    ['422', [refused(422, '/pets?limit=0')], 'right'],
    ['a list', [list([rex], '?limit=0')], 'right'],
    ['an object', [{ path: '/pets?limit=0', status: 200, body: {} }], 'wrong'],
    ['302', [refused(302, '/pets?limit=0')], 'wrong'],
    ['500', [refused(500, '/pets?limit=0')], 'wrong'],
  ],
  'list-pets/filter-invalid': [
    ['400', [refused(400, '/pets?status=lost')], 'right'],
    ['500', [refused(500, '/pets?status=lost')], 'wrong'],
  ],
  'list-pets/filters': [
    ['a sold animal in the list of sold ones', [list([sold], '?status=sold')], 'right'],
    ['a sold animal in the list of pending ones', [list([sold], '?status=pending')], 'wrong'],
    [
      'three animals without a status in the lists of two',
      [unshown('sold'), unshown('pending'), unshown('sold')],
      'wrong',
    ],
  ],
  'list-pets/filter-complete': [
    ['the sold animal', [list([sold]), list([sold], '?limit=100&status=sold')], 'right'],
    ['no animal of two', [list([sold, tom]), list([], '?limit=100&status=sold'), list([sold, tom])], 'wrong'],
    [
      'an animal that others have changed',
      [list([sold]), list([], '?limit=100&status=sold'), list([{ ...sold, status: 'pending' }])],
      'excused',
    ],
    [
      'no animal, long after one was shown, since others may have changed it twice',
      [list([sold]), ...pause, list([], '?limit=100&status=sold'), ...pause, list([sold])],
      'in doubt',
    ],
    [
      'none of five animals, long after they were shown',
      [fiveSold, ...pause, list([], '?limit=100&status=sold'), ...pause, fiveSold],
      'wrong',
    ],
    [
      'one of six animals, long after they were shown',
      [sixSold, ...pause, list([{ ...sold, id: 6 }], '?limit=100&status=sold'), ...pause, sixSold],
      'right and wrong',
    ],
  ],
  'list-pets/success': [
    ['a list', [listed], 'right'],
    ['404', [refused(404)], 'wrong'],
    ['an object', [{ status: 200, body: {} }], 'wrong'],
    ['401 for the valid key', [refused(401)], 'wrong'],
    ['an empty list just after five animals', between(list(animals(5)), list([])), 'right and wrong'],
    ['an empty list just after two animals', between(list(animals(2)), list([])), 'excused and right'],
    [
      'an empty list just after five animals, from a cache',
      between(list(animals(5)), { ...list([]), headers: { age: '1' } }),
      'excused and right',
    ],
  ],
  'list-pets/pets': [
    ['animals', [listed], 'right'],
    ['an animal without a name', [list([{ id: 1, categoryId: 1 }])], 'wrong'],
    ['a string as a categoryId', [list([{ ...rex, categoryId: '1' }])], 'wrong'],
    ['another status', [list([{ ...rex, status: 'lost' }])], 'wrong'],
    ['null as a status', [list([{ ...rex, status: null }])], 'wrong'],
    ['further members', [list([{ ...rex, createdAt: 'now' }])], 'right'],
    ['no status between two of one', [byId(sold), listed, byId(sold)], 'right and wrong'],
    [
      'no status just after one was shown',
      [byId(sold), { ...listed, after: 100 }, { ...byId(sold), after: 100 }],
      'right and wrong',
    ],
    ['null by id between two of none', [listed, byId({ ...rex, status: null }), listed], 'right'],
  ],
  'list-pets/unique-ids': [
    ['two ids', [list([rex, tom])], 'right'],
    ['one id twice', [list([rex, rex])], 'wrong'],
  ],
  'get-pet/success': [
    ['the animal', [listed, byId(rex)], 'right'],
    ['404 for a listed animal', [listed, refused(404, '/pets/1'), listed], 'wrong'],
    ['404 for a listed animal, which others may have removed', [listed, refused(404, '/pets/1')], 'excused'],
    [
      '404 for an animal that a list has just shown',
      [listed, { ...refused(404, '/pets/1'), after: 1_000 }, listed],
      'excused',
    ],
    ['a text for an id that nothing has shown', [{ path: '/pets/9', status: 200, body: 'x' }], 'nothing'],
    ['501 for a listed animal', [listed, refused(501, '/pets/1'), listed], 'wrong'],
    ['401 for the valid key', [listed, refused(401, '/pets/1'), listed], 'wrong'],
    [
      '403, since the key has no right',
      [listed, refused(403, '/pets/1'), refused(404, '/pets/9')],
      'nothing',
    ],
    ['no name', [listed, byId({ id: 1, categoryId: 1 })], 'right and wrong'],
  ],
  'get-pet/right-animal': [['another id', [listed, byId(tom)], 'wrong']],
  'get-pet/same-as-listed': [
    ['another name', [listed, byId({ ...rex, name: 'Tom' })], 'right and wrong'],
    ['a status that lists do not show', [listed, byId(sold), listed], 'right and wrong'],
    ['a status that was new', [listed, byId(sold), list([sold])], 'right'],
    [
      'a status that lists do not show yet',
      [listed, byId(sold), { ...listed, after: 1_000 }],
      'excused and right',
    ],
    ['another status of three animals', [fiveSold, ...threePending, fiveSold], 'right and wrong'],
    [
      'another status of three animals, which lists show as well for a while',
      [fiveSold, fivePending, fiveSold, ...threePending, fiveSold],
      'excused and right',
    ],
    [
      'another status of three animals, which lists show from then on',
      [fiveSold, ...threePending, fiveSold, fivePending],
      'right and wrong',
    ],
  ],
  'get-pet/finds-added': [
    ['the new animal', [add(201), byId(rex)], 'right'],
    ['404 for a new animal', [add(201), refused(404, '/pets/1'), listed], 'wrong'],
    [
      '404 for an animal that has just been added',
      [add(201), { ...refused(404, '/pets/1'), after: 1_000 }, listed],
      'excused',
    ],
    ['404 for a new animal, which others may have removed', [add(201), refused(404, '/pets/1')], 'excused'],
  ],
  'get-pet/unknown-is-404': [
    ['404', [refused(404, '/pets/9')], 'right'],
    ['400', [refused(400, '/pets/9')], 'wrong'],
    ['400 for an id that an animal gets later', [refused(400, '/pets/1'), add(201)], 'wrong'],
    [
      '400 for an id that an animal is getting',
      [add(201), { ...refused(400, '/pets/1'), after: 2 }],
      'nothing',
    ],
    ['204', [{ path: '/pets/9', status: 204 }], 'wrong'],
    ['another animal', [{ path: '/pets/9', status: 200, body: rex }], 'wrong'],
    ['an animal of others', [{ path: '/pets/999', status: 200, body: { ...tom, id: 999 } }], 'nothing'],
    [
      'an animal of the run with another id',
      [add(201), { path: '/pets/999', status: 200, body: { ...rex, id: 999 } }],
      'wrong',
    ],
  ],
  'get-pet/non-integer': [
    ['400', [refused(400, '/pets/abc')], 'right'],
    ['404', [refused(404, '/pets/abc')], 'right'],
    ['an animal', [{ path: '/pets/abc', status: 200, body: rex }], 'wrong'],
    ['500', [refused(500, '/pets/abc')], 'wrong'],
  ],
  'create-pet/success': [
    ['201', [add(201)], 'right'],
    ['200', [{ ...add(201), status: 200 }], 'wrong'],
    ['401 for an animal with the valid key', [add(401)], 'wrong'],
    ['422 for one like a listed animal', [list([tom]), add(422, tom)], 'wrong'],
    ['403, since the key may add none', [add(403)], 'nothing'],
    ['a page for 403, which is of no service', [{ ...page(403), sent: JSON.stringify(rex) }], 'wrong'],
    // Other clauses are about names and categories that might get lost.
    ...(
      [
        ['an ordinary animal', rex, 'wrong'],
        ['a name that begins with a space', { ...rex, name: ` ${rex.name}` }, 'nothing'],
        ['a name that ends with a space', { ...rex, name: `${rex.name} ` }, 'nothing'],
        ['a name of 100 letters', { ...rex, name: MARK.padEnd(100, 'x') }, 'wrong'],
        ['a name of 101 letters', { ...rex, name: MARK.padEnd(101, 'x') }, 'nothing'],
        ['the category 0', { ...rex, categoryId: 0 }, 'nothing'],
        ['the category 16777215', { ...rex, categoryId: 16_777_215 }, 'wrong'],
        ['the category 16777216', { ...rex, categoryId: 16_777_216 }, 'nothing'],
      ] as const
    ).map(([what, sent, verdict]) => [`500 for ${what}`, [add(500, sent)], verdict] as const),
    ['409 once, and then 201', [add(409), add(201, longer)], 'right and wrong'],
    ['404 once, and then 201', [add(404), add(201, longer)], 'right and wrong'],
    ['409 from then on, since the store is full', [add(201, longer), add(409)], 'right'],
    ['409 for a name that an animal has', [add(201), add(409), add(201, longer)], 'right'],
    [
      '409 among animals at once',
      [{ ...add(409), request: { isTogether: true } }, add(201, longer)],
      'right',
    ],
    ['403 that asks to wait', [{ ...add(403), headers: { 'retry-after': '1' } }, add(201, longer)], 'right'],
    // A recommendation is about other spellings of the media type, and about chunks.
    ...[
      { 'Content-Type': 'Application/JSON' },
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    ].map(
      (headers) =>
        [
          `400 with ${JSON.stringify(headers)}`,
          [add(201, longer), { ...add(400), request: { headers } }],
          'right',
        ] as const,
    ),
    [
      '400 with a charset',
      [
        add(201, longer),
        { ...add(400), request: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
      ],
      'right and wrong',
    ],
  ],
  'create-pet/pet': [['no id', [{ ...add(201), body: { name: 'Rex', categoryId: 1 } }], 'wrong']],
  'create-pet/echoes': [
    ['the animal', [add(201)], 'right'],
    ['another category', [add(201, { ...rex, categoryId: 2 }, rex)], 'right and wrong'],
  ],
  'create-pet/status-kept': [
    ['422 for one status only', [add(201), add(422, sold)], 'wrong'],
    ['400 for one status only', [add(201), add(400, sold)], 'wrong'],
    ...[403, 404, 409].map(
      (status) => [`${status} for one status only`, [add(status, sold), add(201, longer)], 'wrong'] as const,
    ),
    ['403 from then on, since the key may add no more', [add(201, longer), add(403, sold)], 'nothing'],
    // What an omitted status becomes is not specified; but other lists show statuses.
    ['a status of a 201 only', [list([tom]), add(201, sold, rex), listed], 'wrong'],
    [
      'two other statuses, since others change it',
      [add(201, sold), byId({ ...sold, status: 'pending' }), byId({ ...sold, status: 'available' })],
      'excused',
    ],
    ['a status of a 201, of which no list shows any', [add(201, sold, rex), listed], 'nothing'],
    [
      'another status than that of a 201',
      [list([tom]), add(201, sold, rex), list([{ ...rex, status: 'pending' }])],
      'right',
    ],
  ],
  'create-pet/unique-id': [
    ['two ids', [add(201), add(201, tom)], 'right'],
    ['one id twice', [add(201), add(201, { ...tom, id: 1 })], 'right and wrong'],
  ],
  'create-pet/stored': [
    ['the new animal', [add(201), list([rex], '?limit=100')], 'right'],
    [
      'a list that is too new',
      [add(201), { ...long(tom), after: 1_000 }, long(tom, rex, third)],
      'excused and right',
    ],
    ['a list without the new animal', [add(201), long(tom), long(tom, rex, third)], 'right and wrong'],
    ['another one of the new animal in a list', [add(201), list([rex, { ...rex, id: 2 }])], 'wrong'],
    ['a far one of it in a list', [add(201), list([rex, { ...rex, id: 500 }])], 'wrong'],
    [
      'another one of it by id',
      [add(201), { path: '/pets/2', status: 200, body: { ...rex, id: 2 } }],
      'wrong',
    ],
    [
      'a far one of it by id, since an id may only look like that of an animal',
      [add(201), { path: '/pets/500', status: 200, body: { ...rex, id: 500 } }],
      'nothing',
    ],
  ],
  'store/kept': [
    ['an animal as before', [long(rex), long(rex)], 'right'],
    ['a list without one of two', [long(rex, tom), long(rex), long(rex, tom)], 'right and wrong'],
    [
      'a list without one of two, long after it was shown',
      [long(rex, tom), ...pause, long(rex), ...pause, long(rex, tom)],
      'right and wrong',
    ],
    [
      'a list that ends at its limit',
      [long(rex, tom, third), list([rex, tom], '?limit=2'), long(rex, tom, third)],
      'right',
    ],
    [
      'a list that ends at its limit, without one in between',
      [long(rex, tom, third), list([rex, third], '?limit=2'), long(rex, tom, third)],
      'right and wrong',
    ],
    [
      'a list that ends at its limit, without one in between that others change, since that may order lists',
      [
        long(rex, tom, third),
        list([rex, third], '?limit=2'),
        long(rex, { ...tom, status: 'pending' }, third),
      ],
      'excused and right',
    ],
    [
      'lists that all end at two, and an animal by id only',
      [thirdById, long(rex, tom), thirdById, long(rex, tom)],
      'excused and right',
    ],
    [
      'a list without one that others change',
      [long(rex, tom), long(rex), long(rex, { ...tom, status: 'pending' })],
      'right and wrong',
    ],
    // Nothing can be said of two animals with one id.
    [
      'another name of an animal whose id a later one got',
      [add(201), long(rex), add(201, { ...rex, name: longer.name }), long({ ...rex, name: longer.name })],
      'nothing',
    ],
    [
      'another name of a listed animal whose id a new one got',
      [long(tom), add(201, { ...rex, id: 2 }), long({ ...rex, id: 2 })],
      'nothing',
    ],
    [
      'an animal that others have removed',
      [long(rex, tom), long(rex), refused(404, '/pets/2')],
      'excused and right',
    ],
  ],
  'store/steady': [
    ['the same name', [listed, listed], 'nothing'],
    ['another name', [listed, list([{ ...rex, name: 'Tom' }]), listed], 'wrong'],
    [
      'another name of an animal of the run',
      [add(201), listed, list([{ ...rex, name: 'Tom' }]), listed],
      'nothing',
    ],
  ],
  'create-pet/name-required': [
    ['400', [post('{}', 400)], 'right'],
    ['413 in 2 bytes', [post('{}', 413)], 'wrong'],
    ['413 in 300 bytes', [post('{}'.padEnd(300), 413)], 'right'],
    ['422', [post('{}', 422)], 'wrong'],
    // A service may have no such category.
    ['422 with a category', [post('{"categoryId":1}', 422)], 'nothing'],
    ['500 with a category', [post('{"categoryId":1}', 500)], 'wrong'],
  ],
  'create-pet/body-required': [
    ['400 for an array', [post('[]', 400)], 'right'],
    ['201 for an array', [{ ...post('[]', 201), body: rex }], 'wrong'],
  ],
  'create-pet/malformed': [
    ['400', [post('{', 400)], 'right'],
    ['500', [post('{', 500)], 'wrong'],
    ['400 for an unusual body', [{ ...post('[[', 400), request: { form: 'an unusual body' } }], 'right'],
    ['201 for an unusual body', [{ ...post('[[', 201), request: { form: 'an unusual body' } }], 'wrong'],
    ['201 for an animal as text', [{ ...add(201), request: { form: 'an unusual body' } }], 'nothing'],
  ],
  'errors/body': [
    ['an Error', [refused(404, '/pets/9')], 'right'],
    ['no code', [{ ...refused(404, '/pets/9'), body: { message: 'No.', status: 404 } }], 'wrong'],
    ['a text with 429', [{ ...refused(429), body: 'No.', isSentAgain: true }, listed], 'wrong'],
    ['a text for 400 digits', [{ ...refused(400, `/pets/${'9'.repeat(400)}`), body: 'No.' }], 'wrong'],
    // Some servers have no room for it.
    ['a text for 5,000 digits', [{ ...refused(400, `/pets/${'9'.repeat(5_000)}`), body: 'No.' }], 'nothing'],
    ['a text for a path that no operation has', [{ ...refused(404, '/pets.json'), body: 'No.' }], 'nothing'],
    ['a text for a path that is not UTF-8', [{ ...refused(400, '/pets/%E0%A4'), body: 'No.' }], 'nothing'],
    ['a text for a path with a NUL', [{ ...refused(400, '/pets/%00'), body: 'No.' }], 'nothing'],
    ['a list', [listed], 'nothing'],
    [
      'a status that is a string',
      [{ ...refused(404, '/pets/9'), body: { code: 'a', message: 'No.', status: '404' } }],
      'wrong',
    ],
  ],
  'errors/status': [
    ['the same status', [refused(404, '/pets/9')], 'right'],
    ['another status', [{ ...refused(404, '/pets/9'), body: { status: 400 } }], 'wrong'],
  ],
  'errors/media-type': [
    [
      'an Error with a charset',
      [{ ...refused(404), headers: { 'content-type': 'application/json; charset=utf-8' } }],
      'right',
    ],
    ...['application/json-seq', 'application/problem+json', 'text/json'].map(
      (type) =>
        [`an Error as ${type}`, [{ ...refused(404), headers: { 'content-type': type } }], 'wrong'] as const,
    ),
  ],
  'errors/no-server-fault': [
    ['404', [refused(404)], 'right'],
    ['500', [refused(500)], 'wrong'],
    ['503', [refused(503)], 'wrong'],
    [
      'a page for 503, and a list when it is sent again',
      [{ ...page(503), isSentAgain: true }, listed],
      'right',
    ],
    ['a page for 503 each time', [{ ...page(503), isSentAgain: true }, page(503)], 'wrong'],
    ['507 for an animal', [add(507)], 'right'],
    ['507 for a list', [refused(507)], 'wrong'],
  ],
  'service/media-type': [
    ['a list as JSON', [listed], 'right'],
    ['a list as text', [{ ...listed, headers: { 'content-type': 'text/plain' } }], 'wrong'],
  ],
  'list-pets/missing-key': [
    ['401', [{ ...refused(401), trial: 'missing key' }], 'right'],
    ['403', [{ ...refused(403), trial: 'missing key' }], 'wrong'],
    ['a list', [{ ...listed, trial: 'missing key' }], 'wrong'],
    // There need not be another form of the path, but it must not bring the list either.
    ['a list of another path', [withoutKey(list([rex]), '/PETS')], 'wrong'],
    ['an animal of another path', [withoutKey({ path: '', status: 200, body: rex }, '/PETS')], 'wrong'],
    [
      'a page of another path',
      [withoutKey({ path: '', status: 200, body: '<html></html>' }, '/PETS')],
      'nothing',
    ],
    [
      '404 with an id for another path',
      [withoutKey({ path: '', status: 404, body: { id: 7 } }, '/PETS')],
      'nothing',
    ],
  ],
  'create-pet/invalid-key': [
    ['401', [{ ...add(401), trial: 'invalid key' }], 'right'],
    ['201', [{ ...add(201), trial: 'invalid key' }], 'wrong'],
  ],
  'get-pet/bearer-form': [
    ['401', [{ ...refused(401, '/pets/1'), trial: 'other form' }], 'right'],
    ['404', [{ ...refused(404, '/pets/1'), trial: 'other form' }], 'wrong'],
  ],
  'list-pets/limit-omitted': [
    ['20 animals', [list(animals(20))], 'right'],
    ['21 animals', [list(animals(21))], 'wrong'],
    ['21 animals for limit=20', [list(animals(21), '?limit=20')], 'nothing'],
    ['21 animals for a parameter like a limit', [list(animals(21), '?Limit=50')], 'nothing'],
    ['21 animals for an invalid filter', [list(animals(21), '?status=lost')], 'wrong'],
  ],
  'list-pets/filter-before-limit': [
    ['the sold animal', [long(rex, tom), list([tom], '?limit=1&status=sold')], 'right'],
    ['no animal', [long(rex, tom), list([], '?limit=1&status=sold'), long(rex, tom)], 'wrong'],
    [
      'no animal with limit=100 where 100 others come first',
      [late, long(...animals(100)), { ...list([], '?limit=100&status=sold'), after: 100 }, late],
      'wrong',
    ],
  ],
  'create-pet/text-exact': [
    ['another letter', [add(201, rex, { ...rex, name: `${MARK} R\u00e9x` })], 'right and wrong'],
  ],
  'create-pet/int64-exact': [
    [
      'another last digit',
      [add(201, { ...rex, categoryId: 4_294_967_296 }, { ...rex, categoryId: 4_294_967_297 })],
      'right and wrong',
    ],
  ],
  'create-pet/category-any': [
    [
      '400 for one beyond 32 bits',
      [add(201), add(201, { ...tom, categoryId: 2 ** 40 }), add(400, { ...rex, categoryId: 2 ** 41 })],
      'right and wrong',
    ],
    [
      '400 for one beyond 32 bits, or for a name that no new animal has',
      [add(201), add(201, { ...tom, categoryId: 2 ** 40 }), add(400, { ...third, categoryId: 2 ** 41 })],
      'right',
    ],
    [
      '400 for one beyond 32 bits with a name that another new animal has',
      [add(201, { ...tom, categoryId: 2 ** 40 }), add(400, { ...tom, categoryId: 2 ** 41 })],
      'right and wrong',
    ],
    [
      '500 for one beyond 32 bits with a name that no new animal has',
      [add(201, { ...tom, categoryId: 2 ** 40 }), add(500, { ...third, categoryId: 2 ** 41 })],
      'right and wrong',
    ],
  ],
  'recommended/category-below-1': [
    [
      '400 for 0',
      [add(201), add(201, { ...tom, categoryId: 2 ** 40 }), add(400, { ...rex, categoryId: 0 })],
      'wrong',
    ],
  ],
  'create-pet/id-assigned': [
    ['another id', [{ ...post(JSON.stringify({ ...rex, id: 7 }), 201), body: rex }], 'right'],
    [
      'the id of the body',
      [{ ...post(JSON.stringify({ ...rex, id: 7 }), 201), body: { ...rex, id: 7 } }],
      'wrong',
    ],
    ['400', [post(JSON.stringify({ ...rex, id: 7 }), 400)], 'right'],
  ],
  'create-pet/category-required': [
    ['400', [post('{"name":"Rex"}', 400)], 'right'],
    ['201', [{ ...post('{"name":"Rex"}', 201), body: rex }], 'wrong'],
    ['409', [post('{"name":"Rex"}', 409)], 'wrong'],
  ],
  'create-pet/name-type': [
    ['400', [post('{"name":7,"categoryId":1}', 400)], 'right'],
    ['201', [{ ...post('{"name":7,"categoryId":1}', 201), body: rex }], 'wrong'],
  ],
  'create-pet/category-type': [
    ['400 for a string', [post('{"name":"Rex","categoryId":"1"}', 400)], 'right'],
    ['201 for a string, with a charset', [{ ...text(201), request: { headers: withCharset } }], 'wrong'],
    ['415 for a string, with a charset', [{ ...text(415), request: { headers: withCharset } }], 'right'],
    ['415 for a string', [text(415)], 'wrong'],
    ['201 for a fraction', [{ ...post('{"name":"Rex","categoryId":1.5}', 201), body: rex }], 'wrong'],
    [
      '201 beyond an int64',
      [{ ...post('{"name":"Rex","categoryId":9223372036854775808}', 201), body: rex }],
      'wrong',
    ],
  ],
  'create-pet/status-value': [
    ['400', [post('{"name":"Rex","categoryId":1,"status":"lost"}', 400)], 'right'],
    ['201', [{ ...post('{"name":"Rex","categoryId":1,"status":"lost"}', 201), body: rex }], 'wrong'],
    [
      '201 for another case',
      [{ ...post('{"name":"Rex","categoryId":1,"status":"Sold"}', 201), body: sold }],
      'wrong',
    ],
  ],
  'create-pet/refused-adds-nothing': [
    ['400', [add(400), list([])], 'right'],
    ['400 for an animal that is listed then', [add(400), listed], 'right and wrong'],
    ['400, and 500, which may have added it', [add(400), add(500), listed], 'right'],
  ],
  'create-pet/unauthorized-adds-nothing': [
    ['401', [{ ...add(401), trial: 'missing key' }], 'right'],
    [
      '401 for an animal that is listed then',
      [{ ...add(401), trial: 'missing key' }, listed],
      'right and wrong',
    ],
    ['201', [{ ...add(201), trial: 'missing key' }], 'wrong'],
  ],
  'store/sequences': [
    [
      'an animal that is gone',
      [add(201), byId(rex), refused(404, '/pets/1'), refused(404, '/pets/1')],
      'excused',
    ],
    ['three animals that are gone', [...addThree, ...noneOf(1, 2, 3)], 'wrong'],
    [
      'two animals that are gone, and one that was not there before',
      [...noneOf(3), ...addThree.slice(0, -1), ...noneOf(1, 2)],
      'excused',
    ],
  ],
  'list-pets/invalid-key': [
    ['401', [{ ...refused(401), trial: 'invalid key' }], 'right'],
    ['403', [{ ...refused(403), trial: 'invalid key' }], 'wrong'],
    [
      '400 for ASCII',
      [{ ...refused(400), trial: 'invalid key', request: { headers: { Authorization: 'Bearer x' } } }],
      'wrong',
    ],
    [
      '400 for \u00e9',
      [{ ...refused(400), trial: 'invalid key', request: { headers: { Authorization: 'Bearer \u00e9' } } }],
      'right',
    ],
    [
      '404 for \u00e9',
      [{ ...refused(404), trial: 'invalid key', request: { headers: { Authorization: 'Bearer \u00e9' } } }],
      'wrong',
    ],
    [
      '431 for a long one',
      [{ ...refused(431), trial: 'invalid key', request: { headers: { Authorization: 'x'.repeat(8_000) } } }],
      'right',
    ],
  ],
  'list-pets/bearer-form': [
    ['401', [{ ...refused(401), trial: 'other form' }], 'right'],
    ['a list', [{ ...listed, trial: 'other form' }], 'wrong'],
  ],
  'create-pet/missing-key': [
    ['401', [{ ...add(401), trial: 'missing key' }], 'right'],
    ['201', [{ ...add(201), trial: 'missing key' }], 'wrong'],
    ['400', [{ ...add(400), trial: 'missing key' }], 'wrong'],
  ],
  'create-pet/bearer-form': [['201', [{ ...add(201), trial: 'other form' }], 'wrong']],
  'get-pet/missing-key': [
    ['401', [{ ...refused(401, '/pets/1'), trial: 'missing key' }], 'right'],
    ['404', [{ ...refused(404, '/pets/1'), trial: 'missing key' }], 'wrong'],
    ['an animal for a word', [withoutAnyKey({ ...byId(rex), path: '/pets/abc' })], 'wrong'],
    ['400 for a word', [withoutAnyKey(refused(400, '/pets/abc'))], 'nothing'],
  ],
  'get-pet/invalid-key': [['the animal', [{ ...byId(rex), trial: 'invalid key' }], 'wrong']],
  'create-pet/key-before-body': [
    ['401', [{ ...post('{', 401), trial: 'missing key', request: { isBodyTrial: true } }], 'right'],
    ['400', [{ ...post('{', 400), trial: 'missing key', request: { isBodyTrial: true } }], 'wrong'],
    [
      '413 for a small one',
      [{ ...post('{', 413), trial: 'missing key', request: { isBodyTrial: true } }],
      'wrong',
    ],
    [
      '413 for a large one',
      [
        {
          ...post('{', 413),
          trial: 'missing key',
          request: { isBodyTrial: true, form: 'a large body without a key' },
        },
      ],
      'right',
    ],
  ],
  'recommended/scheme-case': [
    ['a list', [{ ...listed, request: { form: 'the scheme in lower case' } }], 'right'],
    ['401', [{ ...refused(401), request: { form: 'the scheme in lower case' } }], 'wrong'],
  ],
  'recommended/challenge': [
    [
      'the header',
      [{ ...refused(401), trial: 'missing key', headers: { 'www-authenticate': 'Bearer' } }],
      'right',
    ],
    ['no header', [{ ...refused(401), trial: 'missing key' }], 'wrong'],
  ],
  'service/browser': [
    ['the same list', [listed, inBrowser(listed), listed], 'right'],
    ['another name', [listed, inBrowser(list([{ ...rex, name: 'Tom' }])), listed], 'wrong'],
    ['406', [listed, inBrowser(refused(406)), listed], 'wrong'],
    ['an empty list', [listed, inBrowser(list([])), listed], 'right and wrong'],
    ['a list without one of two', [list([rex, tom]), inBrowser(listed), list([rex, tom])], 'right and wrong'],
    [
      'a list without what was added a second before',
      [listed, add(201, tom), { ...inBrowser(listed), after: 1_000 }, list([rex, tom])],
      'excused and right',
    ],
    [
      'a list that is as long as its limit, of lists in another order each time',
      [list([rex, tom, third]), list([tom, rex, third]), ...oneInTurn],
      'right',
    ],
    [
      'an animal in place of 404',
      [refused(404, '/pets/9'), inBrowser({ ...byId(rex), path: '/pets/9' })],
      'wrong',
    ],
    ['404 too', [refused(404, '/pets/9'), inBrowser(refused(404, '/pets/9'))], 'nothing'],
    ['a new animal', [inBrowser(add(201, tom))], 'right'],
    ['a new animal with another name', [inBrowser(add(201, tom, rex))], 'wrong'],
    ['403 for an animal, but not for a later one', [inBrowser(add(403, tom)), add(201)], 'wrong'],
    ['403 for an animal, and for a later one', [inBrowser(add(403, tom)), add(403)], 'nothing'],
    ['another animal by its id', [byId(rex), inBrowser(byId(tom)), byId(rex)], 'wrong'],
    ['an empty object by the id', [byId(rex), inBrowser(byId({})), byId(rex)], 'wrong'],
  ],
  'recommended/strict-json': [
    ['400', [{ ...post('{"x":NaN}', 400), request: { form: 'lenient JSON' } }], 'right'],
    ['201', [{ ...post('{"x":NaN}', 201), body: rex, request: { form: 'lenient JSON' } }], 'wrong'],
  ],
  'recommended/chunked-body': [
    ['201', [add(201), { ...add(201, tom), request: { headers: chunked } }], 'right'],
    ['411', [add(201, sold), { ...add(411, tom), request: { headers: chunked } }], 'right'],
    ['400', [add(201, sold), { ...add(400, tom), request: { headers: chunked } }], 'wrong'],
    ['500', [add(201, sold), { ...add(500, tom), request: { headers: chunked } }], 'wrong'],
    // The animal may be refused for what it is.
    ['422', [add(201, sold), { ...add(422, tom), request: { headers: chunked } }], 'nothing'],
    ['400, if no other animal was added', [{ ...add(400, tom), request: { headers: chunked } }], 'nothing'],
  ],
  'recommended/media-type-case': [
    [
      '415',
      [add(201, sold), { ...add(415, tom), request: { headers: { 'Content-Type': 'Application/JSON' } } }],
      'wrong',
    ],
  ],
  'recommended/undecodable-path': [
    ['400', [refused(400, '/pets/%00')], 'right'],
    ['500', [refused(500, '/pets/%E0%A4')], 'wrong'],
  ],
  'recommended/long-path': [
    ['414 with an Error', [refused(414, `/pets/${'9'.repeat(400)}`)], 'right'],
    ['414 with a text', [{ ...refused(414, `/pets/${'9'.repeat(400)}`), body: 'too long' }], 'wrong'],
    ['400 with a text', [{ ...refused(400, `/pets/${'9'.repeat(5_000)}`), body: 'too long' }], 'wrong'],
  ],
};

test.for(Object.entries(rows).flatMap(([id, own]) => own.map((row) => [id, ...row] as const)))(
  '%s, of %s',
  ([id, , seen, verdict]) => {
    expect(judge(id, seen)).toBe(verdict);
  },
);

test.for<[id: string, what: string, seen: readonly Seen[], fault: object]>([
  [
    'create-pet/unique-id',
    'one id twice',
    [add(201), add(201, { ...tom, id: 1 })],
    { idProblem: 'of another new animal' },
  ],
  [
    'create-pet/unique-id',
    'the id of a listed animal',
    [list([tom]), add(201, { ...rex, id: 2 })],
    { idProblem: 'of a listed animal' },
  ],
  [
    'list-pets/limit-default',
    'a shorter list than with limit=20',
    [list(animals(20), '?limit=20'), long(...animals(30)), list(animals(19)), list(animals(20), '?limit=20')],
    { compared: 'as with limit=20', expected: 20, received: 19 },
  ],
])('%s, of %s, says what is wrong', ([id, , seen, fault]) => {
  expect(look(id, seen).find(isSighting)?.fault).toMatchObject(fault);
});

test.for([
  ['2030-12-04T09:59:59Z', 'wrong'],
  ['2030-12-04T10:00:00Z', 'nothing'],
] as const)(
  'GET /pets/{petId} may have been removed on 5 December 2030 in any time zone: %s',
  ([now, verdict]) => {
    const gone = [listed, refused(410, '/pets/1'), listed];
    expect(judge('get-pet/success', gone, now)).toBe(verdict);
  },
);
