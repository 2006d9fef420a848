import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runVerify } from '../../contract-tests/run-verify.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { createEntry, printHar, type RecordedRow } from '../../tools/testing/create-har.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { runMock } from '../run-mock.ts';

const run = (...argv: string[]) => callCommand('animal-store-mock', runMock, argv);

/** Prints a time, in ms after the beginning of a recording. */
const timeAt = (ms: number) => new Date(Date.UTC(2026, 4, 4) + ms).toISOString();

/** Writes a HAR file whose entries follow each other. @returns its path */
function record(rows: readonly RecordedRow[]): string {
  const entries = rows.map((row, index) =>
    createEntry({ ...row, entry: { startedDateTime: timeAt(index * 1_000), ...row.entry } }),
  );
  return join(createFolder({ 'recorded.har': printHar(entries) }), 'recorded.har');
}

const base = 'https://api.example.com/store/v1';
const json = (value: unknown) => JSON.stringify(value);
const listed = (count: number) =>
  json(
    Array.from({ length: count }, (_, index) => ({
      id: 700_000 - index,
      name: `Zaphod ${index}`,
      categoryId: 42,
      status: 'sold',
    })),
  );
const refused = (status: number, code: string) => ({
  status,
  answered: json({ code, message: 'No.', status }),
});

/** What a browser records of an app: without keys, with other origins and files, and with what nobody received. */
const ofBrowser: readonly RecordedRow[] = [
  {
    url: 'http://localhost:5173/pets',
    answerHeaders: { 'content-type': 'text/html' },
    answered: '<!doctype html>',
  },
  {
    url: 'http://localhost:5173/src/main.js',
    answerHeaders: { 'content-type': 'text/javascript' },
    answered: '',
  },
  { url: `${base}/pets`, headers: {}, answered: Buffer.from(listed(20)) },
  { url: `${base}/pets?limit=100`, headers: {}, answered: listed(30) },
  { url: `${base}/pets?limit=abc`, headers: {}, answered: listed(20) },
  { url: `${base}/pets?limit=0`, headers: {}, ...refused(400, 'BAD_REQUEST') },
  { url: `${base}/pets/1`, headers: {}, ...refused(404, 'NO_PET') },
  { url: `${base}/pets/abc`, headers: {}, ...refused(422, 'BAD_ID') },
  { url: `${base}/pets?limit=0`, headers: {}, response: { status: 0, headers: [] }, answered: '' },
  { url: `${base}/pets`, headers: { 'if-none-match': '"a"' }, status: 304, answered: '' },
];

test('a code that repeats the key or the id of its request is not learned', async () => {
  const headers = { authorization: 'Bearer sk_live_4711' };
  const rows = [
    { url: `${base}/pets`, headers, answered: listed(2) },
    { url: `${base}/pets/700123`, headers, ...refused(404, 'PET_700123') },
    { url: `${base}/pets?limit=0`, headers, ...refused(400, 'sk_live_4711') },
  ];
  const { stdout, stderr } = await run('learn', record(rows));
  expect(stdout + stderr).not.toMatch(/700123|4711/);
});

test('a list that is as long as the longest one does not show what a limit above 100 means', async () => {
  const pending = listed(25)
    .replaceAll('sold', 'pending')
    .replaceAll('"id":700', '"id":800')
    .replaceAll('"id":699', '"id":799');
  const rows = [
    { url: `${base}/pets?limit=60&status=sold`, answered: listed(25) },
    { url: `${base}/pets?limit=500`, answered: pending },
  ];
  const { stdout } = await run('learn', record(rows));
  expect(JSON.parse(stdout).unknown).toHaveProperty('limitAbove100');
});

test('the longest name is a usual limit one below the shortest name that is refused', async () => {
  const post = (length: number, answer: Partial<RecordedRow>) => {
    const pet = { name: 'x'.repeat(length), categoryId: 42 };
    return {
      url: `${base}/pets`,
      headers: { 'content-type': 'application/json' },
      sent: json(pet),
      status: 201,
      answered: json({ id: length, ...pet }),
      ...answer,
    };
  };
  const rows = [
    ...[post(41, {}), post(65, refused(400, 'LONG')), post(90, refused(400, 'LONG'))],
    // Its length is not what was wrong.
    post(30, refused(400, 'TAKEN')),
  ];
  const { stdout } = await run('learn', record(rows));
  expect(JSON.parse(stdout).behaviour.longestName).toBe(64);
});

const upwards = [1, 2, 3, 4, 5, 6, 7, 8];
const inPairs = [2, 1, 4, 3, 6, 5, 8, 7];

test.for<[title: string, added: number[], entryOf: (index: number) => object, ids: unknown]>([
  ['one after the other, all below 0', upwards.map((id) => -id), () => ({}), 'negative'],
  ['one after the other, all beyond 2^53', upwards.map((id) => (id + 9) * 1e15), () => ({}), 'large'],
  ['one after the other, some of them below 1', [0, ...upwards], () => ({}), []],
  ['one after the other, some of them beyond 2^53', [...upwards, 1e16], () => ({}), []],
  ['one after the other, and are few', upwards.slice(1), () => ({}), ['next', 'random', 'large', 'negative']],
  ['one after the other, and are in order', upwards, () => ({}), 'next'],
  ['one after the other, and are not in order', inPairs, () => ({}), 'random'],
  ['two at a time', inPairs, (index) => (index % 2 === 0 ? { time: 1_500 } : {}), 'next'],
  ['at unknown times', inPairs, () => ({ startedDateTime: undefined }), 'next'],
  [
    'in another order than that of the file',
    upwards,
    (index) => ({ startedDateTime: timeAt(60_000 - index * 1_000) }),
    'random',
  ],
])('which ids new animals get that are added %s', async ([, added, entryOf, ids]) => {
  const rows = added.map((id, index) => {
    const pet = { name: 'Zaphod', categoryId: 42 };
    const entry = entryOf(index);
    return { url: `${base}/pets`, sent: json(pet), status: 201, answered: json({ id, ...pet }), entry };
  });
  const { stdout } = await run('learn', record(rows));
  const { behaviour, observed, unknown } = JSON.parse(stdout);
  expect(observed.includes('ids') ? (behaviour.ids ?? 'next') : unknown.ids).toEqual(ids);
});

const page = (first: number, last: number, status = 'available') =>
  json(
    Array.from({ length: first - last + 1 }, (_, index) => ({
      id: first - index,
      name: 'Zaphod',
      categoryId: 42,
      status,
    })),
  );
const firstPage = { url: `${base}/pets`, answered: page(20, 14) };
const olderSold = { url: `${base}/pets?status=sold`, answered: page(13, 8, 'sold') };
const created = {
  url: `${base}/pets`,
  sent: json({ name: 'Zaphod', categoryId: 42, status: 'available' }),
  status: 201,
  answered: json({ id: 21, name: 'Zaphod', categoryId: 42, status: 'available' }),
};
const nextPage = { url: `${base}/pets`, answered: page(21, 15) };

test.for<[title: string, rows: readonly RecordedRow[], size: unknown]>([
  ['lacks animals that responses before and after it show', [olderSold, firstPage, olderSold], 7],
  [
    'lacks animals that other requests show only before it',
    [firstPage, olderSold, created, nextPage],
    undefined,
  ],
  [
    'lacks animals of another status, for which nobody has asked',
    [olderSold, { ...firstPage, url: `${base}/pets?status=available` }, olderSold],
    undefined,
  ],
  ['has 100 animals', [{ url: `${base}/pets?limit=100`, answered: page(100, 1) }], 100],
  ['lacks only what was added later', [{ ...olderSold, answered: '[]' }, firstPage, created], undefined],
  [
    'is as long as its limit',
    [olderSold, { ...firstPage, url: `${base}/pets?limit=7` }, olderSold],
    undefined,
  ],
])('what the page size is if a list %s', async ([, rows, size]) => {
  const { stdout } = await run('learn', record(rows));
  const { behaviour, observed, unknown } = JSON.parse(stdout);
  expect(observed.includes('pageSize') ? (behaviour.pageSize ?? 100) : unknown.pageSize).toEqual(
    size ?? [100, 25, 7, 1],
  );
});

/** Lists animals with these ids and names, such as `5 Zaphod`. */
const listOf = (...animals: string[]) =>
  json(
    animals.map((one) => {
      const [id, name] = one.split(' ');
      return { id: Number(id), name, categoryId: 42 };
    }),
  );

const anyOrder = ['newest', 'oldest', 'name', 'random'];
const addedLast = { url: `${base}/pets`, sent: '{"name":"a","categoryId":42}', status: 201 };

test.for<[title: string, lists: readonly string[], order: unknown]>([
  ['with falling ids', [listOf('5 a', '4 a', '3 a', '2 a', '1 a')], 'newest'],
  ['with rising ids', [listOf('1 b', '2 a', '3 b', '4 a', '5 b')], 'oldest'],
  ['with falling ids, and one that is none', [listOf('5 a', 'x a', '4 a', '3 a', '2 a', '1 a')], 'newest'],
  ['with falling ids below 0', [listOf('-1 a', '-2 a', '-3 a', '-4 a', '-5 a')], anyOrder],
  ['with rising names', [listOf('3 a', '1 b', '5 c', '2 d', '4 e')], 'name'],
  ['with rising names in either case', [listOf('3 a', '1 B', '5 c', '2 D', '4 e')], 'name'],
  ['with neither', [listOf('3 b', '1 c', '5 a', '2 e', '4 d')], []],
  [
    'that differs each time',
    [listOf('3 a', '1 a', '5 a', '2 a', '4 a'), listOf('4 a', '2 a', '5 a', '1 a', '3 a')],
    'random',
  ],
  ['with few animals', [listOf('3 c', '2 b', '1 a')], anyOrder],
  ['with few animals and rising ids', [listOf('1 c', '2 b', '3 a')], anyOrder],
  ['with few animals and rising names', [listOf('2 a', '3 b', '1 c')], anyOrder],
  ['with few animals in no order', [listOf('2 c', '3 b', '1 a')], []],
])('which order a list %s has', async ([, lists, order]) => {
  const rows = lists.map((answered) => ({ url: `${base}/pets`, answered }));
  const { stdout } = await run('learn', record(rows));
  const { behaviour, observed, unknown } = JSON.parse(stdout);
  expect(observed.includes('order') ? (behaviour.order ?? 'newest') : unknown.order).toEqual(order);
});

test.for<[title: string, after: string, order: unknown]>([
  ['first', listOf('5 a', '9 a', '4 a', '8 a', '2 a', '7 a'), 'newest'],
  ['last', listOf('9 a', '4 a', '8 a', '2 a', '7 a', '5 a'), 'oldest'],
  ['in the middle', listOf('9 a', '4 a', '5 a', '8 a', '2 a', '7 a'), anyOrder],
])('an animal that was added and is %s shows the order, whatever ids are like', async ([, after, order]) => {
  const rows = [
    { url: `${base}/pets`, answered: listOf('9 a', '4 a', '8 a', '2 a', '7 a') },
    { ...addedLast, answered: json({ id: 5, name: 'a', categoryId: 42 }) },
    { url: `${base}/pets`, answered: after },
  ];
  const { behaviour, observed, unknown } = JSON.parse((await run('learn', record(rows))).stdout);
  expect(observed.includes('order') ? (behaviour.order ?? 'newest') : unknown.order).toEqual(order);
});

const added = { ...created, entry: { startedDateTime: timeAt(0) } };
const readAt = (ms: number, path: string, row: RecordedRow) => ({
  url: `${base}/pets${path}`,
  ...row,
  entry: { startedDateTime: timeAt(ms) },
});
const lacking = { answered: page(20, 14) };
const showing = { answered: page(21, 14) };
const fetched = { answered: created.answered };
const notFound = refused(404, 'NO_PET');

test.for<[title: string, name: string, rows: readonly RecordedRow[], delay: unknown]>([
  ['a list shows it at once', 'listDelay', [readAt(50, '', showing)], 0],
  [
    'a list lacks it, and a later one shows it',
    'listDelay',
    [readAt(1_000, '', lacking), readAt(1_100, '', showing)],
    1_100,
  ],
  ['only a late list is known', 'listDelay', [readAt(1_000, '', showing)], undefined],
  [
    'a list of others was read before',
    'listDelay',
    [readAt(1_000, '?status=sold', { answered: '[]' }), readAt(1_100, '', showing)],
    undefined,
  ],
  [
    'a list that was full was read before',
    'listDelay',
    [readAt(1_000, '?limit=7', lacking), readAt(1_100, '', showing)],
    undefined,
  ],
  ['it can be fetched at once', 'getDelay', [readAt(50, '/21', fetched)], 0],
  [
    'it is not found, and then fetched',
    'getDelay',
    [readAt(1_450, '/21', notFound), readAt(1_550, '/21', fetched)],
    1_500,
  ],
  [
    'the two are far apart',
    'getDelay',
    [readAt(1_000, '/21', notFound), readAt(2_000, '/21', fetched)],
    undefined,
  ],
])('how late a new animal appears if %s', async ([, name, rows, delay]) => {
  const { stdout } = await run('learn', record([added, ...rows]));
  const { behaviour, observed } = JSON.parse(stdout);
  expect(observed.includes(name) ? (behaviour[name] ?? 0) : undefined).toBe(delay);
});

const animalWith = (id: number, members: object = {}) => ({ id, name: 'Zaphod', categoryId: 42, ...members });
const listWith = (...all: object[]): RecordedRow => ({
  url: `${base}/pets`,
  answered: json(all.map((members, index) => animalWith(index + 1, members))),
});
const createdAt = { createdAt: '2026-05-04T00:00:00Z' };
const addWith = (sent: object, answered: object): RecordedRow => ({
  url: `${base}/pets`,
  sent: json({ name: 'Zaphod', categoryId: 42, ...sent }),
  status: 201,
  answered: json(animalWith(99, answered)),
});
const errorWith = (status: number, members: object = {}): RecordedRow => ({
  url: `${base}/pets/${status}`,
  status,
  answered: json({ code: 'C', message: 'No.', status, ...members }),
});
const named = { traceId: 'a', details: [] };

test.for<[title: string, name: string, rows: readonly RecordedRow[], value: unknown]>([
  ['animals without further ones', 'animalMembers', [listWith({}, {})], 'none'],
  ['animals with one that has a name', 'animalMembers', [listWith(createdAt, createdAt)], 'createdAt'],
  [
    'animals with others',
    'animalMembers',
    [listWith({ size: 5, tags: [] })],
    { size: 'number', tags: 'array' },
  ],
  [
    'a single animal',
    'animalMembers',
    [{ url: `${base}/pets/7`, answered: json(animalWith(7, createdAt)) }],
    'createdAt',
  ],
  ['animals with a text or null', 'animalMembers', [listWith({ a: null }, { a: 'b' })], { a: 'string' }],
  ['animals with a text or a number', 'animalMembers', [listWith({ a: 5 }, { a: 'b' })], []],
  ['animals with a name that has a blank', 'animalMembers', [listWith({ 'a b': 5 })], []],
  ['animals of which half lack it', 'animalMembers', [listWith({}, createdAt)], []],
  [
    'animals of which one in ten lacks it',
    'animalMembers',
    [listWith({}, ...Array(9).fill(createdAt))],
    'createdAt',
  ],
  [
    'an added animal, which older ones lack',
    'animalMembers',
    [listWith({}, {}, {}), addWith({}, createdAt)],
    'createdAt',
  ],
  [
    'an animal that was added with it',
    'animalMembers',
    [listWith({}), addWith({ nickname: 'Z' }, { nickname: 'Z' })],
    'none',
  ],
  ['no animal', 'animalMembers', [listWith()], ['none', 'createdAt', 'links']],
  ['Errors without further ones', 'errorMembers', [errorWith(404)], 'none'],
  [
    'Errors with others',
    'errorMembers',
    [errorWith(404, { ref: 'a' }), errorWith(410, { ref: 'b' })],
    { ref: 'string' },
  ],
  ['Errors with those that have a name', 'errorMembers', [errorWith(404, named)], 'some'],
  ['Errors of which one lacks it', 'errorMembers', [errorWith(404, { ref: 'a' }), errorWith(410)], []],
  ['Errors with a name that has a blank', 'errorMembers', [errorWith(404, { 'a b': 'a' })], []],
  ['no Error', 'errorMembers', [listWith({ code: 'A' })], ['none', 'some']],
])('which further members are learned from %s', async ([, name, rows, value]) => {
  const { stdout } = await run('learn', record([{ url: `${base}/pets`, answered: '[]' }, ...rows]));
  const { behaviour, observed, unknown } = JSON.parse(stdout);
  expect(observed.includes(name) ? (behaviour[name] ?? 'none') : unknown[name]).toEqual(value);
});

test('only an Error has a code', async () => {
  const coded = json([{ id: 1, name: 'Zaphod', categoryId: 42, code: 'A1' }]);
  const rows = [
    { url: `${base}/pets`, answered: coded },
    { url: `${base}/pets/999`, ...refused(404, 'NO_PET') },
  ];
  const { stdout } = await run('learn', record(rows));
  expect(JSON.parse(stdout).behaviour.errorCodes).toEqual({ 404: 'NO_PET' });
});

test('a recording may have objects that are no animals of the contract', async () => {
  const others = json([{ id: 1 }, { id: 'Zaphod', name: 'a', categoryId: 1 }, { name: 5 }, 'Ford', null]);
  const rows = [
    { url: `${base}/pets`, answered: others },
    { url: `${base}/pets/1`, answered: '{"id":1}' },
    { url: `${base}/pets`, sent: '{"name":"a","categoryId":1}', status: 201, answered: '{"id":1}' },
  ];
  const { stdout, exitCode } = await run('learn', record(rows));
  expect([exitCode, JSON.parse(stdout).behaviour]).toEqual([0, {}]);
});

test('an animal that is fetched was there, and one that is not found was not', async () => {
  const animal = json({ id: 7, name: 'Zaphod', categoryId: 42 });
  const rows = [
    { url: `${base}/pets/7`, answered: animal },
    { url: `${base}/pets/7`, ...refused(404, 'not_found') },
    { url: `${base}/pets/8`, ...refused(404, 'not_found') },
  ];
  const { stdout } = await run('learn', record(rows));
  expect(JSON.parse(stdout).notPredicted).toEqual([]);
});

test('a list within an object is not predicted', async () => {
  const { stdout } = await run('learn', record([{ url: `${base}/pets`, answered: '{"animals":[]}' }]));
  expect(JSON.parse(stdout).notPredicted).toEqual([
    { request: 'GET /pets', received: { body: 'object' }, predicted: { body: 'list' } },
  ]);
});

/** Lists with newer animals that are available, and older ones that are sold. */
const mixed = (newest: number) => json([...JSON.parse(page(newest, 16)), ...JSON.parse(page(15, 1, 'sold'))]);

test.for<[title: string, later: string, values: unknown]>([
  ['begin with the same animals before and after it', mixed(20), 'any'],
  ['begin with other animals after it', mixed(21), ['exact', 'any']],
])('what the case of a status means for a full page if all lists %s', async ([, later, values]) => {
  const rows = [
    { url: `${base}/pets`, answered: mixed(20) },
    // An invalid status is ignored, so only the order shows whether this one is invalid.
    { url: `${base}/pets?status=lost`, answered: mixed(20) },
    { url: `${base}/pets?limit=5&status=SOLD`, answered: page(15, 11, 'sold') },
    { url: `${base}/pets`, answered: later },
  ];
  const { behaviour, unknown } = JSON.parse((await run('learn', record(rows))).stdout);
  expect(behaviour.statusCase ?? unknown.statusCase).toEqual(values);
});

test('learn prints what a recording of a browser shows, and says what the behaviour does not predict', async () => {
  const { stdout, stderr, exitCode } = await run('learn', record(ofBrowser));
  expect(exitCode).toBe(0);
  const { behaviour, observed, unknown, notPredicted } = JSON.parse(stdout);
  expect(behaviour).toMatchObject({
    limitWord: 'default',
    errorCodes: { '400': 'BAD_REQUEST', '404': 'NO_PET' },
  });
  expect(observed).toEqual(expect.arrayContaining(['limitWord', 'limitBelow1', 'order', 'errorMembers']));
  expect(unknown.limitFraction).toEqual(['refuse', 'default', 'truncate']);
  expect(notPredicted).toContainEqual({
    request: 'GET /pets/{no integer}',
    received: { status: '422' },
    predicted: { status: '404' },
  });
  expect(stderr).toMatch(
    /^Learned \d+ of \d+ choices of https:\/\/api\.example\.com\/store\/v1 from 7 exchanges\.\n/,
  );
  expect(stderr).toMatch(/\nUnlike the mock without a behaviour:\n(?: {2}.*\n)* {2}limit word: default\n/);
  expect(stderr).toMatch(/\nNo response tells the values apart of: .*limit fraction, /);
  expect(stderr).toContain('  GET /pets/{no integer} → status 422, the mock status 404');
});

test('learn says how many responses have no body in the recording', async () => {
  const unread = { text: undefined, size: 900 };
  const headers = { 'content-type': 'application/json', 'content-length': '900' };
  const rows = [
    { url: `${base}/pets`, answered: listed(3) },
    { url: `${base}/pets?limit=2`, answerHeaders: headers, content: unread },
    { url: `${base}/pets`, method: 'HEAD', answerHeaders: headers, content: unread },
  ];
  const { stderr } = await run('learn', record(rows));
  expect(stderr.split('\n')[1]).toBe(
    '1 response has no body in the HAR file. Browsers leave out a body that the page does not read.',
  );
  expect((await run('learn', record(rows.slice(0, 1)))).stderr).not.toContain('no body');
});

test('no id, name, key and message of the recording is in the file', async () => {
  const key = 'Sesame-open-81';
  const authorization = `Bearer ${key}`;
  const sent = json({ name: 'Trillian', categoryId: 987_654, nickname: 'Tricia' });
  const file = record([
    { url: `${base}/pets`, headers: { authorization }, answered: listed(3) },
    { url: `${base}/pets?token=Marvin&limit=Ford`, headers: { authorization }, ...refused(400, 'BAD') },
    { url: `${base}/pets/Arthur`, headers: { authorization }, ...refused(404, 'NONE') },
    {
      url: `${base}/pets`,
      headers: { authorization, 'content-type': 'application/json' },
      sent,
      status: 418,
      answered: json({ code: 'Deep Thought', message: key, status: 418 }),
    },
  ]);
  const { stdout, stderr } = await run('learn', file);
  for (const secret of [
    key,
    'Zaphod',
    '70000',
    '699999',
    'Trillian',
    '987654',
    'Tricia',
    'Marvin',
    'Ford',
    'Arthur',
    'Deep',
  ])
    expect(`${stdout}${stderr}`).not.toContain(secret);
});

test('a recording of the suite shows how a deployment behaves', async () => {
  const behaviour = { malformedId: 400, errorCodes: 'upper' } as const;
  const { url } = await startTestMock({ behaviour });
  const file = join(createFolder(), 'run.har');
  await callCommand(
    'animal-store-verify',
    runVerify,
    [url, '--only', 'get-pet', '--settle', '100', '--har', file],
    {
      ANIMAL_STORE_API_KEY: 'test-key',
    },
  );
  const { stdout, exitCode } = await run('learn', file);
  expect([exitCode, JSON.parse(stdout).behaviour]).toEqual([0, behaviour]);
});

test('a mock starts with what a recording shows, and with a learned file', async () => {
  const file = record(ofBrowser);
  const learned = file.replace(/har$/, 'json');
  writeFileSync(learned, (await run('learn', file)).stdout);
  for (const behaviour of [file, learned]) {
    const { stderr } = await run(
      '--port',
      '0',
      '--no-checked-proxy',
      '--behaviour',
      behaviour,
      '--',
      'node',
      '-e',
      '0',
    );
    expect(stderr).toContain('"limitWord":"default"');
    expect(stderr).toMatch(/\d+ of \d+ choices are unknown and use the default: /);
  }
  expect(readFileSync(learned, 'utf8')).toContain('"version": 1');
});

test('compare with one file says which one is missing', async () => {
  const { stderr, exitCode } = await run('compare', 'staging.har');
  expect(stderr).toMatch(/^animal-store-mock: the second file is missing/);
  expect(exitCode).toBe(2);
});

test('compare prints the difference of recordings or learned files', async () => {
  const file = record(ofBrowser);
  const others = ofBrowser.map((row) =>
    row.url?.endsWith('limit=abc')
      ? { ...row, ...refused(400, 'BAD_REQUEST') }
      : row.url?.endsWith('/abc')
        ? { ...row, ...refused(404, 'NO_PET') }
        : row,
  );
  const other = record(others);
  const learned = other.replace(/recorded\.har$/, 'production.json');
  writeFileSync(learned, (await run('learn', other)).stdout);
  const { stdout, exitCode } = await run('compare', file, learned);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    [
      'limit word: recorded uses 20, production refuses it with 400',
      '  recorded: GET /pets?limit={no number} → 200',
      '  production: GET /pets?limit={no number} → 400',
    ].join('\n'),
  );
  expect(stdout).toContain(
    'Different, and no choice describes it:\n  recorded: GET /pets/{no integer} → status 422\n',
  );
  expect((await run('compare', file, learned, '--fail-on-drift')).exitCode).toBe(1);
  expect((await run('compare', file, file, '--fail-on-drift')).exitCode).toBe(0);
});

test('a deployment whose responses no value explains any more differs from what it was', async () => {
  const parts = { version: 1, behaviour: {}, evidence: {}, notPredicted: [], requests: [] };
  const folder = createFolder({
    'yesterday.json': json({ ...parts, observed: ['order', 'etag'], unknown: {} }),
    'today.json': json({ ...parts, observed: ['order'], unknown: { etag: [], ids: ['next', 'random'] } }),
  });
  const files = ['yesterday.json', 'today.json'].map((name) => join(folder, name));
  const { stdout, exitCode } = await run('compare', ...files, '--fail-on-drift');
  expect(stdout).toContain('etag: yesterday sends none, today does what no value describes\n');
  expect(stdout).toContain(`1 of 2 choices differ. Not compared, because a side does not show them: `);
  expect(exitCode).toBe(1);
});

test('what differs in the responses to many requests is one line', async () => {
  const requests = ['GET /pets', 'GET /pets?limit=1', 'GET /pets?limit=5'];
  const parts = { version: 1, behaviour: {}, observed: ['order'], unknown: {}, evidence: {}, requests };
  const received = { 'content-type': 'application/json' };
  const notPredicted = requests.map((request) => ({ request, received, predicted: {} }));
  const folder = createFolder({
    'yesterday.json': json({ ...parts, notPredicted }),
    'today.json': json({ ...parts, notPredicted: [] }),
  });
  const { stdout } = await run('compare', join(folder, 'yesterday.json'), join(folder, 'today.json'));
  expect(stdout).toContain(
    'describes it:\n  yesterday: GET /pets → content-type application/json, also to 2 other kinds of requests\n0 of 1',
  );
});

test('a deployment that has lost its animals differs, although no choice shows it', async () => {
  const file = record(ofBrowser);
  const isList = ({ answered }: RecordedRow) => `${answered}`.startsWith('[');
  const empty = record(ofBrowser.map((row) => (isList(row) ? { ...row, answered: '[]' } : row)));
  const learned = file.replace(/recorded\.har$/, 'yesterday.json');
  writeFileSync(learned, (await run('learn', file)).stdout);
  const { stdout, exitCode } = await run('compare', learned, empty, '--fail-on-drift');
  expect(stdout).toContain('animals: recorded lists none, yesterday lists up to 30\n');
  expect(exitCode).toBe(1);
  expect((await run('compare', empty, empty, '--fail-on-drift')).stdout).not.toContain('animals: ');
});

const wrongFiles: readonly (readonly [content: string, message: string])[] = [
  ['{}', 'is not a HAR file: it must have an array log.entries, and has none'],
  ['no JSON', 'is not a HAR file: '],
  [
    printHar([]),
    'has 0 entries, and none is a JSON response at an address that ends with /pets or /pets/{petId}.',
  ],
  [
    printHar([createEntry({ url: 'https://other.example/api', answered: '{}' })]),
    'has 1 entry, and none is a JSON response at an address that ends with /pets or /pets/{petId}. Addresses in the file: https://other.example.',
  ],
];

test.for(wrongFiles)('the file %# is refused with what is wrong with it', async ([content, message]) => {
  const file = join(createFolder({ 'wrong.har': content }), 'wrong.har');
  for (const argv of [
    ['learn', file],
    ['compare', file, file],
    ['--behaviour', file],
  ]) {
    const { stderr, exitCode } = await run(...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`animal-store-mock: ${file} ${message}`)]);
  }
});

test('a request with If-None-Match is not compared with one without it', async () => {
  const headers = { 'if-none-match': '"a"' };
  const plain = { url: `${base}/pets`, answered: listed(3) };
  const conditional = { url: `${base}/pets`, headers, status: 304, answered: '' };
  const { stdout } = await run('compare', record([plain, conditional]), record([plain]));
  expect(stdout).not.toContain('304');
});

test('a name and a password in the URLs of a recording are not printed', async () => {
  const file = record([{ url: 'https://ford:towel@api.example.com/v1/pets', answered: listed(3) }]);
  const { stdout, stderr } = await run('learn', file);
  expect(stderr).toContain(' choices of https://api.example.com/v1 from 1 exchange.');
  expect(stdout + stderr).not.toContain('towel');
});

test('a recording has to have the name of one', async () => {
  const file = join(createFolder({ 'recorded.json': printHar([]) }), 'recorded.json');
  const message = `${file} is a HAR file. Give it a name that ends with .har.`;
  for (const argv of [
    ['compare', file, file],
    ['--behaviour', file],
  ]) {
    const { stderr, exitCode } = await run(...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
