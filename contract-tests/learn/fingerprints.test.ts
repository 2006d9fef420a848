import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { namedBehaviours } from '../../common/behaviour/behaviours.ts';
import { learn, printLearned } from '../../common/learn/learn.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { drawDifference } from '../../tools/testing/draw-difference.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { change, changeJson } from '../deployments/changes.ts';
import type { CreateAnswer } from '../deployments/deployment.ts';
import { isCreation, isFetch, isList, sentBy } from '../deployments/messages.ts';
import { createError } from '../deployments/replies.ts';
import { startDeployment } from '../deployments/run-deployment.ts';
import { drop, set } from '../deployments/values.ts';
import { runSuite } from '../runner/run.ts';
import { clauseIds, createTarget, startForTest } from '../testing/run-suite.ts';
import { compare } from './compare.ts';
import { sendProbes } from './send-probes.ts';

/** Runs the suite and returns what `--learn` writes. */
async function learnFile(baseUrl: string, allowsWrites: boolean): Promise<string> {
  const target = createTarget({ baseUrl, allowsWrites });
  const files: string[] = [];
  await runSuite(target, {
    only: clauseIds,
    onTested: sendProbes,
    onEnd: (journal) => files.push(printLearned(learn(journal, target))),
  });
  return files.join();
}

function compareTexts(before: string, after: string): { readonly text: string; readonly hasDrift: boolean } {
  const folder = createFolder({ 'before.json': before, 'after.json': after });
  return compare(join(folder, 'before.json'), join(folder, 'after.json'));
}

const behaviours = { default: {}, lenient: namedBehaviours.lenient, 'drawn with seed 3': drawDifference(3) };

test.for(Object.entries(behaviours))(
  'runs against one deployment that behaves as %s have no difference, whatever its animals',
  { timeout: 120_000 },
  async ([, behaviour]) => {
    const { url } = await startTestMock({ behaviour });
    for (const allowsWrites of [false, true]) {
      const first = await learnFile(url, allowsWrites);
      const { text, hasDrift } = compareTexts(first, await learnFile(url, allowsWrites));
      expect([hasDrift, text]).toEqual([false, expect.stringMatching(/\b0 of \d+ choices differ\.\n$/)]);
    }
  },
);

test('a run that writes has no difference from one that only reads', async () => {
  const { url } = await startTestMock();
  const readOnly = await learnFile(url, false);
  expect(compareTexts(readOnly, await learnFile(url, true)).hasDrift).toBe(false);
});

let before = '';

beforeAll(async () => {
  const { url, close } = await startDeployment({ createAnswer: () => (request, asMock) => asMock(request) });
  before = await learnFile(url, true).finally(close);
});

const rows: Readonly<Record<string, readonly [CreateAnswer, ...lines: string[]]>> = {
  'another error code': [
    change.reply((_, { status }) => status === 404, changeJson(set({ code: 'pet_missing' }))),
    'error codes: before sends not_found, after sends ',
    'pet_missing with 404',
  ],
  'a new header': [
    change.reply(isList, ({ headers }) => ({ headers: { ...headers, 'Cache-Control': 'no-store' } })),
    'list caching: before leaves it out, after sends no-store',
  ],
  'a header less': [
    change.reply(isFetch, ({ headers }) => ({ headers: drop('content-type')(headers) })),
    'header content-type: before yes, after no',
  ],
  'a member in another case': [
    change.listed(({ status, ...others }) => (status === undefined ? others : { ...others, Status: status })),
    'member status: before yes, after no',
  ],
  'a further member of Errors for a wrong body': [
    change.reply(
      (request, { status }) => isCreation(request) && status === 400,
      changeJson(set({ path: 'x' })),
    ),
    'member path: before no, after yes',
  ],
  '409 in place of 400': [
    change.reply(
      (request, { status }) => status === 400 && isCreation(request) && sentBy(request).status === null,
      () => createError(409),
    ),
    'status: before 400, after 409',
    'POST /pets, unusual name, status null',
  ],
  '422 in place of 400': [
    change.reply(
      (request, { status }) => status === 400 && isCreation(request) && 'name' in sentBy(request),
      () => createError(422),
    ),
    'status: before 400, after 422',
    'POST /pets, categoryId no int64;',
  ],
  '410 in place of 404': [
    change.reply(
      (request, { status }) => isFetch(request) && status === 404,
      () => createError(410),
    ),
    'status: before 404, after 410',
    'GET /pets/{malformed};',
  ],
  'a page in place of an Error': [
    change.reply(
      (_, { status }) => status === 404,
      () => ({ body: '<h1>404</h1>' }),
    ),
    'code: before not_found, after no code',
  ],
};

test.for(Object.entries(rows))('compare sees %s', async ([, [createAnswer, ...lines]]) => {
  const after = await learnFile(await startForTest({ createAnswer }), true);
  const { text, hasDrift } = compareTexts(before, after);
  expect(hasDrift, text).toBe(true);
  for (const line of lines) expect(text).toContain(line);
});
