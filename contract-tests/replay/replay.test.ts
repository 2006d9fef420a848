import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadContract } from '../../common/json/contract.ts';
import { resolveTarget } from '../client/target.ts';
import { conformingDeployments } from '../deployments/conforming-deployments.ts';
import type { Behaviour, DeployedReply, Deployment } from '../deployments/deployment.ts';
import { Context, Run } from '../model/context.ts';
import { runSuite } from '../runner/run.ts';
import { startForTest } from '../testing/run-cli.ts';
import { createHooks } from './create-hooks.ts';
import { replayClauses } from './replay-clauses.ts';
import { runDredd } from './run-dredd.ts';

async function start(behave?: Behaviour): Promise<Context> {
  const baseUrl = await startForTest(behave && { createBehaviour: () => behave });
  return new Context(new Run(resolveTarget({ apiKey: 'test-key', allowsWrites: true, baseUrl })));
}

const documented = loadContract().operations.flatMap(({ operationId, responses }) =>
  Object.keys(responses).map((status) => `${operationId} ${status}`),
);

test.for<[string, Behaviour, string[]]>([
  [
    'every answer is 418',
    async () => ({ status: 418, headers: { 'content-type': 'application/json' }, body: '{}' }),
    // Without a list there is no animal to fetch.
    documented.filter((id) => id !== 'getPet 200'),
  ],
  [
    'an Error has no code and an animal no categoryId',
    async (request, asMock) => {
      const reply = await asMock(request);
      const text = Buffer.from(reply.body).toString();
      return { ...reply, body: text.replaceAll(/"(?:code|categoryId)":/g, '"x":') };
    },
    documented,
  ],
  [
    'the media type is another',
    async (request, asMock) => {
      const reply = await asMock(request);
      return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } };
    },
    documented,
  ],
])('where %s, its transactions fail', async ([, behaviour, expected]) => {
  const transactions = await runDredd(await start(behaviour));
  const failed = transactions.filter(({ result }) => result?.verdict === 'failed').map(({ id }) => id);
  // 418 with a list in mind is a refusal like any other; its body is no Error.
  expect(failed.toSorted()).toEqual(expected.toSorted());
});

test('another method on a path is not taken for the operation there, and nothing is sent', () => {
  const replay = { id: 'getPet 204', path: '/pets/1', response: undefined };
  const { beforeEach, prepared } = createHooks([replay]);
  const transaction = {
    ...{ id: 'x', origin: { resourceName: '/pets/{petId}' }, skip: false },
    request: { method: 'DELETE' },
    expected: { statusCode: '204', headers: {} },
  };
  beforeEach(transaction);
  expect([transaction.skip, prepared.size]).toEqual([true, 0]);
});

test.for([
  ['that is missing', undefined, /hooks\.cjs/],
  ['that throws', 'throw new Error("out of order");', /did not load its hooks/],
] as const)('with a file of hooks %s the replay fails', async ([, text, message]) => {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'hooks.cjs');
  if (text !== undefined) writeFileSync(file, text);
  await expect(runDredd(await start(), file)).rejects.toThrow(message);
});

test('the process of Dredd has no environment variable of the suite', async () => {
  vi.stubEnv('SECRET_OF_THE_JOB', 's3cr');
  const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'hooks.cjs');
  writeFileSync(file, 'console.error("it has", process.env.SECRET_OF_THE_JOB); process.exit(3);');
  await expect(runDredd(await start(), file)).rejects.toThrow('it has undefined');
});

test('what is answered 429 is asked for again', async () => {
  let requests = 0;
  const headers = { 'content-type': 'application/json', 'retry-after': '0' };
  const body = '{"code":"slow-down","message":"x","status":429}';
  const context = await start(async (request, asMock) => {
    requests += 1;
    return requests % 4 === 0 ? { status: 429, headers, body } : asMock(request);
  });
  const transactions = await runDredd(context);
  expect(transactions.map(({ id }) => id).toSorted()).toEqual(documented.toSorted());
  expect(transactions.filter(({ result }) => result?.verdict !== 'passed')).toEqual([]);
});

/** Conforming deployments that Dredd would accuse if it were left to itself. */
test.for([
  ['refuses unknown categories with 422 and has no animals'],
  ['refuses names of more than 20 characters with 400'],
  ['has a key that may only read, and answers 403 to every creation'],
  ['has removed GET /pets/{petId} after its day and answers 405 also without a key'],
  [
    'has ids above 2^53',
    'lives behind a longer path',
    'closes a connection that is idle for 0 ms',
    'sends application/json in any case, with a charset and other parameters',
    'sends chunks',
    'encodes with gzip, deflate and br',
  ],
])('a deployment that %j passes', async (names) => {
  const deployment = combine(names);
  const baseUrl = await startForTest(deployment);
  const target = resolveTarget({ apiKey: 'test-key', allowsWrites: true, ...deployment.target, baseUrl });
  const { outcomes } = await runSuite(target, { only: replayClauses.map(({ id }) => id) });
  expect(outcomes.filter(({ verdict }) => ['failed', 'error'].includes(verdict))).toEqual([]);
});

/** A deployment that does all at once what some conforming ones do. */
function combine(names: readonly string[]): Partial<Deployment> {
  const rows = conformingDeployments.filter(({ name }) => names.includes(name));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const inOrder = names.map((wanted) => rows.find(({ name }) => name === wanted));
  const createBehaviour = () =>
    inOrder
      .flatMap((row) => row?.createBehaviour?.() ?? [])
      .reduce(
        (inner, outer) => (request, asMock) =>
          outer(request, async (asked) => (await inner(asked, asMock)) as DeployedReply),
      );
  return { ...Object.assign({}, ...inOrder), createBehaviour };
}
