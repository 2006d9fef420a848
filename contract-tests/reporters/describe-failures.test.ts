import { expect, test } from 'vitest';
import type { Cause, Failure, FaultKind, Shape } from '../failures/failure.ts';
import { describeCause } from './describe-cause.ts';
import { describeFailures } from './describe-failures.ts';

const list = { operation: 'GET /pets', side: 'list', status: 200 } as const;
const post = { operation: 'POST /pets', side: 'creation', status: 201 } as const;
const fetched = { operation: 'GET /pets/{petId}', side: 'by id', status: 200 } as const;
const refusal = { operation: 'POST /pets', side: 'refusal', status: 500, said: 'Ouch' } as const;
const asked = (member: string, value: string) => ({ what: 'member', member, value }) as const;

type Row = readonly [failure: Failure, expected: string, received: string];

/** What a body may be, and what the reports say about a 200 with it. */
const shapes: readonly (readonly [shape: Shape, received: string])[] = [
  [{ is: 'empty' }, '200 with an empty body'],
  [{ is: 'text', text: 'pong' }, '200 with pong'],
  [{ is: 'array', length: 3 }, '200 with an array of 3'],
  [{ is: 'animal', id: '7' }, '200 with the animal 7'],
  [{ is: 'object', members: ['pet'] }, '200 with an object with the member pet'],
  [{ is: 'object', members: [] }, '200 with {}'],
  [{ is: 'value', value: 'null' }, '200 with null'],
];

/** Failures of each kind, with what the reports say that was expected and received. */
const rows: { readonly [Kind in FaultKind]: readonly Row[] } = {
  status: [
    [{ ...refusal, kind: 'status', expected: 400 }, '400', '500: "Ouch"'],
    [
      { ...refusal, kind: 'status', expected: 201, request: { what: 'at once', failed: 3, of: 8 } },
      '201 for each of 8 POSTs at the same time',
      '500 for 3 of 8 POSTs at the same time: "Ouch"',
    ],
    [
      { ...refusal, kind: 'status', expected: 401, request: { what: 'form', form: 'a key with dots' } },
      '401 for a wrong key with dots',
      '500: "Ouch"',
    ],
    [
      { ...post, kind: 'status', expected: '4xx', request: { what: 'body', body: '' } },
      'a 4xx for an empty body',
      '201',
    ],
    [
      { ...post, kind: 'status', expected: 400, request: { what: 'body', body: ' ' } },
      '400 for a blank body',
      '201',
    ],
    [
      { ...post, kind: 'status', expected: '201 or 4xx', request: { what: 'media type', mediaType: 'a/b' } },
      '201 or a 4xx for a/b',
      '201',
    ],
    [
      {
        ...refusal,
        kind: 'status',
        expected: 201,
        request: { ...asked('categoryId', '57'), accepted: ['1', '2'] },
      },
      '201 for the categoryId 57, as for 1 and 2',
      '500: "Ouch"',
    ],
    [
      {
        kind: 'status',
        operation: 'GET /pets/{petId}',
        side: 'by id',
        expected: 200,
        request: { what: 'animal', id: '7', seen: 'before and after' },
        noResponse: 'socket hang up',
      },
      'the animal 7, as before and after',
      'no answer (socket hang up)',
    ],
    [
      {
        ...fetched,
        status: 404,
        kind: 'status',
        expected: 200,
        request: { what: 'animal', id: '7', seen: 'added' },
      },
      'the added animal 7',
      '404',
    ],
    ...shapes.map(
      ([shape, received]): Row => [
        { ...fetched, kind: 'status', expected: 404, request: { what: 'unknown id' }, shape },
        '404 for an id that no animal has',
        received,
      ],
    ),
    [
      {
        ...list,
        kind: 'status',
        expected: '4xx or list',
        request: { what: 'query', query: '?limit=08' },
        status: 500,
      },
      'a 4xx or a list for ?limit=08',
      '500',
    ],
    [
      {
        ...list,
        kind: 'status',
        expected: 401,
        request: { what: 'authorization', authorization: 'Basic [key]' },
      },
      '401 for Authorization: Basic [key]',
      '200',
    ],
    [
      { ...fetched, kind: 'status', expected: 'no animal', request: { what: 'petId', petId: 'abc' } },
      'no animal for the petId abc',
      '200',
    ],
    [
      { ...refusal, kind: 'status', expected: 400, request: { what: 'body', body: '"Rex"' } },
      '400 for the string "Rex"',
      '500: "Ouch"',
    ],
    [
      { ...refusal, kind: 'status', expected: 400, request: { what: 'body', body: '[{}]' } },
      '400 for the array [{}]',
      '500: "Ouch"',
    ],
    [
      { ...post, kind: 'status', expected: 201, request: { what: 'body', body: '{"name":"Rex"}' } },
      '201 for {"name":"Rex"}',
      '201',
    ],
    [
      { ...refusal, kind: 'status', expected: 201, request: { what: 'notation' } },
      '201, since JSON may have spaces, and members in any order',
      '500: "Ouch"',
    ],
    [{ ...list, kind: 'status', expected: 400, request: asked('limit', '0') }, '400 for the limit 0', '200'],
    [{ ...refusal, kind: 'status', expected: '4xx or list' }, 'a 4xx or a list', '500: "Ouch"'],
    [{ ...fetched, kind: 'status', expected: 'no animal' }, 'no animal', '200'],
    [{ ...refusal, kind: 'status', expected: '201 or 411' }, '201, or 411', '500: "Ouch"'],
  ],
  'server fault': [
    [
      { ...refusal, kind: 'server fault', count: 1, requests: 9, otherwise: [] },
      'a status below 500',
      '500: "Ouch"',
    ],
    [
      { ...refusal, kind: 'server fault', count: 2, requests: 9, otherwise: [] },
      'a status below 500',
      '500: "Ouch" for POST /pets in 2 of 9 requests',
    ],
    [
      { ...refusal, kind: 'server fault', count: 1, requests: 9, otherwise: ['201'] },
      'a status below 500',
      '500: "Ouch" in 1 of 9 requests, and the same request got 201 at other times',
    ],
    [
      { ...refusal, kind: 'server fault', count: 2, requests: 9, otherwise: ['201', '400'] },
      'a status below 500',
      '500: "Ouch" in 2 of 9 requests, and the same request got 201, 400 at other times',
    ],
  ],
  body: [
    [
      { ...list, kind: 'body', expected: 'list', problem: { is: 'no JSON', surplus: 12 }, body: '[]' },
      'a JSON array',
      'JSON with 12 bytes after its end: []',
    ],
    [{ ...list, kind: 'body', expected: 'list', problem: { is: 'empty' } }, 'a JSON array', 'an empty body'],
    [
      { ...list, kind: 'body', expected: 'Pet', problem: { is: 'not UTF-8' } },
      'a Pet',
      'a body that is not UTF-8',
    ],
    [
      { ...list, kind: 'body', expected: 'list', problem: { is: 'no JSON' }, body: '<html>' },
      'a JSON array',
      'no JSON: <html>',
    ],
    [
      {
        ...list,
        kind: 'body',
        expected: 'list',
        problem: { is: 'another type', shape: { is: 'object', members: ['results', 'count'] } },
        body: '{}',
      },
      'a JSON array',
      'an object with the members results and count',
    ],
    [
      { ...refusal, kind: 'body', expected: 'Error', problem: { is: 'empty' } },
      'an Error',
      '500 with an empty body: an empty body',
    ],
    [
      {
        ...list,
        kind: 'body',
        expected: 'list of Pets',
        index: 3,
        problem: {
          is: 'invalid',
          schema: 'Pet',
          member: 'id',
          pointer: '/id',
          rule: 'must be integer',
          value: '"7"',
        },
      },
      'a list of Pets',
      'the id "7", which must be integer, at index 3',
    ],
    [
      {
        ...list,
        kind: 'body',
        expected: '4xx or list',
        problem: { is: 'another type', shape: { is: 'value', value: 'true' } },
      },
      'a 4xx or a list',
      '200: true',
    ],
    [
      { ...fetched, kind: 'body', expected: 'Pet', problem: { is: 'incomplete', why: 'cut' } },
      'a Pet',
      'cut',
    ],
    [{ ...list, kind: 'body', expected: 'list', problem: { is: 'no JSON' } }, 'a JSON array', 'no JSON'],
    [
      {
        ...refusal,
        kind: 'body',
        expected: 'Error',
        problem: { is: 'invalid', schema: 'Error', pointer: '', rule: 'must have code' },
        body: '{}',
      },
      'an Error',
      '500 with {}: Error must have code',
    ],
  ],
  'error status': [
    [
      { ...refusal, kind: 'error status', received: '400' },
      'the status 500 in the Error, as in the status line',
      '400',
    ],
  ],
  header: [
    [
      { ...list, kind: 'header', header: 'Content-Type', received: 'application/json, text/html' },
      'application/json',
      '2 Content-Type headers: application/json, text/html',
    ],
    [{ ...list, kind: 'header', header: 'Content-Type' }, 'application/json', 'no Content-Type'],
    [
      { ...list, kind: 'header', header: 'Content-Type', received: 'text/html' },
      'application/json',
      'text/html',
    ],
    [{ ...refusal, kind: 'header', header: 'WWW-Authenticate' }, 'a WWW-Authenticate header', 'none'],
  ],
  'byte order mark': [
    [{ ...list, kind: 'byte order mark' }, 'application/json', 'a byte order mark before the JSON'],
  ],
  member: [
    [
      {
        ...post,
        kind: 'member',
        member: 'name',
        expected: '"Rex"',
        received: '"REX"',
        compared: 'by its id',
      },
      'the name "Rex" when fetched by its id',
      '"REX"',
    ],
    [
      {
        ...list,
        kind: 'member',
        member: 'status',
        expected: '"sold"',
        compared: 'of the animal, as before',
        id: '7',
      },
      'the status "sold" of the animal 7, as before',
      'nothing',
    ],
    [
      { ...post, kind: 'member', member: 'id', expected: '1', received: '2', compared: 'other record' },
      'the id 1',
      '2',
    ],
    [
      { ...post, kind: 'member', member: 'id', expected: '1', received: '2', compared: 'in the list' },
      'the id 1 in the list',
      '2',
    ],
    ...(
      [['of the animal, as before and after', 'the id 1 of the animal 7, as before and after']] as const
    ).map(([compared, expected]): Row => {
      const values = { expected: '1', received: '2', id: '7' };
      return [{ ...post, kind: 'member', member: 'id', ...values, compared }, expected, '2'];
    }),
  ],
  'hidden member': [
    [
      { ...list, kind: 'hidden member', member: 'status', id: '7' },
      'the status of the animal 7, as other responses show it',
      'no status',
    ],
  ],
  filter: [
    [
      { ...list, kind: 'filter', member: 'status', expected: 'sold', received: '"pending"', id: '7' },
      'only animals with the status sold for ?status=sold',
      'the animal 7 with the status "pending"',
    ],
  ],
  count: [
    [
      {
        ...list,
        kind: 'count',
        expected: 5,
        compared: 'at most',
        received: 6,
        isAtLeast: true,
      },
      'at most 5 animals',
      'at least 6',
    ],
    [
      {
        ...list,
        kind: 'count',
        expected: 20,
        compared: 'as with limit=20',
        received: 9,
        isAtLeast: false,
      },
      '20 animals, as with limit=20',
      '9',
    ],
    [
      {
        ...list,
        kind: 'count',
        expected: 1,
        compared: 'at most',
        received: 2,
        isAtLeast: false,
      },
      'at most 1 animal',
      '2',
    ],
  ],
  'carried over': [
    [
      { ...list, kind: 'carried over', parameter: 'limit', value: '3' },
      'the list that this request asks for',
      'a list as with limit=3, which the request before it had',
    ],
  ],
  missing: [
    [
      { ...list, kind: 'missing', lacks: 'any animal', received: 'empty list' },
      'at least one animal, since there are some',
      'an empty list',
    ],
    [
      { ...list, kind: 'missing', lacks: 'the animal', id: '7', received: 'list without it' },
      'the animal 7 in the list',
      'a list without it',
    ],
    [
      { ...list, kind: 'missing', lacks: 'the animal of before', id: '7', received: 'list without it' },
      'the animal 7 in the list, as before the additions',
      'a list without it',
    ],
    [
      {
        ...list,
        kind: 'missing',
        lacks: 'the matching animal',
        id: '7',
        has: [{ member: 'status', value: 'sold' }],
        received: 'list without it',
      },
      'the animal 7, which has the status sold, in the list',
      'a list without it',
    ],
  ],
  'two lists': [
    [
      { ...list, kind: 'two lists', id: '7', member: 'status', values: ['pending', 'sold'] },
      'an animal in the list of one status',
      'the animal 7, which shows no status, in the lists of pending and sold',
    ],
  ],
  late: [[{ ...list, kind: 'late', ms: 700 }, 'a new animal at once', 'the animal 700 ms later']],
  id: [
    [{ ...fetched, kind: 'id', idProblem: 'not requested', expected: '7', received: '8' }, 'the id 7', '8'],
    [
      { ...post, kind: 'id', idProblem: 'of a listed animal', received: '7' },
      'a new id',
      '7, the id of a listed animal',
    ],
    [
      { ...post, kind: 'id', idProblem: 'of another new animal', received: '7' },
      'a new id',
      '7, the id of another new animal',
    ],
    [
      { ...post, kind: 'id', idProblem: 'from the body', received: '7' },
      'an id assigned by the service',
      '7, the one in the body',
    ],
    [
      { ...list, kind: 'id', idProblem: 'twice', received: '7' },
      'a unique id for each animal',
      'two animals with the id 7',
    ],
  ],
  duplicate: [
    [
      { ...list, kind: 'duplicate', ids: ['7', '8'], where: 'list' },
      'the animal once in the list',
      '7 and 8',
    ],
    [{ ...post, kind: 'duplicate', ids: ['7', '8'], where: 'run' }, 'the animal once', '7 and 8'],
  ],
  'mixed up': [
    [
      { ...post, kind: 'mixed up', member: 'name', expected: '"Rex"', received: '"Tom"' },
      'the name "Rex"',
      '"Tom", which another POST at the same time has sent',
    ],
  ],
  added: [
    [{ ...list, kind: 'added', id: '7', name: '"Rex"' }, 'no new animal', 'the animal 7 with the name "Rex"'],
  ],
  interrupted: [
    [
      { ...list, kind: 'interrupted', count: 3, status: 502, said: 'Bad Gateway', isPage: true },
      'responses of the service only',
      '3 responses of a gateway in place of the service, such as 502: "Bad Gateway"',
    ],
  ],
};

test.for(Object.values(rows).flat())('%o: expected %s, received %s', ([failure, expected, received]) => {
  expect(describeFailures([failure])).toEqual({ expected, received });
});

test('all server faults are told, each with its rate', () => {
  const fault = (status: number, operation: string, count: number): Failure => {
    return { ...refusal, kind: 'server fault', status, operation, count, requests: 9, otherwise: [] };
  };
  const faults = [fault(500, 'GET /pets', 1), fault(502, 'GET /pets', 2), fault(500, 'GET /pets', 3)];
  expect(describeFailures(faults).received).toBe(
    '500: "Ouch" for GET /pets in 4 of 9 requests, 502: "Ouch" for GET /pets in 2 of 9 requests',
  );
  const [first, ...others] = faults as [Failure, ...Failure[]];
  const of = (said: string, words: string) => ({ ...first, said, words }) as Failure;
  expect(
    describeFailures([of('No disk 7', 'No disk #'), of('No key', 'No key'), ...others]).received,
  ).toMatch(
    /^500: "No disk 7" for GET \/pets in 1 of 9 requests, 500: "No key" for GET \/pets in 1 of 9 requests, 502/,
  );
  expect(describeFailures([])).toEqual({ expected: '', received: '' });
});

test('other places of a failure follow the first one, each once', () => {
  const first: Failure = { ...list, kind: 'header', header: 'Content-Type' };
  const others: readonly Failure[] = [
    first,
    { ...first, operation: 'POST /pets', status: 201 },
    { ...first, operation: 'POST /pets', status: 201 },
    { ...first, operation: 'GET /pets/{petId}', status: 404 },
  ];
  expect(describeFailures([first, ...others]).received).toBe(
    'no Content-Type, also in POST /pets 201, also in GET /pets/{petId} 404',
  );
});

test('another failure of the clause follows the first one, with what was expected instead', () => {
  const accept = (body: string): Failure => ({
    ...post,
    kind: 'status',
    expected: 400,
    request: { what: 'body', body },
  });
  expect(
    describeFailures([accept('{}'), accept('{"name":1}'), accept(''), { ...accept('null'), ...refusal }]),
  ).toEqual({
    expected: '400 for {}',
    received: '201; also for {"name":1}; also for an empty body; also 500: "Ouch" instead of 400 for null',
  });
  const withoutSubject: Failure = { ...post, kind: 'status', expected: '4xx' };
  expect(describeFailures([accept('{}'), withoutSubject]).received).toBe('201; also 201 instead of a 4xx');
  const five = ['{}', '[]', '1', 'true', ''].map(accept);
  expect(describeFailures(five).received).toBe(
    '201; also for the array []; also for 1; also for true; and 1 more',
  );
});

/** Each probable cause, with its text after "probably". */
const causes: { readonly [Name in Cause['cause']]: readonly [Cause & { cause: Name }, string] } = {
  'turned into null': [{ cause: 'turned into null' }, 'turned into null'],
  'turned into another type': [{ cause: 'turned into another type', type: 'string' }, 'turned into a string'],
  'rounded to a double': [{ cause: 'rounded to a double' }, 'rounded to what a double can hold'],
  'cut to 32 bits': [{ cause: 'cut to 32 bits' }, 'cut to 32 bits'],
  trimmed: [{ cause: 'trimmed' }, 'trimmed'],
  cut: [{ cause: 'cut', characters: 30 }, 'cut after 30 characters'],
  late: [{ cause: 'late', ms: 1_823 }, 'late: the animal was there 1,823 ms after it was added'],
  'case changed': [{ cause: 'case changed' }, 'its case was changed'],
  'read as Latin-1': [{ cause: 'read as Latin-1' }, 'UTF-8 was read as Latin-1'],
  'stored as ASCII': [
    { cause: 'stored as ASCII' },
    'stored as Latin-1 or ASCII, with ? for other characters',
  ],
  'no key needed': [{ cause: 'no key needed' }, 'no key is needed to add animals'],
  'any key accepted': [{ cause: 'any key accepted' }, 'any key may add animals'],
  'headers accepted': [{ cause: 'headers accepted' }, 'a client with these headers may add animals'],
  'earlier response repeated': [
    { cause: 'earlier response repeated' },
    'the response to an earlier equal body was sent again',
  ],
  stale: [{ cause: 'stale', age: 30 }, 'stale: its Age is 30 s'],
  'cached without the key': [
    { cause: 'cached without the key' },
    'cached: the same request without the valid key returned 401 before',
  ],
  'refused at random': [
    { cause: 'refused at random' },
    'intermittent: the same body with another name was accepted',
  ],
  intermittent: [
    { cause: 'intermittent', others: 2, of: 3, otherwise: '200' },
    'intermittent: 2 of 3 times the same request returned 200',
  ],
  page: [
    { cause: 'page', others: 2, of: 3, otherwise: '200' },
    'intermittent: an HTML page, and 2 of 3 times the same request returned 200',
  ],
};

test('each probable cause has its text', () => {
  const texts = Object.values(causes).map(([cause]) => describeCause(cause));
  expect(texts).toEqual(Object.values(causes).map(([, text]) => text));
  expect(describeCause({ cause: 'stale' })).toBe('stale: the same list as before an animal was added');
});
