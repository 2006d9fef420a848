import { expect, test } from 'vitest';
import { get, type HttpRequest, post } from '../../tools/testing/http-case.ts';
import { listValues } from '../../tools/testing/list-values.ts';
import { startFileMock } from '../../tools/testing/start-test-mock.ts';
import { type ChoiceName, type ChoiceValue, choiceNames, type Difference } from '../choices/choices.ts';
import type { AnimalInput } from '../session/animals.ts';
import type { Control } from '../session/control.ts';
import { createPageMock } from '../testing/create-page-mock.ts';

/** Requests that are sent one after the other. */
type Requests = readonly HttpRequest[];

interface Row {
  /** Requests that make a value act. */
  readonly acts: Requests | ((value: ChoiceValue | undefined) => Requests);
  /** Similar requests that make no value act. */
  readonly idle: Requests;
  /** Is called before the idle requests. */
  readonly beforeIdle?: (mock: Pick<Control, 'faults'>) => unknown;
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
const repeat = (request: HttpRequest, times: number): Requests =>
  Array.from({ length: times }, () => request);
const head = (path: string): HttpRequest => ({ method: 'HEAD', path });
const remove = (path: string): HttpRequest => ({ method: 'DELETE', path });
const ask = (query: string) => get(`${pets}?${query}`);

const ANIMALS = 30;

/** For each choice the requests that make it act. */
const rows: Readonly<Record<ChoiceName, Row>> = {
  // One animal is sold.
  order: { acts: [list], idle: [ask('status=sold')] },
  statusWhenOmitted: { acts: [createRex], idle: [create(`"name":"Rex",${known},"status":"sold"`)] },
  listsWithoutStatus: { acts: (value) => [ask(`status=${value}&limit=100`)], idle: [ask('limit=100')] },
  pageSize: { acts: [ask('limit=100')], idle: [ask('status=sold')] },
  limitAbove100: { acts: [ask('limit=101')], idle: [ask('limit=100')] },
  limitBelow1: { acts: [ask('limit=0')], idle: [ask('limit=1')] },
  limitWord: { acts: [ask('limit=abc')], idle: [ask('limit=20'), ask('limit=2.5'), ask('limit=')] },
  limitFraction: { acts: [ask('limit=2.5')], idle: [ask('limit=2'), ask('limit=02'), ask('limit=abc')] },
  limitLeadingZero: { acts: [ask('limit=02')], idle: [ask('limit=2'), ask('limit=2.5'), ask('limit=0')] },
  limitEmpty: { acts: [ask('limit=')], idle: [list, ask('limit=abc')] },
  invalidStatus: { acts: [ask('status=lost')], idle: [ask('status=sold')] },
  statusCase: { acts: [ask('status=SOLD')], idle: [ask('status=sold'), ask('status=LOST')] },
  statusLists: {
    acts: [ask('status=sold,pending')],
    idle: [ask('status=sold'), ask('status=sold,lost'), ask('status=SOLD')],
  },
  repeatedParameters: {
    acts: [ask('limit=1&limit=2'), ask('status=sold&status=pending')],
    idle: [ask('limit=1')],
  },
  pages: {
    acts: (value) => [ask(`limit=2&${value}=2`)],
    idle: [
      list,
      ask('page=1&offset=0&skip=0'),
      ask('page=x&offset=-1&skip='),
      ask('status=pending&page=2&offset=2&skip=2'),
    ],
  },
  unknownParameters: { acts: [ask('page=2')], idle: [list] },
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
  animalMembers: { acts: [one], idle: [ask('status=pending'), none] },
  charset: { acts: [list], idle: [list], beforeIdle: ({ faults }) => faults.add({ drop: true }) },
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
  etag: { acts: [list, one], idle: [none, createRex, get('/openapi.yaml')] },
  rateLimit: { acts: repeat(list, 20), idle: repeat(list, 19) },
  fullStore: { acts: repeat(createRex, 11), idle: repeat(createRex, 10) },
};

/** Animals that are available, but for one that is sold and one without a status. */
const data = Array.from({ length: ANIMALS }, (_, index): AnimalInput => {
  // Neither the order of ids nor its reverse.
  const animal = { name: `Animal ${(index * 7) % ANIMALS}`, categoryId: 5 };
  if (index === 2) return animal;
  return { ...animal, status: index === 4 ? 'sold' : 'available' };
});

/** Headers that a choice can change. */
const headerNames = [
  'Content-Type',
  'Location',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
  'Link',
  'Allow',
  'ETag',
  'Content-Length',
  'Retry-After',
];

async function describeResponse(response: Response | undefined) {
  const headers = headerNames.map((name) => response?.headers.get(name));
  return { status: response?.status, headers, body: await response?.text() };
}

const onServer = await startFileMock({ data });
const { origin } = new URL(onServer.url);
const inPage = createPageMock({ data });

type Ask = (method: string, path: string, init: RequestInit) => Promise<Response | undefined>;

const mocks: readonly [string, Pick<Control, 'configure' | 'reset' | 'actedChoices' | 'faults'>, Ask][] = [
  ['a server', onServer, (method, path, init) => fetch(origin + path, { method, ...init })],
  ['a page', inPage.mock, inPage.ask],
];

const cases = mocks.flatMap(([place, mock, send]) =>
  choiceNames.flatMap((name) => listValues(name).map((value) => ({ place, mock, send, name, value }))),
);

test.for(cases)('in $place $name: $value acts where it changes a response, and only there', async (one) => {
  const { mock, send, name, value } = one;
  const { acts, idle, beforeIdle } = rows[name];
  const answer = async (behaviour: Difference, requests: Requests, before?: Row['beforeIdle']) => {
    mock.reset();
    mock.configure({ behaviour });
    before?.(mock);
    const answers: object[] = [];
    for (const { method, path, headers: given, body } of requests) {
      const all = { Authorization: 'Bearer test-key', ...given };
      const headers = Object.entries(all).filter(
        (header): header is [string, string] => header[1] !== undefined,
      );
      const init: RequestInit = {
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body: String(body) }),
      };
      const response = await send(method, path, init).catch(() => undefined);
      const received = response?.type === 'error' ? undefined : response;
      answers.push(await describeResponse(received));
    }
    return { answers, acted: mock.actedChoices() };
  };
  const behaviour = { [name]: value };
  const acting = typeof acts === 'function' ? acts(value) : acts;
  const usual = await answer({}, acting);
  const changed = await answer(behaviour, acting);
  expect([usual.acted, changed.acted]).toEqual([[], [name]]);
  expect(changed.answers).not.toEqual(usual.answers);
  const usualIdle = await answer({}, idle, beforeIdle);
  expect(await answer(behaviour, idle, beforeIdle)).toEqual({ answers: usualIdle.answers, acted: [] });
});

test.for<[string, Difference, Requests]>([
  ['dotted codes, where a code has no underscore', { errorCodes: 'dotted' }, [withoutKey]],
  [
    'a delay, where the page of a list ends before the new animal',
    { order: 'oldest', listDelay: 1500 },
    [createRex, list],
  ],
  [
    'the first of two equal members',
    { duplicateMembers: 'first' },
    [create(`"name":"Rex","name":"Rex",${known}`)],
  ],
  ['a page size, where the request has the same limit', { pageSize: 7 }, [ask('limit=7')]],
])('%s, do not act', async ([, behaviour, requests]) => {
  const { mock, ask } = createPageMock({ data, behaviour });
  for (const { method, path, headers, body } of requests) {
    const all = { Authorization: 'Bearer test-key', ...headers };
    const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    await ask(method, path, { headers: given, ...(body !== undefined && { body: String(body) }) });
  }
  const others = mock.actedChoices().filter((name) => name !== 'order');
  expect(others).toEqual([]);
});

test('the record starts again with another behaviour, and with a reset', async () => {
  const { mock, ask } = createPageMock({ data, behaviour: { order: 'oldest' } });
  await ask('GET', pets);
  expect(mock.actedChoices()).toEqual(['order']);
  mock.configure({ now: '2027-01-01' });
  expect(mock.actedChoices()).toEqual(['order']);
  mock.configure({ behaviour: { order: 'name' } });
  expect(mock.actedChoices()).toEqual([]);
  await ask('GET', pets);
  expect(mock.actedChoices()).toEqual(['order']);
  mock.reset();
  expect(mock.actedChoices()).toEqual([]);
});
