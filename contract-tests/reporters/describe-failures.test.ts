import { expect, test } from 'vitest';
import type {
  Cause,
  ExpectedResponse,
  Failure,
  FaultKind,
  RequestSubject,
  Shape,
  Shown,
} from '../failures/failure.ts';
import { describeCause } from './describe-cause.ts';
import { describeFailures } from './describe-failures.ts';

const list = { operation: 'GET /pets', status: 200 } as const;
const post = { operation: 'POST /pets', status: 201 } as const;
const fetched = { operation: 'GET /pets/{petId}', status: 200 } as const;
const refusal = { operation: 'POST /pets', status: 500, said: 'Ouch' } as const;
const asked = (member: string, value: string) => ({ what: 'member', member, value }) as const;

type Row = readonly [failure: Failure, expected: string, received: string];

/** Creates a failure of a status. @param request what the request was about */
const status = (shown: Shown, expected: ExpectedResponse, request?: RequestSubject): Failure => ({
  ...shown,
  ...{ kind: 'status', expected, request },
});
const sent = (body: string) => ({ what: 'body', body }) as const;
const animal = { what: 'animal', id: '7' } as const;
const lost = { operation: 'GET /pets/{petId}', noResponse: 'socket hang up' } as const;

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

const statuses: readonly Row[] = [
  [status(refusal, 400), '400', '500: "Ouch"'],
  [status(refusal, '4xx or list'), 'a 4xx or a list', '500: "Ouch"'],
  [status(refusal, '201 or 411'), '201, or 411', '500: "Ouch"'],
  [status(fetched, 'no animal'), 'no animal', '200'],
  [status(list, 400, asked('limit', '0')), '400 for the limit 0', '200'],
  [
    status(refusal, 201, { what: 'at once', failed: 3, of: 8 }),
    '201 for each of 8 POSTs at the same time',
    '500 for 3 of 8 POSTs at the same time: "Ouch"',
  ],
  [
    status(refusal, 401, { what: 'form', form: 'a wrong key with dots' }),
    '401 for a wrong key with dots',
    '500: "Ouch"',
  ],
  [
    status(list, 401, { what: 'authorization', authorization: 'Basic [key]' }),
    '401 for Authorization: Basic [key]',
    '200',
  ],
  [status(list, 401, { what: 'authorization', authorization: '' }), '401 for an empty Authorization', '200'],
  [status(post, '4xx', sent('')), 'a 4xx for an empty body', '201'],
  [status(post, 400, sent(' ')), '400 for a blank body', '201'],
  [status(post, 201, sent('{"name":"Rex"}')), '201 for {"name":"Rex"}', '201'],
  [status(refusal, 400, sent('"Rex"')), '400 for the string "Rex"', '500: "Ouch"'],
  [status(refusal, 400, sent('[{}]')), '400 for the array [{}]', '500: "Ouch"'],
  [status(post, '201 or 4xx', { what: 'media type', mediaType: 'a/b' }), '201 or a 4xx for a/b', '201'],
  [
    status(refusal, 201, { what: 'notation' }),
    '201, since JSON may have spaces, and members in any order',
    '500: "Ouch"',
  ],
  [
    status(refusal, 201, { ...asked('categoryId', '57'), accepted: ['1', '2'] }),
    '201 for the categoryId 57, as for 1 and 2',
    '500: "Ouch"',
  ],
  [
    status(lost, 200, { ...animal, seen: 'before and after' }),
    'the animal 7, as before and after',
    'no answer (socket hang up)',
  ],
  [status({ ...fetched, status: 404 }, 200, { ...animal, seen: 'added' }), 'the added animal 7', '404'],
  [status(fetched, 'no animal', { what: 'petId', petId: 'abc' }), 'no animal for the petId abc', '200'],
  [
    status({ ...list, status: 500 }, '4xx or list', { what: 'query', query: '?limit=08' }),
    'a 4xx or a list for ?limit=08',
    '500',
  ],
  ...shapes.map(([shape, received]): Row => {
    const failure = { ...status(fetched, 404, { what: 'unknown id' }), shape } as Failure;
    return [failure, '404 for an id that no animal has', received];
  }),
];

const fault = { kind: 'server fault', ...refusal, count: 2, requests: 9, otherwise: [] } as const;
const bodyOf = { kind: 'body', ...list, expected: 'list' } as const;
const bodyOfError = { kind: 'body', ...refusal, expected: 'Error' } as const;
const id = { kind: 'member', ...post, member: 'id', expected: '1', received: '2' } as const;
const results: Shape = { is: 'object', members: ['results', 'count'] };
const broken = {
  is: 'invalid',
  schema: 'Pet',
  member: 'id',
  pointer: '/id',
  rule: 'must be integer',
} as const;
const counted = { kind: 'count', ...list, compared: 'at most', received: 6, isAtLeast: false } as const;
const missing = { kind: 'missing', ...list, id: '7', received: 'list without it' } as const;
const header = { kind: 'header', ...list, header: 'Content-Type' } as const;
const withoutCode = { is: 'invalid', schema: 'Error', pointer: '', rule: 'must have code' } as const;

/** Failures of each kind, with what the reports say that was expected and received. */
const rows: { readonly [Kind in FaultKind]: readonly Row[] } = {
  status: statuses,
  'server fault': [
    [{ ...fault, count: 1 }, 'a status below 500', '500: "Ouch"'],
    [fault, 'a status below 500', '500: "Ouch" for POST /pets in 2 of 9 requests'],
    [
      { ...fault, otherwise: ['201', '400'] },
      'a status below 500',
      '500: "Ouch" in 2 of 9 requests, and the same requests got 201, 400 at other times',
    ],
  ],
  body: [
    [{ ...bodyOf, problem: { is: 'empty' } }, 'a JSON array', 'an empty body'],
    [{ ...bodyOf, problem: { is: 'no JSON' } }, 'a JSON array', 'no JSON'],
    [{ ...bodyOf, problem: { is: 'no JSON' }, body: '<html>' }, 'a JSON array', 'no JSON: <html>'],
    [
      { ...bodyOf, problem: { is: 'no JSON', why: 'It is not UTF-8' }, body: '[' },
      'a JSON array',
      'no JSON (It is not UTF-8): [',
    ],
    [
      { ...bodyOf, problem: { is: 'another type', shape: results }, body: '{}' },
      'a JSON array',
      'an object with the members results and count',
    ],
    [
      {
        ...bodyOf,
        expected: '4xx or list',
        problem: { is: 'another type', shape: { is: 'value', value: 'true' } },
      },
      'a 4xx or a list',
      '200: true',
    ],
    [{ ...bodyOf, expected: 'Pet', problem: { is: 'incomplete', why: 'cut' } }, 'a Pet', 'cut'],
    [
      { ...bodyOf, expected: 'list of Pets', index: 3, problem: { ...broken, value: '"7"' } },
      'a list of Pets',
      'the id "7", which must be integer, at index 3',
    ],
    [{ ...bodyOfError, problem: { is: 'empty' } }, 'an Error', '500 with an empty body'],
    [{ ...bodyOfError, problem: withoutCode, body: '{}' }, 'an Error', '500 with {}: Error must have code'],
  ],
  'error status': [
    [
      { ...refusal, kind: 'error status', received: '400' },
      'the status 500 in the Error, as in the status line',
      '400',
    ],
  ],
  header: [
    [header, 'application/json', 'no Content-Type'],
    [{ ...header, received: 'text/html' }, 'application/json', 'text/html'],
    [
      { ...header, received: 'application/json, text/html' },
      'application/json',
      '2 Content-Type headers: application/json, text/html',
    ],
    [{ ...header, header: 'WWW-Authenticate' }, 'a WWW-Authenticate header', 'none'],
  ],
  'byte order mark': [
    [{ ...list, kind: 'byte order mark' }, 'application/json', 'a byte order mark before the JSON'],
  ],
  member: [
    [{ ...id, compared: 'other record' }, 'the id 1', '2'],
    [{ ...id, compared: 'other record', expected: undefined }, 'no id', '2'],
    [{ ...id, compared: 'in the list' }, 'the id 1 in the list', '2'],
    [{ ...id, compared: 'by its id' }, 'the id 1 when fetched by its id', '2'],
    [
      { ...id, compared: 'of the animal, as before', id: '7', received: undefined },
      'the id 1 of the animal 7, as before',
      'nothing',
    ],
    [
      { ...id, compared: 'of the animal, as before and after', id: '7' },
      'the id 1 of the animal 7, as before and after',
      '2',
    ],
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
    [{ ...counted, expected: 5, isAtLeast: true }, 'at most 5 animals', 'at least 6'],
    [{ ...counted, expected: 1 }, 'at most 1 animal', '6'],
    [{ ...counted, expected: 20, compared: 'as with limit=20' }, '20 animals, as with limit=20', '6'],
  ],
  missing: [
    [
      { ...list, kind: 'missing', lacks: 'any animal', received: 'empty list' },
      'at least one animal, since there are some',
      'an empty list',
    ],
    [{ ...missing, lacks: 'the animal' }, 'the animal 7 in the list', 'a list without it'],
    [
      { ...missing, lacks: 'the animal of before' },
      'the animal 7 in the list, as before',
      'a list without it',
    ],
    [
      { ...missing, lacks: 'the matching animal', has: [{ member: 'status', value: 'sold' }] },
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
  id: [
    [{ ...fetched, kind: 'id', idProblem: 'not requested', expected: '7', received: '8' }, 'the id 7', '8'],
    ...(
      [
        ['of a listed animal', 'a new id', '7, the id of a listed animal'],
        ['of another new animal', 'a new id', '7, the id of another new animal'],
        ['from the body', 'an id assigned by the service', '7, the one in the body'],
        ['twice', 'a unique id for each animal', 'two animals with the id 7'],
      ] as const
    ).map(([idProblem, ...texts]): Row => [{ ...post, kind: 'id', idProblem, received: '7' }, ...texts]),
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
    'no Content-Type, also in POST /pets with 201, also in GET /pets/{petId} with 404',
  );
});

test('another problem in another place follows the first one with what is wrong there', () => {
  const first: Failure = {
    ...list,
    kind: 'body',
    expected: 'Error',
    problem: { is: 'no JSON' },
    status: 404,
  };
  const other: Failure = { ...first, operation: 'POST /pets', status: 400, problem: { is: 'empty' } };
  expect(describeFailures([first, other]).received).toBe(
    '404, which is no JSON; also 400 with an empty body in POST /pets',
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

test.for<[cause: Cause, text: string]>([
  [{ cause: 'turned into another type', type: 'string' }, 'turned into a string'],
  [{ cause: 'cut', characters: 30 }, 'cut after 30 characters'],
  [{ cause: 'late', ms: 1_823 }, 'late: the animal was there 1,823 ms after it was added'],
  [{ cause: 'stale', age: 30 }, 'stale: its Age is 30 s'],
  [{ cause: 'stale' }, 'stale: the same list as before an animal was added'],
])('the probable cause %o is described as: %s', ([cause, text]) => {
  expect(describeCause(cause)).toBe(text);
});
