import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { printReason } from '../reporters/print-summary.ts';
import { printTerminal } from '../reporters/print-terminal.ts';
import { isFailure, listFindings, type Result } from '../runner/report.ts';
import { runWith } from '../testing/run-suite.ts';
import { clausesOf, verify } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { answerSome, answerWith, change, changeJson, combine, everySecond } from './changes.ts';
import type { CreateAnswer, Deployment } from './deployment.ts';
import {
  hasKey,
  type IsAnswered,
  type IsMeant,
  idOf,
  isCreation,
  isFetch,
  isList,
  isListOf,
  isSent,
  sentBy,
  withKey,
} from './messages.ts';
import { answered, createEmpty, createError, createReply } from './replies.ts';
import { askDeployment } from './run-deployment.ts';
import { alter, asDouble, drop } from './values.ts';

const isUnknown: IsAnswered = (request, { status }) => isFetch(request) && hasKey(request) && status === 404;
const created = answered(201, isCreation);
const rex = { id: 1n, name: 'Rex', categoryId: 1n };
const inEnvelope = change.json<readonly JsonObject[]>(isList, (results) => ({ results, count: 1n }));
const withoutLimit = (isMeant: (limit: string) => boolean) =>
  change.query((limit) => limit !== null && isMeant(limit), { limit: null });

/** Replaces the name in a NewPet that has one of some values. */
const acceptName = (...values: readonly unknown[]) =>
  change.sent((sent) => (values.includes(sent.name) ? { ...sent, name: 'Rex' } : sent));

/** Deployments by what they do, each with the one finding that a report has about it. */
const rows: readonly (readonly [what: string, answer: CreateAnswer, id: string, reason: string])[] = [
  [
    'lists animals in an envelope, for an invalid limit too',
    combine([withoutLimit((limit) => !/^(?:[1-9]\d?|100)$/.test(limit)), inEnvelope]),
    'list-pets/success',
    'expected a JSON array, received an object with the members results and count',
  ],
  [
    'ends each body after as many bytes as it has characters',
    change.reply(
      (_, { status }) => status < 400,
      ({ body }) => ({ body: Buffer.from(body).subarray(0, String(body).length) }),
    ),
    'list-pets/success',
    'expected a JSON array, received no JSON (',
  ],
  [
    'answers 500 to every seventh request',
    answerSome((count) => count % 7 === 0, 500),
    'errors/no-server-fault',
    'expected a status below 500, received 500: ',
  ],
  [
    'has an animal for each id',
    change.reply(isUnknown, () => createReply(200, rex)),
    'get-pet/unknown-is-404',
    'expected 404 for an id that no animal has, received 200 with the animal 1',
  ],
  [
    'ignores status',
    change.query((_, status) => status !== null, { status: null }),
    'list-pets/filters',
    'expected only animals with the status available for ?status=available, received the animal 4 with the status "pending"; also the animal 11, which shows no status, in the lists of available and pending instead of an animal in the list of one status',
  ],
  [
    'returns no body for the animals that were added',
    change.reply(
      (request, { status }) => isFetch(request) && status === 200 && Number(idOf(request)) > 120,
      () => createEmpty(200),
    ),
    'get-pet/success',
    'expected a Pet, received an empty body',
  ],
  [
    'accepts any key',
    change.request(({ headers }) => headers.authorization !== undefined, withKey),
    'list-pets/missing-key',
    'expected 401 for an empty Authorization, received 200 with an array of 20',
  ],
  [
    'accepts a number as a name and answers 409 for null',
    combine([
      answerWith(
        isSent(({ name }) => name === null),
        409,
      ),
      acceptName(1n),
    ]),
    'create-pet/name-type',
    'expected 400 for {"name":1,"categoryId":9}, received 201 with the animal 184; also 409: "It is refused." instead of 400 for {"name":null,"categoryId":9}',
  ],
];

const listFailed = (results: readonly Result[]) =>
  results.filter(({ verdict, follows, clause }) => {
    return verdict === 'failed' && follows === undefined && clause.level === 'required';
  });

test.concurrent.for(rows)(
  'a deployment that %s has one finding, which says so',
  async ([name, createAnswer, id, reason]) => {
    const findings = listFailed(await verify({ name, createAnswer }));
    // How often, and in which other requests, comes after it.
    const start = expect.stringMatching(new RegExp(`^${RegExp.escape(reason)}`));
    expect(findings.map((one) => [one.clause.id, printReason(one)])).toEqual([[id, start]]);
  },
);

const named = (...names: string[]) =>
  names.flatMap((name) => brokenDeployments.find((one) => one.name === name)?.createAnswer ?? []);

test.concurrent('a report about 12 defects has a screen or two, with each finding once and what shows it', async () => {
  const names = [
    ...['ignores the status sold', 'lists 21 animals without limit', 'ignores limit next to a status'],
    ...['keeps names without space around', 'answers a categoryId exactly and keeps it as a double'],
    ...['adds animals without a name', 'adds animals with null for a name', 'adds animals with any status'],
    ...['adds an animal for an empty body', 'accepts the key in X-API-Key'],
    ...['answers an unknown id with status 409', 'answers an invalid limit with status 500'],
  ];
  const answers = named(...names);
  expect(answers).toHaveLength(12);
  const report = await runWith(await askDeployment({ createAnswer: combine(answers) }));
  const printed = printTerminal(report, {});
  const findings = listFindings(report).filter(isFailure);
  expect(findings).toHaveLength(answers.length);
  const numbers = [...printed.matchAll(/^(\d+)\. .*/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(findings.map((_, index) => index + 1));
  expect(printed.split('\n')[0]).toContain(` does not conform: ${findings.length} findings, `);
  expect(printed.split('\n').length).toBeLessThanOrEqual(100);
  expect(printed).toContain('  GET /pets → 200, 21 animals\n');
  // Spaces are as they were sent, and what cannot be seen is escaped.
  expect(printed).toMatch(/ → 201 \{"name":"\\ufeffcontract-test \d+\.\d+ .* with a charset"/);
});

const isOdd: IsMeant = (request) => isFetch(request) && Number(idOf(request)) % 2 === 1;
const isNew: IsMeant = (request) => isFetch(request) && Number(idOf(request)) > 120;
const loses = (isMeant: IsMeant) => change.reply(isMeant, () => createError(404));
const roundCategory = alter('categoryId', asDouble);
const leaveOutFifth = (list: readonly JsonObject[]) => list.filter(({ id }) => Number(id) % 5 !== 0);

const readOnly = { allowsWrites: false };

/** Two defects that have nothing to do with each other, although the same animals or requests show both, each with its finding. */
const pairs: readonly (readonly [
  what: string,
  defects: readonly CreateAnswer[],
  ids: readonly string[],
  target?: Deployment['target'],
])[] = [
  [
    'lists 10 animals without limit, and none by one status',
    [
      change.query((limit) => limit === null, { limit: '10' }),
      change.json(
        isListOf((_, status) => status === 'pending'),
        () => [],
      ),
    ],
    ['list-pets/limit-default', 'list-pets/filter-complete'],
    readOnly,
  ],
  [
    'rounds categories in lists, and does not find each second animal by its id',
    [change.listed(roundCategory), loses(isOdd)],
    ['create-pet/stored', 'get-pet/success'],
  ],
  [
    'rounds categories that it adds, and does not find new animals by their ids',
    [change.created(roundCategory), change.listed(roundCategory), loses(isNew)],
    ['create-pet/int64-exact', 'get-pet/finds-added'],
  ],
  [
    'leaves every fifth animal out of each second list, and does not find each second animal by its id',
    [everySecond(answered(200, isList), changeJson(leaveOutFifth)), loses(isOdd)],
    ['get-pet/success', 'store/kept'],
    readOnly,
  ],
  [
    'asks for no key by id, and does not find each second animal by its id',
    [change.request((one) => isFetch(one) && one.headers.authorization === undefined, withKey), loses(isOdd)],
    ['get-pet/success', 'get-pet/missing-key'],
    readOnly,
  ],
  [
    'adds animals with null for a name, and ignores limit',
    named('adds animals with null for a name', 'ignores limit'),
    ['list-pets/limit-is-a-maximum', 'create-pet/name-type'],
  ],
  [
    'accepts the key in X-API-Key, and keeps a categoryId as a double',
    named('accepts the key in X-API-Key', 'answers a categoryId exactly and keeps it as a double'),
    ['create-pet/int64-exact', 'list-pets/bearer-form'],
  ],
  [
    'looks at the status after the limit, and keeps names in upper case',
    named('looks at the status after the limit', 'keeps names in upper case'),
    ['list-pets/filter-before-limit', 'create-pet/echoes'],
  ],
  [
    'mixes up the names of animals that are added at once, and lists 21 animals without limit',
    named('mixes up the names of animals that are added at once', 'lists 21 animals without limit'),
    ['list-pets/limit-default', 'create-pet/unique-id'],
  ],
  [
    'lists 19 animals without limit, and ignores status',
    named('lists 19 animals without limit', 'ignores status'),
    ['list-pets/limit-default', 'list-pets/filters'],
  ],
];

test.concurrent.for(pairs)(
  'a deployment that %s has two findings',
  async ([name, defects, ids, target = {}]) => {
    const findings = listFailed(await verify({ name, createAnswer: combine(defects), target }));
    expect(findings.map(({ clause }) => clause.id)).toEqual(ids);
  },
);

test.concurrent('a run that only reads has no finding about POST', async () => {
  const createAnswer = change.list((list) => list.filter(({ status }) => status !== 'sold'));
  const results = await verify({ name: 'lists no sold animals', createAnswer, target: readOnly });
  const failed = results.filter(({ verdict }) => verdict === 'failed').map(({ clause }) => clause.id);
  expect(failed).toContain('store/kept');
  expect(failed.filter((id) => id.startsWith('create-pet/'))).toEqual([]);
});

/** Shows the categories of one animal or of a list as a double has them, of which the largest is no int64. */
function showAsDouble(value: ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map(showAsDouble);
  const { categoryId } = value as JsonObject;
  return typeof categoryId === 'bigint'
    ? { ...(value as JsonObject), categoryId: BigInt(Number(categoryId)) }
    : value;
}

/** Adds animals with an empty status, and shows it where they are added. */
const withEmptyStatus = combine([
  change.sent((sent) => (sent.status === '' ? drop('status')(sent) : sent)),
  change.created((animal, request) => (sentBy(request).status === '' ? { ...animal, status: '' } : animal)),
]);

test.concurrent('an animal with an invalid status is one finding, whose clause says which body was accepted', async () => {
  const findings = listFailed(await verify({ name: 'an empty status', createAnswer: withEmptyStatus }));
  expect(findings.map(({ clause }) => clause.id)).toEqual(['create-pet/status-value']);
});

const repeated: readonly (readonly [what: string, answer: CreateAnswer])[] = [
  ['takes an empty status', withEmptyStatus],
  ['shows categories as doubles', change.json(() => true, showAsDouble)],
];

test.concurrent.for(repeated)(
  'each clause that fails for a deployment that %s fails again alone',
  { timeout: 60_000 },
  async ([name, createAnswer]) => {
    const failed = (await verify({ name, createAnswer })).filter(isFailure).map(({ clause }) => clause.id);
    expect(failed.length).toBeGreaterThan(1);
    for (const id of failed)
      expect([id, (await verify({ name, createAnswer }, [id])).filter(isFailure).length]).toEqual([id, 1]);
  },
);

test.concurrent('a list without an animal stands next to the response that shows the animal', async () => {
  const createAnswer = change.json<readonly JsonObject[]>(
    (request) => isList(request) && request.query.get('status') === 'pending',
    () => [],
  );
  const report = await runWith(await askDeployment({ createAnswer }), { allowsWrites: false });
  const printed = printTerminal(report, {});
  expect(printed).toMatch(
    /received {2}an empty list.*\n(?: .*\n)*? .* → 200.* \{"id":\d+,.*"status":"pending"\}.*\n(?: .*\n)*? .*status=pending.* → 200, an empty list\n/,
  );
});

test.concurrent.for([0, 100])(
  'a list with another default limit stands next to the one with limit=20, and the commands send both, with %i ms to settle',
  async (settle) => {
    const createAnswer = change.query((limit) => limit === null, { limit: '10' });
    const report = await runWith(await askDeployment({ createAnswer }), { allowsWrites: false, settle });
    const printed = printTerminal(report, {});
    // Lists are requested at once, so that one by status may be the first, and either of the two may be.
    expect(printed).toMatch(/^ {3}GET \/pets(?:\?status=\w+)? → 200, 10 animals$/m);
    expect(printed).toMatch(/^ {3}GET \/pets\?limit=20\S* → 200, 20 animals/m);
    const sent = printed.match(/(?<=curl .*\/pets)[^']*/g) ?? [];
    expect(sent.map((query) => query.includes('limit=20')).toSorted()).toEqual([false, true]);
  },
);

test.concurrent('the guide for staging shows a finding as the suite prints it', async () => {
  const name = 'lists animals without a status by every status';
  const ask = await askDeployment({ ...brokenDeployments.find((one) => one.name === name) });
  const report = await runWith(ask, { baseUrl: 'https://staging.example/v1' }, ['list-pets/filters']);
  const guide = readFileSync(new URL('../../docs/guides/verify-staging.md', import.meta.url), 'utf8');
  const [block = ''] = /(?<=```text\n)1\. .*?(?=```)/s.exec(guide) ?? [];
  // How many requests the suite sends is not what the guide is about.
  expect(block).toContain('list-pets/filters');
  const parts = block.split(/…\n|\d+ of \d+/).map(RegExp.escape);
  expect(printTerminal(report, {})).toMatch(new RegExp(parts.join('.*'), 's'));
});

test.concurrent('a deployment that adds animals with an empty 201 is not said to refuse them', async () => {
  const createAnswer = change.reply(created, () => createEmpty(201));
  const results = await verify({ name: 'an empty 201', createAnswer });
  const reasons = results.flatMap(({ clause, reason = '' }) =>
    clause.id.startsWith('create-pet/') && /^(?:POST|the (?:deployment|service))/.test(reason)
      ? [reason]
      : [],
  );
  expect(new Set(reasons)).toEqual(
    new Set(['POST /pets returns no animal with an integer as its id: see create-pet/pet']),
  );
});

test.concurrent.for([
  ['cuts names in lists', / in the list, .*255 characters/s],
  ['keeps lists without limit in a cache, and sends their age', /: stale: its Age is 60 s$/],
  ['keeps lists without limit for ever', /: stale: the same list as before an animal/],
  [
    'adds animals with any key',
    /^expected 401 for Authorization: Bearer <[^>]+>, received 201 with the animal \d+/,
  ],
  ['adds animals without a key', /^expected 401, received 201 with the animal \d+/],
] as const)('the finding about a deployment that %s says what is wrong with it', async ([name, reason]) => {
  const deployment = brokenDeployments.find((one) => one.name === name) ?? expect.fail();
  const results = await verify(deployment, clausesOf(deployment));
  const finding = results.find(({ verdict, follows }) => verdict === 'failed' && !follows);
  expect(finding && printReason(finding)).toMatch(reason);
});
