import { expect, test } from 'vitest';
import { get, type HttpRequest, post } from '../../tools/testing/http-case.ts';
import { listValues } from '../../tools/testing/list-values.ts';
import { comparedHeaders } from '../learn/describe-reply.ts';
import type { AnimalInput } from '../session/animals.ts';
import { createPageMock } from '../testing/create-page-mock.ts';
import { type ChoiceName, type ChoiceValue, choiceNames, type Difference } from './choices.ts';

/** Requests that are sent one after the other. */
type Requests = readonly HttpRequest[];

interface Row {
  /** Requests that make a value act. */
  readonly acts: Requests | ((value: ChoiceValue | undefined) => Requests);
  /** Similar requests that make no value act. */
  readonly idle: Requests;
}

const pets = '/v1/pets';
const known = '"categoryId":5';
const list = get(pets);
const one = get(`${pets}/1`);
const none = get(`${pets}/999`);
const withoutKey = get(pets, { Authorization: undefined });
const create = (members: string, headers = {}) => post(pets, `{${members}}`, headers);
const createRex = create(`"name":"Rex",${known}`);
const createRefused = create(known);
const head = (path: string): HttpRequest => ({ method: 'HEAD', path });
const remove = (path: string): HttpRequest => ({ method: 'DELETE', path });
const query = (text: string) => get(`${pets}?${text}`);

const ANIMALS = 30;

/** For each choice the requests that make it act. */
const rows: Readonly<Record<ChoiceName, Row>> = {
  // One animal is sold.
  order: { acts: [list], idle: [query('status=sold')] },
  statusWhenOmitted: { acts: [createRex], idle: [create(`"name":"Rex",${known},"status":"sold"`)] },
  listsWithoutStatus: { acts: (value) => [query(`status=${value}&limit=100`)], idle: [query('limit=100')] },
  pageSize: { acts: [query('limit=100')], idle: [query('status=sold')] },
  limitAbove100: {
    acts: [query('limit=101')],
    idle: [query('limit=100'), query('limit=100.5'), query('limit=0101')],
  },
  limitBelow1: {
    acts: [query('limit=0')],
    idle: [query('limit=1'), query('limit='), query('limit=0.5'), query('limit=00')],
  },
  limitWord: {
    acts: [query('limit=abc')],
    idle: [query('limit=20'), query('limit=2.5'), query('limit=.5'), query('limit=5.'), query('limit=')],
  },
  limitFraction: {
    acts: [query('limit=2.5')],
    idle: [query('limit=2'), query('limit=02'), query('limit=abc')],
  },
  limitLeadingZero: {
    acts: [query('limit=02')],
    idle: [query('limit=2'), query('limit=2.5'), query('limit=0')],
  },
  limitEmpty: { acts: [query('limit=')], idle: [list, query('limit=abc')] },
  invalidStatus: { acts: [query('status=lost')], idle: [query('status=sold')] },
  statusCase: { acts: [query('status=SOLD')], idle: [query('status=sold'), query('status=LOST')] },
  statusLists: {
    acts: [query('status=sold,pending')],
    idle: [query('status=sold'), query('status=sold,lost'), query('status=SOLD')],
  },
  repeatedParameters: {
    acts: [query('limit=1&limit=2'), query('status=sold&status=pending')],
    idle: [query('limit=1')],
  },
  unknownParameters: { acts: [query('page=2')], idle: [list] },
  unknownMembers: { acts: [create(`"name":"Rex",${known},"tags":[]`)], idle: [createRex] },
  duplicateMembers: { acts: [create(`"name":"Rex","name":"Max",${known}`)], idle: [createRex] },
  longestName: {
    acts: [create(`"name":"${'a'.repeat(1_001)}",${known}`)],
    idle: [create(`"name":"${'a'.repeat(40)}",${known}`)],
  },
  shortestName: {
    acts: [create(`"name":"R",${known}`)],
    idle: [create(`"name":"",${known}`), create(`"name":"Rexie",${known}`)],
  },
  nameCharacters: {
    acts: [create(`"name":"Salt & Pepper",${known}`), create(`"name":"Rex\\n",${known}`)],
    idle: [createRex, create(`"name":"Zoë O'Neill-2 jr.",${known}`), create(`"name":"",${known}`)],
  },
  emptyNames: {
    acts: (value) => [create(`"name":"${value === 'blank' ? '  ' : ''}",${known}`)],
    idle: [createRex, create(`"name":" Rex ",${known}`)],
  },
  uniqueNames: {
    acts: (value) => [create(`"name":"${/case/i.test(`${value}`) ? 'ANIMAL 1' : 'Animal 1'}",${known}`)],
    idle: [createRex],
  },
  categories: { acts: [create('"name":"Rex","categoryId":-5')], idle: [createRex] },
  ids: { acts: [createRex], idle: [createRefused] },
  integerNotations: { acts: [create('"name":"Rex","categoryId":5.0')], idle: [createRex] },
  refusedMember: { acts: [createRefused], idle: [createRex, create('name'), none] },
  otherMediaTypes: {
    acts: [create(`"name":"Rex",${known}`, { 'Content-Type': 'text/plain' })],
    idle: [createRefused],
  },
  malformedId: { acts: [get(`${pets}/abc`)], idle: [none] },
  unknownPaths: { acts: [get('/v1/nothing')], idle: [none] },
  unknownPathWithoutKey: {
    acts: [
      get('/v1/nothing', { Authorization: undefined }),
      get('/v1/pets/1/', { Authorization: 'Bearer x' }),
    ],
    idle: [get('/v1/nothing'), withoutKey, get('/v1/pets/1', { Authorization: undefined })],
  },
  errorCodes: { acts: [none], idle: [list] },
  errorMembers: { acts: [none], idle: [list] },
  animalMembers: { acts: [one], idle: [query('status=pending'), none] },
  // Every response with JSON has it.
  charset: { acts: [list], idle: [] },
  schemeCase: {
    acts: [get(pets, { Authorization: 'bearer test-key' })],
    idle: [list, get(pets, { Authorization: 'Bearer wrong-key' })],
  },
  challenge: { acts: [withoutKey], idle: [list, none] },
  location: { acts: [createRex], idle: [createRefused] },
  deprecationHeaders: { acts: [one], idle: [list] },
  listDelay: { acts: [createRex, list], idle: [createRex, one] },
  getDelay: { acts: [createRex, get(`${pets}/${ANIMALS + 1}`)], idle: [createRex, list, one, none] },
  trailingSlash: {
    acts: [get(`${pets}/?limit=1`), get(`${pets}/1/`), get(`${pets}/999/`)],
    idle: [list, one, get('/v1/nothing/'), get(`${pets}/`, { Authorization: undefined })],
  },
  head: {
    acts: [head(pets), head(`${pets}/1`), remove(pets)],
    idle: [list, one, head('/v1/nothing'), { ...head(pets), headers: { Authorization: undefined } }],
  },
  otherMethods: { acts: [remove(pets), remove(`${pets}/1`)], idle: [list, one, remove('/v1/nothing')] },
  allow: { acts: [remove(pets)], idle: [list, none] },
  etag: { acts: [list, one], idle: [none, createRex] },
};

/** Animals that are available, but for one that is sold and one without a status. */
const data = Array.from({ length: ANIMALS }, (_, index): AnimalInput => {
  // Neither the order of ids nor its reverse.
  const animal = { name: `Animal ${(index * 7) % ANIMALS}`, categoryId: 5 };
  if (index === 2) return animal;
  return { ...animal, status: index === 4 ? 'sold' : 'available' };
});

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

type Answers = readonly Answer[];

/** Sends requests one after the other to a new mock with a behaviour, and returns its responses. */
async function ask(behaviour: Difference, requests: Requests) {
  const { send } = createPageMock({ data, behaviour, now: '2028-06-01T00:00:00Z' });
  const responses: Answer[] = [];
  for (const request of requests) {
    const response = await send(request);
    const { status, headers } = response;
    responses.push({ status, headers: [...headers], body: status === 0 ? '' : await response.text() });
  }
  return responses;
}

/** The headers of every response. */
const NOT_COMPARED = /^(?:content-length|x-animal-store-.*)$/;

/** Lists the headers that a choice has changed, and that learning does not compare. */
function listChanged(usual: Answers, changed: Answers): string[] {
  const names = usual.flatMap(({ status, headers }, index) => {
    const other = changed[index];
    if (other?.status !== status) return [];
    const [before, after] = [new Map(headers), new Map(other.headers)];
    return [...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name));
  });
  const isUnknown = (name: string) => !Object.hasOwn(comparedHeaders, name) && !NOT_COMPARED.test(name);
  return [...new Set(names)].filter(isUnknown);
}

const cases = choiceNames.flatMap((name) => listValues(name).map((value) => ({ name, value })));

test.for(cases)(
  '$name: $value changes the responses that it is about, and no others',
  async ({ name, value }) => {
    const { acts, idle } = rows[name];
    const behaviour = { [name]: value };
    const acting = typeof acts === 'function' ? acts(value) : acts;
    const usual = await ask({}, acting);
    const changed = await ask(behaviour, acting);
    expect(changed).not.toEqual(usual);
    // Otherwise a recording would not show the choice.
    expect(listChanged(usual, changed)).toEqual([]);
    expect(await ask(behaviour, idle)).toEqual(await ask({}, idle));
  },
);

/** Describes a response: its status, then the ids of a list, an animal, or the code of an Error and the methods that are allowed. */
async function describeResponse(response: Response): Promise<string> {
  const { status, headers } = response;
  const text = await response.text();
  if (text === '' || text.startsWith('<'))
    return [status, headers.get('Location') ?? headers.get('Allow') ?? text].join(' ');
  const value = JSON.parse(text);
  if (Array.isArray(value)) return `${status} ${value.map(({ id }) => id).join()}`;
  return [status, value.code ?? text, headers.get('Allow') ?? ''].join(' ').trim();
}

const rex = `{"id":31,"name":"Rex",${known}`;
const keep = { unknownMembers: 'keep' } as const;
const union = { repeatedParameters: 'union', statusLists: 'union', statusCase: 'any' } as const;
const createTaken = (category: string) => create(`"name":"Animal 1","categoryId":${category}`);
const positive = { uniqueNames: 'conflict', categories: 'positive' } as const;

test.for<[behaviour: Difference, last: string, requests: Requests]>([
  [{ statusLists: 'union', listsWithoutStatus: 'pending' }, '200 5,3', [query('status=sold,pending')]],
  [{ ...union, listsWithoutStatus: 'pending' }, '200 5,3', [query('status=SOLD&status=sold,Pending')]],
  [{ ...union, statusLists: 'invalid' }, '200 5', [query('status=SOLD&status=pending')]],
  [{ statusLists: 'union' }, '400 invalid_request', [query('status=sold&status=pending')]],
  [union, '400 invalid_request', [query('status=SOLD&status=pending,lost')]],
  [{ ...union, invalidStatus: 'empty' }, '200 ', [query('status=SOLD&status=pending,lost')]],
  [{ ...union, limitWord: 'one' }, '200 30', [query('limit=5&limit=abc')]],
  [{ ...union, limitBelow1: 'none' }, '200 30,29', [query('limit=0&limit=2')]],
  [{ listDelay: 60_000, order: 'name' }, '200 1', [create(`"name":"A",${known}`), query('limit=1')]],
  [
    { getDelay: 60_000, etag: 'all' },
    '404 not_found',
    [createRex, get(`${pets}/31`, { 'If-None-Match': '*' })],
  ],
  [
    { duplicateMembers: 'first', integerNotations: 'refused' },
    `201 ${rex}}`,
    [create(`"name":"Rex",${known},"categoryId":7.0`)],
  ],
  [
    { ...keep, integerNotations: 'refused' },
    `201 ${rex},"size":[7,100]}`,
    [create(`"name":"Rex",${known},"size":[7.0,1e2]`)],
  ],
  [
    { ...keep, animalMembers: 'createdAt' },
    `200 ${rex},"createdAt":1}`,
    [create(`"name":"Rex",${known},"createdAt":1`), get(`${pets}/31`)],
  ],
  [positive, '409 name_taken', [createTaken('5')]],
  [positive, '400 invalid_request', [createTaken('-5')]],
  [{ head: 405, otherMethods: 404 }, '405 GET, POST', [head(pets)]],
  [{ head: 405, otherMethods: 404 }, '404 not_found', [remove(pets)]],
  [{ head: 405, allow: 'absent' }, '405 ', [head(pets)]],
  [{ trailingSlash: 'same', head: 405 }, '405 GET', [head(`${pets}/1/`)]],
  [{ trailingSlash: 'same', unknownPaths: 'html' }, '404 not_found', [get(`${pets}/99/`)]],
])('with %j the last response is %s', async ([behaviour, last, requests]) => {
  const { send } = createPageMock({ data, behaviour });
  const responses: Response[] = [];
  for (const request of requests) responses.push(await send(request));
  expect(await describeResponse(responses.at(-1) as Response)).toBe(last);
});

test('the first animal of an empty store may have any category, and a later one only that', async () => {
  const { send } = createPageMock({ data: [], behaviour: { categories: 'known' } });
  const statuses: number[] = [];
  for (const category of [5, 6, 5])
    statuses.push((await send(create(`"name":"Rex","categoryId":${category}`))).status);
  expect(statuses).toEqual([201, 400, 201]);
});

test('further members have a sample of their type, the same in each response', async () => {
  const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
  const behaviour = {
    animalMembers: {
      ...({
        createdAt: 'string',
        due_date: 'string',
        owner: 'string',
        size: 'number',
        isOld: 'boolean',
      } as const),
      ...({ tags: 'array', more: 'object', none: 'null', _links: 'object' } as const),
    },
  };
  const { send } = createPageMock({ data: [{ id: 7, name: 'Rex', categoryId: 5 }], behaviour });
  const animal = {
    ...{ id: 7, name: 'Rex', categoryId: 5, createdAt: time, due_date: time, owner: 'owner 7' },
    ...{ size: 7, isOld: false, tags: [], more: {}, none: null, _links: { self: `${pets}/7` } },
  };
  const single = await (await send(get(`${pets}/7`))).json();
  expect(single).toEqual(animal);
  expect(await (await send(list)).json()).toEqual([single]);
});
