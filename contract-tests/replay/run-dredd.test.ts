import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadContract } from '../../common/contract.ts';
import { type Context, createContext } from '../core/context.ts';
import { resolveTarget, type Target } from '../core/target.ts';
import type { Behaviour, Deployment } from '../deployments/deployment.ts';
import { startForTest } from '../testing/run-cli.ts';
import { createHooks } from './create-hooks.ts';
import { runDredd } from './run-dredd.ts';
import type { Transaction } from './transaction.ts';

/** Each replay starts a process, which takes long where many tests run. */
vi.setConfig({ testTimeout: 30_000 });

async function replay(
  deployment: Partial<Deployment> = {},
  target: Partial<Target> = {},
): Promise<readonly Transaction[]> {
  return runDredd(await start(deployment, target));
}

async function start(deployment: Partial<Deployment> = {}, target: Partial<Target> = {}): Promise<Context> {
  const baseUrl = await startForTest(deployment);
  return createContext(resolveTarget({ apiKey: 'test-key', ...target, baseUrl }));
}

const documented = loadContract().operations.flatMap(({ operationId, responses }) =>
  Object.keys(responses).map((status) => `${operationId} ${status}`),
);

test('every documented response is asked for, and the mock gives it', async () => {
  const transactions = await replay();
  expect(transactions.map(({ id }) => id).toSorted()).toEqual(documented.toSorted());
  expect(transactions.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test.for<[string, Behaviour, string[]]>([
  [
    'every answer is 418',
    async () => ({ status: 418, headers: { 'content-type': 'application/json' }, body: '{}' }),
    // Without a list there is no animal to fetch.
    documented.filter((id) => id !== 'getPet 200'),
  ],
  [
    'an Error has no code',
    async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status < 400) return reply;
      return { ...reply, body: `{"message":"x","status":${reply.status}}` };
    },
    documented.filter((id) => / 4\d\d$/.test(id)),
  ],
  [
    'an animal has no categoryId',
    async (request, asMock) => {
      const reply = await asMock(request);
      const body = Buffer.from(reply.body)
        .toString()
        .replaceAll(/"categoryId":\d+/g, '"x":1');
      return { ...reply, body };
    },
    documented.filter((id) => / 2\d\d$/.test(id)),
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
  const transactions = await replay({ createBehaviour: () => behaviour });
  const failed = transactions.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  // 418 with a list in mind is a refusal like any other; its body is no Error.
  expect(failed.toSorted()).toEqual(expected.toSorted());
});

test('another method on a path is not taken for the operation there, and nothing is sent', () => {
  const target = resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key' });
  const job = { target, name: 'x', categoryId: 1n, isRemoved: false, knownId: 1n, done: [], hooks: '' };
  const { beforeEach, prepared } = createHooks(job);
  const transaction = {
    ...{ id: 'x', origin: { resourceName: '/pets/{petId}' }, fullPath: '/pets/1', skip: false },
    request: { method: 'DELETE', uri: '/pets/1', headers: {}, body: '' },
    expected: { statusCode: '204', headers: {} },
  };
  beforeEach(transaction);
  expect([transaction.skip, prepared.size]).toEqual([true, 0]);
});

test('where nothing may be written, creations are skipped with the reason', async () => {
  const skipped = (await replay({}, { allowsWrites: false })).filter(({ verdict }) => verdict === 'skipped');
  expect(skipped.map(({ id, message }) => [id, message])).toEqual(
    documented
      .filter((id) => id.startsWith('createPet'))
      .map((id) => [id, expect.stringContaining('--allow-writes')]),
  );
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

test('what is answered 429 is asked for again', async () => {
  let requests = 0;
  const createBehaviour = (): Behaviour => async (request, asMock) => {
    requests += 1;
    const headers = { 'content-type': 'application/json', 'retry-after': '0' };
    const body = '{"code":"slow-down","message":"x","status":429}';
    return requests % 4 === 0 ? { status: 429, headers, body } : asMock(request);
  };
  const transactions = await replay({ createBehaviour });
  expect(transactions.map(({ id }) => id).toSorted()).toEqual(documented.toSorted());
  expect(transactions.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});
