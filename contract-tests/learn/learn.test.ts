import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ChoiceName,
  type ChoiceValue,
  type Difference,
  openChoices,
} from '../../common/behaviour/choices.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import {
  type ExactJson,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import { type Learned, printLearned } from '../../common/learn/learn.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Answer } from '../deployments/deployment.ts';
import { isList } from '../deployments/messages.ts';
import { learnFrom } from '../testing/expect-learned.ts';
import { createTarget, runCommand, startForTest, withoutDredd } from '../testing/run-suite.ts';
import { Run } from '../vocabulary/context.ts';
import { compare } from './compare.ts';
import { sendProbes } from './send-probes.ts';

const behaviour: Difference = { order: 'oldest', charset: 'utf-8', animalMembers: 'createdAt' };

test('a mock starts with a learned file as the deployment behaves, without its names and keys', async () => {
  const data = [5n, 7n, 2n ** 60n + 1n].map((id) => ({ id, name: 'Private Rex', categoryId: 3 }));
  const { url } = await startTestMock({ data, behaviour, apiKeys: ['secret-key'] });
  const file = join(createFolder(), 'staging.json');
  const only = ['--only', 'list-pets', '--only', 'get-pet', '--only', 'recommended'];
  const args = [url, '--read-only', ...only, '--learn', file, '--learn-animals'];
  const { stderr, exitCode } = await runCommand(args, 'secret-key');
  expect(exitCode).toBe(0);
  const all = openChoices.length;
  expect(stderr).toMatch(
    new RegExp(`^Learned \\d+ of ${all} choices. Start a mock like it: animal-store-mock --behaviour `, 'm'),
  );
  expect(readFileSync(file, 'utf8')).not.toMatch(/Rex|secret-key|"createdAt":"/);
  const copy = await startTestMock({ behaviour: file });
  expect(copy.settings().behaviour).toEqual(behaviour);
  const learned = data.map(({ id }, index) => ({ id, name: `Animal ${index + 1}`, categoryId: 3n }));
  expect(copy.animals.all()).toEqual(learned);
});

test('a read-only run learns what reading shows', async () => {
  const { mode, observed, unknown, evidence } = await learnFrom({ behaviour }, false);
  expect(mode).toBe('read-only');
  expect(observed).toEqual(expect.arrayContaining(['order', 'pageSize', 'limitAbove100', 'errorCodes']));
  expect(unknown).toMatchObject({ ids: 'the run was read-only', listDelay: 'the run was read-only' });
  // A file for people has few exchanges of each choice, and few animals of each.
  const shown = Object.values(evidence);
  expect(Math.max(...shown.map((some) => some.length))).toBe(2);
  expect(Math.max(...shown.flat().map(({ animals }) => animals.length))).toBe(5);
});

test('a run learns free values', async () => {
  const behaviour: Difference = { limitAbove100: 30, longestName: 120 };
  const learned = await learnFrom({ animals: 60, behaviour });
  expect(learned.behaviour).toEqual(behaviour);
  expect(learned.observed).toEqual(expect.arrayContaining(Object.keys(behaviour)));
});

test('a run learns the largest category that no response contradicts', async () => {
  const data = Array.from({ length: 12 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 3 }));
  const { behaviour } = await learnFrom({ data, behaviour: { categories: 56 } });
  expect(behaviour).toEqual({ categories: 56 });
});

test('ids show the order if they count upwards, and otherwise nothing does in a read-only run', async () => {
  const read = (sign: bigint, order: 'newest' | 'oldest') => {
    const data = Array.from({ length: 15 }, (_, at) => ({
      id: sign * (2n ** 60n + BigInt(at)),
      name: `${(at * 7) % 15}`,
      categoryId: 1,
    }));
    return learnFrom({ data, behaviour: { order } }, false);
  };
  expect((await read(1n, 'oldest')).behaviour.order).toBe('oldest');
  expect((await read(1n, 'newest')).observed).toContain('order');
  for (const order of ['newest', 'oldest'] as const)
    expect((await read(-1n, order)).observed).not.toContain('order');
});

test('what fits no value is unknown', async () => {
  const createAnswer = (): Answer => async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status !== 200 || !isList(request)) return reply;
    const animals = parseExactJson(reply.body) as readonly JsonObject[];
    const isWhole = !request.query.has('status');
    const shown = isWhole ? animals.filter(({ status }) => status !== 'pending') : animals;
    const body = printExactJson(request.query.get('limit') === '101' ? shown.slice(0, 10) : shown);
    return { ...reply, headers: { 'content-type': 'application/json' }, body };
  };
  const options = { animals: 30, behaviour: { limitAbove100: 'clamp' } } as const;
  const { observed } = await learnFrom(await startForTest({ options, createAnswer }), false);
  expect(observed.filter((name) => name === 'limitAbove100' || name === 'pageSize')).toEqual([]);
});

test('a mock starts with what is learned from a hostile deployment, which finds nothing of its own in the file', async () => {
  const key = 'sEcret-Key-9xQz';
  const numericKey = '7077077';
  const pets = [
    { id: 1n, name: `Rex ${key}`, categoryId: 3n, status: 'hidden, ask ada@example.com' },
    { id: 2n, name: 'Tom', categoryId: 3n, status: { owner: 'Ada Lovelace' } },
    { id: 'Ada Lovelace <ada@example.com>', name: 'Kit', categoryId: 3n },
    { id: 2n ** 64n, name: 'Kim', categoryId: 3n },
    { id: BigInt(numericKey), name: 'Num', categoryId: 3n },
    { id: 3n, name: 'Pip', categoryId: 3n, status: 'sold' },
    { id: 4n, name: key, categoryId: 3n, [key]: 'Ada Lovelace', owner: 'ada@example.com' },
  ];
  const headers = {
    'content-type': 'application/json',
    [`x-${key}`]: '1',
    'x-ada-lovelace': '1',
    'x-key': numericKey,
  };
  const createAnswer = (): Answer => async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status === 201) {
      const added = { ...(parseExactJson(reply.body) as JsonObject), status: 'Lovelace' };
      return { ...reply, headers, body: printExactJson(added) };
    }
    if (reply.status !== 200) return { ...reply, headers: { ...reply.headers, ...headers } };
    const list = isList(request) ? pets : pets[0];
    return { status: 200, headers, body: printExactJson(list as unknown as ExactJson) };
  };
  const url = await startForTest({ options: { apiKeys: [key] }, createAnswer });
  const only = ['--only', 'list-pets', '--only', 'get-pet', '--only', 'create-pet'];
  const args = [url, ...only, '--settle', '100', '--header', `X-Gateway: ${numericKey}`];
  const learnWith = async (...more: string[]) => {
    const file = join(createFolder(), 'hostile.json');
    expect((await runCommand([...args, '--learn', file, ...more], key)).stderr).toContain('Learned ');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/secret|9xqz|ada|lovelace|example|7077077|18446744073709551616|hidden/i);
    const copy = await startTestMock({ behaviour: file });
    return { evidence: Object.values((JSON.parse(text) as Learned).evidence).flat(), copy };
  };
  const { evidence } = await learnWith();
  expect(evidence.flatMap(({ animals }) => animals)).toContainEqual({ id: 3, status: 'sold' });
  expect(evidence.flatMap((one) => one.headers)).toContain('content-type');
  await learnWith('--allow-writes');
  for (const [more, names] of [
    [[], ['Animal 1', 'Animal 2', 'Animal 3', 'Animal 4']],
    [['--keep-names'], ['Pip', 'Rex [key]', 'Tom', '[key]']],
  ] as const) {
    const { copy } = await learnWith('--learn-animals', ...more);
    const animals = copy.animals.all();
    expect(animals.map(({ id }) => id).toSorted()).toEqual([1n, 2n, 3n, 4n]);
    expect(animals.map(({ name }) => name).toSorted()).toEqual(names);
    expect(animals.flatMap(({ id, status }) => (status === undefined ? [] : [id, status]))).toEqual([
      3n,
      'sold',
    ]);
  }
});

test('habits that break the contract are learned, printed and compared', async () => {
  const habits = {
    spacesAroundNames: 'trimmed',
    categoryIdAsText: 'accepted',
    nullStatus: 'accepted',
    memberCase: 'any',
  } as const;
  const { url } = await startTestMock({ behaviour: habits, withViolations: true });
  const folder = createFolder({ 'usual.json': JSON.stringify({ ...learnedFile, observed: ['nullStatus'] }) });
  const file = join(folder, 'odd.json');
  const { stderr, exitCode } = await runCommand([
    url,
    ...withoutDredd.flatMap((id) => ['--only', id]),
    '--allow-writes',
    '--learn',
    file,
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(` --behaviour ${file} --with-violations\n`);
  expect(stderr).toContain(
    'Breaks the contract: spaces around names: trimmed, category id as text: accepted, null status: accepted, member case: any\n',
  );
  const { behaviour } = JSON.parse(readFileSync(file, 'utf8')) as Learned;
  expect(behaviour).toEqual(habits);
  expect(compare(join(folder, 'usual.json'), file).text).toMatch(
    /^null status: usual refuses it with 400, odd accepts it as no status\n/,
  );
});

test('responses that differ show no value', async () => {
  let count = 0;
  const createAnswer = (): Answer => async (request, asMock) => {
    const reply = await asMock(request);
    count += 1;
    const type = count % 2 === 0 ? 'application/json' : 'application/json; charset=utf-8';
    return reply.status < 300 ? { ...reply, headers: { ...reply.headers, 'content-type': type } } : reply;
  };
  const { observed, unknown } = await learnFrom(await startForTest({ createAnswer }), false);
  expect([observed.includes('charset'), unknown.charset]).toEqual([false, 'responses differ']);
});

test('a run of few requests shows no limit of their rate and no maximum length of names', async () => {
  const few = ['list-pets/success', 'create-pet/stored'];
  const { observed, unknown } = await learnFrom({ animals: 3 }, true, few);
  expect(observed.filter((name) => name === 'rateLimit' || name === 'longestName')).toEqual([]);
  expect(unknown).toMatchObject({
    rateLimit: 'no response shows it',
    longestName: 'no response to POST shows it',
  });
});

test('the animals that the run has added are not learned, also if the deployment adds them with 200', async () => {
  for (const status of [201, 200]) {
    const createAnswer = (): Answer => async (request, asMock) => {
      const reply = await asMock(request);
      return reply.status === 201 ? { ...reply, status } : reply;
    };
    const url = await startForTest({ options: { animals: 12 }, createAnswer });
    const { mode, animals = [] } = await learnFrom(url);
    expect([status, mode, animals.length]).toEqual([status, 'writes', 12]);
  }
});

test.for(['newest', 'oldest'] as const)(
  'animals are learned in the order of their addition, also if lists have the %s first',
  async (order) => {
    const { animals = [] } = await learnFrom({ animals: 12, behaviour: { order } }, false);
    const ids = Array.from({ length: 12 }, (_, index) => BigInt(index + 1));
    expect(animals.map(({ id }) => id)).toEqual(ids);
  },
);

test('without a verdict nothing is written, and the options require each other', async () => {
  const file = join(createFolder(), 'none.json');
  const { url, faults } = await startTestMock();
  faults.add({ operation: 'listPets', response: { status: 429, headers: { 'Retry-After': 99 } } });
  const { stderr, exitCode } = await runCommand([url, '--learn', file]);
  expect([exitCode, existsSync(file)], stderr).toEqual([2, false]);
  for (const [line, message] of [
    ['--learn-animals', '--learn-animals requires --learn <file>'],
    ['--learn a.json --keep-names', '--keep-names requires --learn-animals'],
    ['--learn README.md/b/a.json', '--learn: README.md/b/a.json could not be written'],
  ])
    expect((await runCommand([url, ...`${line}`.split(' ')])).stderr).toContain(message);
});

test.for<[ChoiceName, ChoiceValue, ChoiceValue, number]>([
  ['listDelay', 700, 650, 0],
  ['listDelay', 700, 1_200, 1],
  ['listDelay', 300, 0, 1],
  ['categories', 56, 'known', 0],
  ['categories', 'known', 56, 0],
  ['categories', 56, 12, 1],
  ['categories', 56, 'positive', 1],
])(
  'compare takes %s: %j and %j for a difference only if they cannot be of the same deployment',
  ([name, one, other, count]) => {
    const toFile = (value: ChoiceValue) =>
      JSON.stringify({ ...learnedFile, behaviour: { [name]: value }, observed: [name] });
    const folder = createFolder({ 'a.json': toFile(one), 'b.json': toFile(other) });
    const { text } = compare(join(folder, 'a.json'), join(folder, 'b.json'));
    expect(text).toContain(`${count} of 1 choices differ.`);
  },
);

test('compare lists what differs with the evidence of both, and apart what one side did not observe', async () => {
  const shown = (request: string, status: number) => [{ request, status, headers: [], animals: [] }];
  const common = {
    version: 1,
    behaviour: {},
    observed: ['limitAbove100', 'order'],
    unknown: {},
    undescribed: [],
    fingerprints: [],
  } as const;
  const staging: Learned = {
    ...common,
    mode: 'writes',
    observed: [...common.observed, 'ids'],
    evidence: { limitAbove100: shown('GET /pets?limit=101', 400) },
  };
  const production: Learned = {
    ...common,
    mode: 'read-only',
    behaviour: { limitAbove100: 'clamp' },
    unknown: { ids: 'the run was read-only' },
    evidence: { limitAbove100: shown('GET /pets?limit=101', 200) },
  };
  const folder = createFolder({
    'staging.json': printLearned(staging),
    'production.json': printLearned(production),
    'grouped.json': printLearned({ ...staging, undescribed: ['order'], unknown: { order: 'no value' } }),
    // It has nothing that differs, but knows less.
    'replica.json': printLearned({ ...production, behaviour: {}, evidence: staging.evidence }),
  });
  const files = [join(folder, 'staging.json'), join(folder, 'production.json')] as const;
  expect(compare(...files).text.split('\n')).toEqual([
    'limit above 100: staging refuses it with 400, production clamps it to 100',
    '  staging: GET /pets?limit=101 → 400',
    '  production: GET /pets?limit=101 → 200',
    'Not observed on one side:',
    '  ids, in production: the run was read-only',
    '1 of 2 choices differ.',
    '',
  ]);
  const grouped = join(folder, 'grouped.json');
  const text = 'No value describes either side, so they may differ:\n  order\n';
  expect(compare(grouped, grouped)).toMatchObject({ text: expect.stringContaining(text), hasDrift: false });
  const run = async (...args: string[]) => (await runCommand(['compare', ...args])).exitCode;
  expect([await run(...files), await run(...files, '--fail-on-drift')]).toEqual([0, 1]);
  for (const other of [files[0], join(folder, 'replica.json')])
    expect(await run(files[0], other, '--fail-on-drift')).toBe(0);
});

test('compare prints as drift what no value describes on one side, and what differs without a choice', async () => {
  const get = { status: 200, codes: [], headers: ['content-type'], members: ['id', 'nickname?'] };
  const before = {
    ...learnedFile,
    fingerprints: [
      { ...get, probes: ['GET /pets', 'GET /pets/{animal}'] },
      { ...get, status: 400, codes: ['bad'], probes: ['POST /pets, empty name', 'POST /pets, no body'] },
      { ...get, status: 404, codes: ['not_found'], probes: ['GET /pets/{word}'] },
    ],
  };
  const after = {
    ...learnedFile,
    observed: ['ids'],
    unknown: { order: 'no value describes what was observed' },
    undescribed: ['order'],
    fingerprints: [
      {
        ...get,
        headers: ['content-type', 'etag', 'vary?'],
        members: ['id'],
        probes: ['GET /pets', 'GET /pets/{animal}'],
      },
      { ...get, status: 409, codes: ['bad'], probes: ['POST /pets, empty name'] },
      { ...get, status: 404, codes: ['NOT_FOUND'], probes: ['GET /pets/{word}'] },
    ],
  };
  const write = (first: object, second: object) => {
    const folder = createFolder({ 'a.json': JSON.stringify(first), 'b.json': JSON.stringify(second) });
    return [join(folder, 'a.json'), join(folder, 'b.json')] as const;
  };
  const observed = ['ids', 'errorCodes'];
  const files = write(
    { ...before, observed: ['order', ...observed] },
    { ...after, behaviour: { errorCodes: 'upper' }, observed },
  );
  // The codes differ because of a choice.
  expect(compare(...files).text).toBe(`error codes: a sends not_found, b sends NOT_FOUND
  a: no single response
  b: no single response
Known on one side, and no value describes the other:
  order, in b: no value describes what was observed
Different, and no choice that both sides know describes it:
  header etag: a no, b yes
    GET /pets → 200; GET /pets/{animal} → 200
  status: a 400, b 409
    POST /pets, empty name
1 of 2 choices differ. Of 1 more, no value describes one side. Differences without a choice: 2.
`);
  const run = async (first: object, second: object) =>
    (await runCommand(['compare', ...write(first, second), '--fail-on-drift'])).exitCode;
  const undescribed = { ...learnedFile, observed: ['ids'], undescribed: ['order'] };
  expect(await run({ ...learnedFile, observed: ['ids', 'order'] }, undescribed)).toBe(1);
  expect(await run(before, { ...before, fingerprints: after.fingerprints })).toBe(1);
  expect(await run(before, { ...before, fingerprints: [] })).toBe(0);
});

test('compare names a code once: by the choice if both sides know the code for the status, or else by itself', () => {
  const toFile = (errorCodes: object | string, missing: string, invalid: string) => {
    const get = { headers: [], members: [] };
    const fingerprints = [
      { ...get, status: 404, codes: [missing], probes: ['GET /pets/{word}'] },
      { ...get, status: 400, codes: [invalid], probes: ['POST /pets, empty name'] },
    ];
    return JSON.stringify({
      ...learnedFile,
      behaviour: { errorCodes },
      observed: ['errorCodes'],
      fingerprints,
    });
  };
  const compareFiles = (first: string, second: string) => {
    const folder = createFolder({ 'a.json': first, 'b.json': second });
    return compare(join(folder, 'a.json'), join(folder, 'b.json')).text;
  };
  const usual = toFile('snake', 'not_found', 'invalid_request');
  const own = toFile({ 404: 'NO_PET', 400: 'BAD' }, 'NO_PET', 'BAD');
  expect(compareFiles(usual, own)).toBe(`error codes: a sends not_found, b sends BAD with 400, NO_PET with 404
  a: no single response
  b: no single response
1 of 1 choices differ.
`);
  const partly = toFile({ 404: 'NO_PET' }, 'NO_PET', 'EMPTY');
  expect(compareFiles(usual, partly)).toContain('code: a invalid_request, b EMPTY');
  expect(compareFiles(usual, partly)).toContain('Differences without a choice: 1.');
});

test('learning sends a few requests that read, and two POSTs only if the run may write, with the category of the user', async () => {
  const { url: baseUrl } = await startTestMock();
  const sendFrom = async (allowsWrites: boolean) => {
    const run = new Run(createTarget({ baseUrl, allowsWrites, categoryId: 7n }));
    await sendProbes(run);
    return run.client.journal.map(({ request, status }) => `${request.method} ${request.path} ${status}`);
  };
  const reading = [
    'GET /contract-test-unknown-path 404',
    'GET /contract-test-unknown-path 401',
    'GET /pets/ 404',
    'HEAD /pets 200',
    'OPTIONS /pets 405',
    'OPTIONS /pets 204',
    ...['abc', '2.5', '02', ''].map((limit) => `GET /pets?limit=${limit} 400`),
    'GET /pets?limit=1&limit=2 400',
    'GET /pets?limit=100&status=sold&status=pending 400',
  ];
  const further = 'GET /pets?limit=1&page=2&offset=3&skip=4 200';
  expect(await sendFrom(false)).toEqual([...reading, further]);
  const writing = ['GET /pets?limit=100 200', further, 'POST /pets 201', 'POST /pets 201'];
  expect(await sendFrom(true)).toEqual([...reading, ...writing]);
});

test.for<Difference>([
  {},
  { trailingSlash: 'same', head: 405, allow: 'absent', etag: 'all', cors: 'none' },
  { unknownPathWithoutKey: 404, trailingSlash: 'redirect', etag: 'lists', repeatedParameters: 'first' },
  { listCaching: 'private, max-age=15', getCaching: 'no-store', pages: 'page', limitBelow1: 'none' },
  {
    statusCase: 'any',
    statusLists: 'union',
    pages: 'offset',
    compression: 'gzip',
    repeatedParameters: 'union',
  },
  { cors: 'others', etag: 'animals', head: 405, otherMethods: 404, repeatedParameters: 'last' },
])('a run that only reads learns what HTTP has of %j', async (behaviour) => {
  const learned = await learnFrom({ behaviour }, false);
  expect(learned.behaviour).toEqual(behaviour);
  const names = [
    'limitBelow1',
    'statusCase',
    'statusLists',
    'repeatedParameters',
    'pages',
    'unknownPathWithoutKey',
    'trailingSlash',
    'head',
    'otherMethods',
    'allow',
    'etag',
    'listCaching',
    'getCaching',
    'compression',
    'cors',
  ];
  expect(learned.observed.filter((name) => names.includes(name))).toEqual(names);
});

test('a gateway that passes only GET and POST on fails no run that learns', async () => {
  const createAnswer = (): Answer => async (request, asMock) => {
    if (request.method === 'HEAD' || request.path === '/pets/') return 'drop';
    if (request.method !== 'OPTIONS') return asMock(request);
    return { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' };
  };
  const url = await startForTest({ createAnswer });
  const file = join(createFolder(), 'learned.json');
  const args = [url, '--read-only', '--only', 'list-pets', '--learn', file];
  const { exitCode } = await runCommand(args, 'test-key');
  expect(exitCode).toBe(0);
  const { observed, behaviour } = JSON.parse(readFileSync(file, 'utf8'));
  expect(['head', 'trailingSlash', 'allow'].filter((name) => observed.includes(name))).toEqual([]);
  expect(behaviour.cors).toBe('none');
});

test.for<[what: string, longest: number, message: (longest: number) => string, learned: number | undefined]>([
  ['names it', 90, (longest) => `At most ${longest} letters, please. Ticket 345.`, 90],
  ['names no number, and it is the most usual one', 255, () => 'Too long', 255],
  ['names no number and it is usual, and not otherwise', 300, () => 'Too long', undefined],
  ['names it, and it is the length of an accepted name', 60, (longest) => `from 1 to ${longest}`, 60],
])('the limit of names is learned if the refusal %s', async ([, longest, toMessage, learned]) => {
  const lengths: number[] = [];
  const createAnswer = (): Answer => async (request, asMock) => {
    const { name } = request.method === 'POST' ? (JSON.parse(`${request.body}`) as { name?: unknown }) : {};
    if (typeof name !== 'string') return asMock(request);
    lengths.push(name.length);
    if (name.length <= longest) return asMock(request);
    const body = JSON.stringify({ code: 'too_long', message: toMessage(longest), status: 400 });
    return { status: 400, headers: { 'content-type': 'application/json' }, body };
  };
  const url = await startForTest({ createAnswer });
  const { behaviour, evidence } = await learnFrom(url, true, ['create-pet/text-exact']);
  expect(behaviour.longestName).toBe(learned);
  if (learned === undefined) return;
  const [accepted = 0, refused = 0] = [
    Math.max(...lengths.filter((length) => length <= longest)),
    Math.min(...lengths.filter((length) => length > longest)),
  ];
  expect([accepted <= learned, refused > learned]).toEqual([true, true]);
  expect(evidence.longestName?.map(({ status }) => status)).toEqual([201, 400]);
});

test('a deployment that does not answer what learning sends is learned all the same', async () => {
  const createAnswer = (): Answer => async (request, asMock) =>
    request.path.includes('unknown-path') ? 'drop' : asMock(request);
  const { observed, unknown } = await learnFrom(await startForTest({ createAnswer }), true, [
    'list-pets/success',
  ]);
  expect([observed.includes('charset'), unknown.unknownPaths]).toEqual([true, 'no response shows it']);
});

const learnedFile = {
  version: 1,
  mode: 'writes',
  behaviour: {},
  observed: ['order'],
  unknown: {},
  undescribed: [],
  evidence: {},
  fingerprints: [],
};

test.for<[content: string | object, why: string]>([
  ['', 'is no learned behaviour: it is not JSON (Unexpected end of JSON input)'],
  ['<html>', 'is no learned behaviour: it is not JSON (Unexpected token'],
  [Buffer.from([0x7b, 0xe9]), 'is no learned behaviour: it is not JSON (It is not UTF-8)'],
  ['null', 'is no learned behaviour: it must be an object, not null'],
  ['[]', 'is no learned behaviour: version is missing'],
  [{ behaviour: {} }, 'is no learned behaviour: version is missing'],
  [{ ...learnedFile, version: 2 }, 'version must be 1, not 2'],
  [{ ...learnedFile, observed: ['toString'] }, 'observed.0 must be the name of a choice, not "toString"'],
  [{ ...learnedFile, unknown: null }, 'unknown must be an object, not null'],
  [{ ...learnedFile, unknown: { ids: 5 } }, 'unknown.ids must be a text, not 5'],
  [{ ...learnedFile, undescribed: ['toString'] }, 'undescribed.0 must be the name of a choice'],
  [{ ...learnedFile, fingerprints: [{}] }, 'fingerprints.0.status is missing'],
  [{ ...learnedFile, evidence: { order: 5 } }, 'evidence.order must be an array of exchanges, not 5'],
  [{ ...learnedFile, evidence: { order: [null] } }, 'evidence.order.0 must be an exchange, not null'],
  [{ ...learnedFile, evidence: { order: [{}] } }, 'evidence.order.0.request is missing'],
  [
    { ...learnedFile, behaviour: { order: 1 } },
    'The behaviour: order must be newest, oldest, name, random or `status,id`',
  ],
])('compare says what is wrong with a file: %j', ([content, why]) => {
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  const folder = createFolder({
    'damaged.json': isText ? content : JSON.stringify(content),
    // Editors on Windows write a byte order mark.
    'staging.json': `\uFEFF${JSON.stringify(learnedFile)}`,
  });
  const damaged = join(folder, 'damaged.json');
  const staging = join(folder, 'staging.json');
  const readMessage = (first: string, second: string) => {
    try {
      return compare(first, second).text;
    } catch (error) {
      return error instanceof UsageError ? error.message : `${error}`;
    }
  };
  expect(compare(staging, staging).text).toBe('0 of 1 choices differ.\n');
  for (const message of [readMessage(damaged, staging), readMessage(staging, damaged)]) {
    expect(message.startsWith(`${damaged} `)).toBe(true);
    expect(message).toContain(why);
    expect(message).toMatch(/\. Write one with: animal-store-verify <url> --learn <file>$/);
  }
});

test('what the command compare prints cannot control a terminal', async () => {
  const write = (name: string, order: string) => {
    const shown = [{ request: 'GET /pets\x1b[2J', status: 200 }];
    const text = JSON.stringify({ ...learnedFile, behaviour: { order }, evidence: { order: shown } });
    return join(createFolder({ [name]: text }), name);
  };
  const files = [write('staging.json', 'oldest'), write('production.json', 'name')];
  const { exitCode, stdout } = await runCommand(['compare', ...files], '');
  expect([exitCode, stdout]).toEqual([
    0,
    `order: staging lists the oldest first, production sorts lists by name
  staging: GET /pets\\u001b[2J → 200
  production: GET /pets\\u001b[2J → 200
1 of 1 choices differ.
`,
  ]);
});

test('compare tells files of one name in two folders apart by their paths', () => {
  const write = (order: string) =>
    createFolder({ 'staging.json': JSON.stringify({ ...learnedFile, behaviour: { order } }) });
  const files = [write('oldest'), write('newest')].map((folder) => join(folder, 'staging.json')) as [
    string,
    string,
  ];
  const { text } = compare(...files);
  expect(text).toContain(`${files[0]} lists the oldest first, ${files[1]} lists the newest first\n`);
  expect(text).toContain(`  ${files[0]}: no single response\n`);
});

test('compare names in one line a file that cannot be read or has another form', async () => {
  const { folder, staging, missing, damaged } = createFiles();
  const hint = 'Write one with: animal-store-verify <url> --learn <file>';
  for (const [file, why] of [
    [missing, 'could not be read: ENOENT: no such file or directory'],
    [folder, 'could not be read: EISDIR: illegal operation on a directory, read'],
    [damaged, 'is no learned behaviour: evidence.order must be an array of exchanges, not 5'],
  ]) {
    const { stdout, stderr, exitCode } = await runCommand(['compare', staging, `${file}`]);
    expect([exitCode, stdout, stderr]).toEqual([2, '', `animal-store-verify: ${file} ${why}. ${hint}\n`]);
  }
});

function createFiles() {
  const folder = createFolder({
    'staging.json': JSON.stringify(learnedFile),
    'damaged.json': JSON.stringify({ ...learnedFile, evidence: { order: 5 } }),
  });
  const pathOf = (name: string) => join(folder, name);
  return {
    folder,
    staging: pathOf('staging.json'),
    missing: pathOf('missing.json'),
    damaged: pathOf('damaged.json'),
  };
}
