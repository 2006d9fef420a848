import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { NotTested } from '../client/clause-errors.ts';
import type { Sent, SuiteRequest } from '../client/exchange.ts';
import type { SendRequest } from '../client/send-request.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { answerOtherwise } from '../deployments/changes.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer } from '../deployments/deployment.ts';
import {
  type DeployedReply,
  type DeployedRequest,
  isFetch,
  isList,
  withKey,
} from '../deployments/messages.ts';
import { createError, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { verifyDeployment } from '../index.ts';
import type { Result } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import {
  createTarget,
  idsOf,
  runInProcess,
  runWith,
  startForTest,
  withoutDredd,
} from '../testing/run-suite.ts';
import { Context, Run } from '../vocabulary/context.ts';
import { REMOVAL } from '../vocabulary/removal.ts';
import { TRANSACTION_ID } from './create-hooks.ts';
import { dreddClauses } from './dredd-clauses.ts';
import { runDredd } from './run-dredd.ts';

const only = dreddClauses.map(({ id }) => id);

const isOfDredd = ({ headers }: DeployedRequest) => /\bDredd\//.test(headers['user-agent'] ?? '');

/** Replaces the bodies of some replies to Dredd, by method and status. Animals by their ids stay as they are. */
function answerBodies(bodies: Readonly<Record<string, string | Buffer>>): Answer {
  return async (request, asMock) => {
    const reply = await asMock(request);
    const isOther = isFetch(request) && reply.status === 200;
    const body = isOther || !isOfDredd(request) ? undefined : bodies[`${request.method} ${reply.status}`];
    return body === undefined ? reply : { ...reply, body };
  };
}

test('each response that openapi.yaml does not document fails, and what conforms without one does not', async () => {
  const outcomeOf: Record<string, (reply: DeployedReply) => DeployedReply> = {
    'GET 200': ({ body, ...reply }) => ({ ...reply, body: String(body).replaceAll('"categoryId":', '"x":') }),
    'GET 400': () => createReply(418, {}),
    'GET 401': (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }),
    'POST 201': () => createError(422),
    'POST 400': ({ body, ...reply }) => ({ ...reply, body: String(body).replaceAll('"code":', '"x":') }),
    'POST 401': () => createReply(418, {}),
  };
  const { outcomes } = await runInProcess(
    async (request, asMock) => {
      if (request.path !== '/pets') return createError(405);
      const reply = await asMock(request);
      return outcomeOf[`${request.method} ${reply.status}`]?.(reply) ?? reply;
    },
    { now: REMOVAL },
    only,
  );
  const refused = 'POST /pets refused the animal with 422, perhaps for its name or category';
  const removed = 'GET /pets/{petId} has been removed, as announced';
  expect(outcomes.map(({ clause, reason = '', verdict }) => [clause.id, reason || verdict])).toEqual([
    ...[200, 400, 401].map((status) => [`dredd/listPets-${status}`, 'failed']),
    ['dredd/createPet-201', refused],
    ...[400, 401].map((status) => [`dredd/createPet-${status}`, 'failed']),
    ...[200, 401, 404].map((status) => [`dredd/getPet-${status}`, removed]),
  ]);
  const notApplicable = outcomes.filter(({ verdict }) => verdict === 'not applicable');
  expect(notApplicable).toEqual(outcomes.filter(({ reason }) => reason));
});

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

test.for<[allowWrites: boolean, count: number]>([
  [true, 9],
  [false, 6],
])(
  'with allowWrites %o the deployment gets %i requests of Dredd, one after the other',
  async ([allowWrites, count]) => {
    const received: string[] = [];
    let open = 0;
    let mostOpen = 0;
    const createAnswer = (): Answer => async (request, asMock) => {
      if (!isOfDredd(request)) return asMock(request);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      const { method, path, query, headers, body } = request;
      const key = headers.authorization === undefined ? 'no key' : headers.authorization;
      received.push(`${method} ${path}?${query} ${key} ${body}`);
      expect(headers).toMatchObject({
        accept: 'application/json',
        'user-agent': expect.stringMatching(/^animal-store-verify\/[\d.]+ \(run \w+\) Dredd\/14\.1\.0$/),
        'x-tenant': 'zoo',
        traceparent: expect.any(String),
      });
      const reply = await asMock(request);
      open -= 1;
      return reply;
    };
    const baseUrl = await startForTest({ createAnswer });
    const headers = { 'X-Tenant': 'zoo' };
    const report = await verifyDeployment({ baseUrl, apiKey: 'test-key', allowWrites, headers, only });
    expect([received.length, mostOpen]).toEqual([count, 1]);
    expect(idsOf(report, 'failed', 'error', 'not applicable')).toEqual([]);
    expect(idsOf(report, 'not tested')).toEqual(
      only.filter((id) => !allowWrites && id.includes('createPet')),
    );
    const key = 'Bearer test-key';
    const pet = expect.stringMatching(
      /^POST \/pets\? Bearer test-key \{"name":"contract-test .* Dredd","categoryId":\d+\}$/,
    );
    expect(received.filter((one) => !one.startsWith('POST'))).toEqual([
      `GET /pets?limit=20&status=available ${key} `,
      `GET /pets?limit=0 ${key} `,
      'GET /pets?limit=20&status=available no key ',
      expect.stringMatching(/^GET \/pets\/\d+\? Bearer test-key $/),
      'GET /pets/1? no key ',
      `GET /pets/8765432109876543210? ${key} `,
    ]);
    expect(received.filter((one) => one.startsWith('POST'))).toEqual(
      allowWrites ? [pet, `POST /pets? ${key} {}`, expect.stringContaining(' no key {"name":')] : [],
    );
  },
);

test.for<[id: string, requests: readonly string[]]>([
  ['dredd/getPet-404', ['GET /pets/8765432109876543210']],
  ['dredd/createPet-400', ['POST /pets']],
])('a run of %s sends no other request of Dredd', async ([id, requests]) => {
  const received: string[] = [];
  const behave: Answer = (request, asMock) => {
    if (isOfDredd(request)) received.push(`${request.method} ${request.path}`);
    return asMock(request);
  };
  const report = await runInProcess(behave, {}, [id]);
  expect([idsOf(report, 'passed'), received, report.animalsAdded]).toEqual([[id], requests, 0]);
});

test('without allowWrites a run of a POST request of Dredd is not tested', async () => {
  const mock: Answer = (request, asMock) => asMock(request);
  const report = await runInProcess(mock, { allowsWrites: false }, ['dredd/createPet-400']);
  expect(report.outcomes).toMatchObject([{ verdict: 'not tested', cause: 'read-only' }]);
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
  [
    'no animals',
    answerLists(createReply(200, [])),
    'not tested',
    'the list has no animals. Run again with --allow-writes.',
  ],
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

test('a fault in the body of a 401 to POST fails one clause of Dredd', async () => {
  const name = 'answers an addition without the key without a code';
  const deployment = brokenDeployments.find((one) => one.name === name);
  const report = await runWith(await askDeployment({ ...deployment }), {}, only);
  expect(idsOf(report, 'failed')).toEqual(['dredd/createPet-401']);
  const [failed] = report.outcomes.filter(({ verdict }) => verdict === 'failed');
  expect(failed?.received).toBe("body: At '/code' Missing required property: code");
});

test('a fault that only a request of Dredd meets is found by Dredd, and by no clause without it', async () => {
  // Only Dredd says which type it accepts.
  const refuse: Answer = async (request, asMock) =>
    request.headers.accept === 'application/json' ? createError(406) : asMock(request);
  expect(idsOf(await runInProcess(refuse), 'failed')).toEqual([]);
  const { outcomes } = await runInProcess(refuse, {}, [...withoutDredd, ...only]);
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed');
  const senders = failed.map(({ clause, sentBy = clause.id }) => sentBy);
  expect(failed.map(({ clause }) => clause.id)).toContain('dredd/createPet-401');
  expect(senders.filter((id) => !id.startsWith('dredd/'))).toEqual([]);
});

test('a request that is answered 429 for good is not tested, and the other requests of Dredd are sent', async () => {
  const isOfGetPet = ({ path }: DeployedRequest) => path.startsWith('/pets/');
  const behave: Answer = async (request, asMock) =>
    isOfDredd(request) && isOfGetPet(request) ? createError(429, { 'retry-after': '0' }) : asMock(request);
  const report = await runInProcess(behave, { retries: 1 }, only);
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

test('a deployment that restarts at a request of Dredd gets all requests again, with another name', async () => {
  const mock = await askDeployment({});
  const names: string[] = [];
  let refusals = 0;
  const restart: SendRequest = async (request) => {
    if (refusals > 0) {
      refusals -= 1;
      return {
        response: undefined,
        failure: { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' },
      };
    }
    const isAddition = request.isAuthorized && request.body?.includes('Dredd');
    if (isAddition) names.push(`${request.body}`);
    if (!isAddition || names.length > 1) return mock(request);
    refusals = 3;
    return { response: undefined, failure: { kind: 'cut', reason: 'socket hang up' } };
  };
  const report = await runWith(restart, {}, only);
  expect(idsOf(report, 'passed')).toEqual(only);
  expect(new Set(names).size).toBe(2);
});

test('a key that expires at a request of Dredd is renewed, and is in no finding', async () => {
  const keys = ['test-key', 'NextKey-88'];
  let accepted = keys[0];
  const behave: Answer = async (request, asMock) => {
    const { authorization = '' } = request.headers;
    if (isOfDredd(request)) accepted = keys[1];
    if (authorization !== '' && authorization !== `Bearer ${accepted}`) return createError(401);
    const asked = authorization === '' ? request : withKey(request);
    const reply = await asMock(asked);
    if (!isList(request) || reply.status !== 200) return reply;
    // It repeats the key where statuses belong, also where a long message is cut.
    const statuses = [authorization, `${'-'.repeat(250)}${authorization.repeat(500)}`];
    const list = statuses.map((status) => ({ id: 1n, name: 'Rex', categoryId: 1n, status }));
    return createReply(200, list);
  };
  const renewKey = async () => 'NextKey-88';
  const { outcomes } = await runInProcess(behave, { renewKey }, only);
  const failed = outcomes.filter(({ verdict }) => verdict !== 'passed');
  expect(failed).toMatchObject([{ clause: { id: 'dredd/listPets-200' }, verdict: 'failed' }]);
  expect(failed[0]?.received).toContain('No enum match for: "Bearer [key]"');
  expect(failed[0]?.received?.length).toBeLessThan(500);
  expect(JSON.stringify(outcomes)).not.toMatch(/test-k|NextK/);
});

test('an interruption in the third transaction leaves the results of the first two', async () => {
  const interruption = new AbortController();
  const mock = await askDeployment({ createAnswer: () => answerBodies({ 'GET 200': '{}' }) });
  const ended: string[] = [];
  let count = 0;
  const sendRequest: SendRequest = async (request, signal) => {
    if (request.headers.Accept) count += 1;
    if (count < 3) return mock(request, signal);
    await vi.waitFor(() => expect(ended).toHaveLength(2));
    interruption.abort(new NotTested('the run was interrupted', 'interrupted'));
    return { response: undefined, failure: { kind: 'other', reason: 'aborted' } };
  };
  const onResult = ({ clause }: Result) => void ended.push(clause.id);
  const { signal } = interruption;
  const { outcomes } = await runSuite(createTarget(), { only, sendRequest, signal, onResult });
  expect(outcomes.map(({ clause, verdict }) => [clause.id, verdict])).toEqual([
    ['dredd/listPets-200', 'failed'],
    ['dredd/listPets-400', 'passed'],
    ...only.slice(2).map((id) => [id, 'not tested']),
  ]);
});

test('an interruption ends Dredd, and no process of it is left', async () => {
  const interruption = new AbortController();
  const mock = await askDeployment({});
  const hasProcess = () => process.getActiveResourcesInfo().includes('ProcessWrap');
  let hadProcess = false;
  const sendRequest: SendRequest = async (request, signal) => {
    if (!request.headers.Accept) return mock(request, signal);
    hadProcess = hasProcess();
    interruption.abort(new NotTested('the run was interrupted', 'interrupted'));
    return { response: undefined, failure: { kind: 'other', reason: 'aborted' } };
  };
  const run = new Run(createTarget(), { sendRequest, signal: interruption.signal });
  const transactions = await runDredd(new Context(run));
  await expect(transactions.get('listPets 200')).rejects.toThrow('the run was interrupted');
  expect(hadProcess).toBe(true);
  await vi.waitFor(() => expect(hasProcess()).toBe(false));
});

test('if the hooks fail, the run fails, nothing is sent, and the process of Dredd has no environment variable', async () => {
  vi.stubEnv('SECRET_OF_THE_JOB', 's3cr');
  onTestFinished(() => void vi.unstubAllEnvs());
  const hooks = 'console.error("it has", process.env.SECRET_OF_THE_JOB); throw new Error("x");';
  const file = join(createFolder({ 'hooks.cjs': hooks }), 'hooks.cjs');
  const run = new Run(createTarget(), { sendRequest: await askDeployment({}) });
  const transactions = await runDredd(new Context(run), file);
  const first = transactions.get('listPets 200');
  await expect(first).rejects.toThrow(/it has undefined.*did not load its hooks/s);
  expect(run.client.journal.filter(({ request }) => request.headers.Accept)).toEqual([]);
});

test('if Dredd ends in the second transaction, the first one has its result', async () => {
  const count = 'let count = 0; require("hooks").beforeEach(({ request }) => { count += 1;';
  const hooks = `${count} if (count === 2) process.exit(3); request.headers["${TRANSACTION_ID}"] = "listPets 200"; });`;
  const file = join(createFolder({ 'hooks.cjs': hooks }), 'hooks.cjs');
  const run = new Run(createTarget(), { sendRequest: await askDeployment({}) });
  const transactions = await runDredd(new Context(run), file);
  await expect(transactions.get('listPets 400')).rejects.toThrow('Dredd ended with 3');
  await expect(transactions.get('listPets 200')).resolves.toMatchObject({ hasAnswered: true });
});
