import { expect, test } from 'vitest';
import type { Sent, SuiteRequest } from '../client/exchange.ts';
import { answerOtherwise } from '../deployments/changes.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer } from '../deployments/deployment.ts';
import { type DeployedReply, type DeployedRequest, isList } from '../deployments/messages.ts';
import { createError, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { answerBodies, isOfDredd } from '../testing/answer-bodies.ts';
import { idsOf, runInProcess, runWith } from '../testing/run-suite.ts';
import { dreddClauses } from './dredd-clauses.ts';

const only = dreddClauses.map(({ id }) => id);

test('large ids, a byte order mark, a 429 now and then and a full store fail nothing', async () => {
  const animals = createAnimals(40, (index) => ({ id: 2n ** 53n + BigInt(index) }));
  const store = createStoreAnswer({ animals, refuse: () => 403 });
  let requests = 0;
  const behave: Answer = async (request, asMock) => {
    requests += 1;
    if (requests % 4 === 0) return createError(429, { 'retry-after': '0' });
    const reply = await store(request, asMock);
    if (reply === 'drop') return reply;
    const type = requests % 2 === 0 ? 'Application/JSON; charset=utf-8' : 'application/json;v=1';
    return { ...reply, body: `\ufeff${reply.body}`, headers: { ...reply.headers, 'content-type': type } };
  };
  const { outcomes } = await runInProcess(behave, {}, only);
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toMatchObject(
    [201, 400].map((status) => ({
      clause: { id: `dredd/createPet-${status}` },
      cause: 'no right to add animals',
    })),
  );
});

test.for<[how: string, answer: Answer]>([
  ['refuses with 422', async () => createError(422)],
  ['reads as no limit', (request, asMock) => asMock({ ...request, query: new URLSearchParams() })],
])('an invalid limit that a deployment %s fails nothing', async ([, answer]) => {
  const isInvalid = ({ query }: DeployedRequest) => query.get('limit') === '0';
  const report = await runInProcess(answerOtherwise(isInvalid, answer)(), { allowsWrites: false }, only);
  expect(idsOf(report, 'failed', 'error')).toEqual([]);
  expect(idsOf(report, 'passed')).toContain('dredd/listPets-400');
});

/** Answers each list that has animals with another response. */
const answerLists = (reply: DeployedReply) =>
  answerOtherwise(
    (request) => isList(request) && request.query.get('limit') !== '0',
    async () => reply,
  )();

test.for<[answer: string, behave: Answer, verdict: string, reason: string]>([
  ['500', answerLists(createError(500)), 'not tested', 'GET /pets?limit=1 returned 500 and no list'],
  [
    'a page',
    answerLists({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }),
    'not tested',
    'GET /pets?limit=1 returned 200 and no list',
  ],
  ['no animals', answerLists(createReply(200, [])), 'not tested', 'the list has no animals'],
  [
    'an animal with a name as id',
    answerLists(createReply(200, [{ id: 'Rex' }])),
    'not applicable',
    'no listed animal has an int64 as its id',
  ],
])(
  'if lists have %s, no animal is requested by its id, for this reason',
  async ([, behave, verdict, reason]) => {
    const { outcomes } = await runInProcess(behave, { allowsWrites: false }, ['dredd/getPet-200']);
    expect(outcomes).toMatchObject([{ verdict, reason }]);
  },
);

test.for<[by: string, clause: string]>([
  ['another clause', 'create-pet/status-kept'],
  ['Dredd', 'dredd/createPet-201'],
])('if lists are broken, the animal that %s added is requested by its id', async ([, clause]) => {
  const clauses = [clause, 'dredd/getPet-200'];
  const report = await runInProcess(answerLists(createError(500)), {}, clauses);
  expect(idsOf(report, 'passed')).toContain('dredd/getPet-200');
});

test('if lists are broken and animals are refused, no animal is requested by its id', async () => {
  const behave: Answer = async (request, asMock) =>
    request.path === '/pets' && request.headers.authorization ? createError(500) : asMock(request);
  const { outcomes } = await runInProcess(behave, {}, only);
  expect(outcomes.find(({ clause }) => clause.id === 'dredd/getPet-200')).toMatchObject({
    verdict: 'not tested',
    reason: 'GET /pets?limit=1 returned 500 and no list',
  });
});

const toAnimal = (id: string, name = 'Rex') => `{"id":${id},"name":"${name}","categoryId":1}`;

test('a name with U+FFFD, any int64 in any notation and a body of 200 kB fail nothing', async () => {
  const names = ['Re\ufffdx', 'Rex', 'Rex', 'Rex'.repeat(70_000)];
  const ids = ['1', '9007199254740993', '1e2', '4.0'];
  const animals = ids.map((id, index) => toAnimal(id, names[index]));
  const report = await runInProcess(
    answerBodies({ 'GET 200': `[${animals}]` }),
    { allowsWrites: false },
    only,
  );
  expect(idsOf(report, 'passed')).toEqual(only.filter((id) => !id.includes('createPet')));
});

test('an id with a fraction, bytes that are not UTF-8 and 200,000 wrong animals are failures', async () => {
  const bodies = {
    'GET 200': JSON.stringify(Array.from({ length: 200_000 }, () => ({}))),
    'POST 201': toAnimal('9007199254740993.5'),
    'GET 404': Buffer.from('{"code":"no","message":"caf\xe9","status":404}', 'latin1'),
  };
  const { outcomes } = await runInProcess(answerBodies(bodies), {}, only);
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  expect(failed).toMatchObject([
    {
      clause: { id: 'dredd/listPets-200' },
      received: expect.stringContaining('Missing required property: id'),
    },
    { clause: { id: 'dredd/createPet-201' }, received: expect.stringContaining('expected integer') },
    { clause: { id: 'dredd/getPet-404' }, received: expect.stringMatching(/JSON:.*"not UTF-8: "/s) },
  ]);
});

/** Deeper than Dredd can read. */
const DEEP = 5_000;
const nested = `${'['.repeat(DEEP)}"]"${']'.repeat(DEEP)}`;

test('a deeply nested body fails its clause only, and a deeply nested member that nobody needs fails nothing', async () => {
  const bodies = {
    'GET 200': `[${toAnimal('1').replace('}', `,"tags":${nested}}`)}]`,
    'GET 404': `{"code":"no","message":"no","status":404,"a":${nested},"b":"\\"["}`,
    'POST 400': `{"a":${nested}`,
    'POST 401': nested,
  };
  const { outcomes } = await runInProcess(answerBodies(bodies), {}, only);
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toMatchObject([
    { clause: { id: 'dredd/createPet-400' }, verdict: 'failed', received: expect.stringContaining('JSON') },
    { clause: { id: 'dredd/createPet-401' }, verdict: 'failed', received: expect.stringContaining('type') },
  ]);
});

test('a request that is answered 429 for good is not tested, and the other requests of Dredd are sent', async () => {
  const isOfGetPet = ({ path }: DeployedRequest) => path.startsWith('/pets/');
  const behave: Answer = async (request, asMock) =>
    isOfDredd(request) && isOfGetPet(request) ? createError(429, { 'retry-after': '0' }) : asMock(request);
  const report = await runInProcess(behave, {}, only);
  expect(idsOf(report, 'not tested')).toEqual(only.filter((id) => id.includes('getPet')));
  expect(idsOf(report, 'passed')).toEqual(only.filter((id) => !id.includes('getPet')));
});

test.for<[string, Sent, string]>([
  [
    'no response',
    { response: undefined, failure: { kind: 'cut', reason: 'socket hang up' } },
    'socket hang up',
  ],
  [
    'half of a body',
    {
      response: { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('[]') },
      failure: { kind: 'body ended', reason: 'the body ended after 2 of 9 bytes' },
    },
    'the body ended after 2 of 9 bytes',
  ],
])(
  'a request of Dredd that gets %s fails its clause, and the others are tested',
  async ([, sent, actual]) => {
    const mock = await askDeployment({});
    const isMeant = ({ path, headers }: SuiteRequest) =>
      path.includes('limit=20') && 'Authorization' in headers;
    const report = await runWith(async (request) => (isMeant(request) ? sent : mock(request)), {}, only);
    expect(report.outcomes.filter(({ verdict }) => verdict !== 'passed')).toMatchObject([
      { clause: { id: 'dredd/listPets-200' }, verdict: 'failed', received: expect.stringContaining(actual) },
    ]);
  },
);
