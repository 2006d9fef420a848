import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { NotTested } from '../client/clause-errors.ts';
import type { SendRequest } from '../client/send-request.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import type { Answer } from '../deployments/deployment.ts';
import type { DeployedReply } from '../deployments/messages.ts';
import { createError, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { verifyDeployment } from '../index.ts';
import type { Result } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import { answerBodies, isOfDredd } from '../testing/answer-bodies.ts';
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

test('an interruption in the third transaction leaves the results of the first two', async () => {
  const interruption = new AbortController();
  const mock = await askDeployment({ createAnswer: () => answerBodies({ 'GET 200': '{}' }) });
  const ended: string[] = [];
  let count = 0;
  const sendRequest: SendRequest = async (request, signal) => {
    if (request.headers.Accept) count += 1;
    if (count < 3) return mock(request, signal);
    await expect.poll(() => ended).toHaveLength(2);
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
  await expect.poll(hasProcess).toBe(false);
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
