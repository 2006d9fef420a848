import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choiceNames, type Difference } from '../../common/behaviour/choices.ts';
import {
  type ExactJson,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { Learned } from '../../common/learn/learn.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Answer } from '../deployments/deployment.ts';
import { isList } from '../deployments/messages.ts';
import { learnFrom } from '../testing/expect-learned.ts';
import { runCommand, startForTest } from '../testing/run-suite.ts';

const behaviour: Difference = { order: 'oldest', charset: 'utf-8', animalMembers: 'createdAt' };

test('a mock starts with a learned file as the deployment behaves, without its names and keys', async () => {
  const data = [5n, 7n, 2n ** 60n + 1n].map((id) => ({ id, name: 'Private Rex', categoryId: 3 }));
  const { url } = await startTestMock({ data, behaviour, apiKeys: ['secret-key'] });
  const file = join(createFolder(), 'staging.json');
  const only = ['--only', 'list-pets', '--only', 'get-pet', '--only', 'recommended'];
  const args = [url, ...only, '--learn', file, '--learn-animals'];
  const { stderr, exitCode } = await runCommand(args, 'secret-key');
  expect(exitCode).toBe(0);
  const all = choiceNames.length;
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

test('a run that may write learns all choices of the usual mock', async () => {
  const { behaviour, unknown } = await learnFrom({});
  expect([behaviour, unknown]).toEqual([{}, {}]);
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

test.for<Difference>([
  {},
  { trailingSlash: 'same', head: 405, allow: 'absent', etag: 'all' },
  { unknownPathWithoutKey: 404, trailingSlash: 'redirect', repeatedParameters: 'first' },
  { pages: 'page', limitBelow1: 'none' },
  {
    statusCase: 'any',
    statusLists: 'union',
    pages: 'offset',
    repeatedParameters: 'union',
  },
  { head: 405, otherMethods: 404, repeatedParameters: 'last' },
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
  ];
  expect(learned.observed.filter((name) => names.includes(name))).toEqual(names);
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
