import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorCodes } from '../../testing/http-case.ts';
import { sampleAnimals, samplePets, startTestMock } from '../../testing/start-test-mock.ts';
import { controlApiFile } from '../docs/create-docs.ts';
import { startMock } from '../index.ts';
import { type ControlCase, callFromCode } from '../testing/cases/control-case.ts';
import { controlCases } from '../testing/cases/control-cases.ts';
import { createControlJudge } from '../testing/control-judge.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const mock = await startMock({ port: 0, log: 'silent', data: sampleAnimals });
afterAll(mock.close);

let sessions = 0;

/** Starts a session for a case, with what the case needs. */
async function startCase({ before }: ControlCase) {
  sessions += 1;
  const session = mock.session(`case-${sessions}`);
  await before?.(session);
  return session;
}

test.for(controlCases)('from code: $title', async (row) => {
  const session = await startCase(row);
  const act = callFromCode(session, row.call);
  if (row.mentions === undefined) {
    expect(await act).toEqual(row.result);
  } else {
    const error = (await act.catch((thrown) => thrown)) as Error & { code: string };
    expect(error).toBeInstanceOf(Error);
    expect(error.code).toBe(errorCodes[row.status ?? 0]);
    for (const mention of row.mentions) expect(error.message).toContain(mention);
  }
  row.check?.(session);
  expect(session.animals.all()).toEqual(row.animals ?? samplePets);
});

const judge = createControlJudge(parse(readFileSync(controlApiFile, 'utf8')));

/** Requests that no schema can refuse. */
const knownToTheMock = [
  /^restoring changes nothing/,
  /the same id|"id":(?:1|999),"name"/,
  /"delay":"200-50"/,
  /^GET \/violations is/,
];

test.for(controlCases)('over HTTP, as the document says: $title', async (row) => {
  const session = await startCase(row);
  const answer = await sendAdmin(session.url, row.call);
  const { status, headers, body } = answer;
  if (row.mentions === undefined) {
    expect(body).toEqual(row.result);
    expect(status).toBe(row.status ?? (row.result === undefined ? 204 : 200));
  } else {
    const { message, ...others } = body as Record<string, string>;
    expect(others).toEqual({ code: errorCodes[row.status ?? 0], status: BigInt(row.status ?? 0) });
    for (const mention of row.mentions) expect(message).toContain(mention);
    expect(status).toBe(row.status);
  }
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  row.check?.(session);
  expect(session.animals.all()).toEqual(row.animals ?? samplePets);
  const isRefused = status === 400 && !knownToTheMock.some((pattern) => pattern.test(row.title));
  expect(judge.judgeRequest(row.call)).toEqual(isRefused ? expect.arrayContaining([expect.any(String)]) : []);
  expect(judge.judgeAnswer(row.call, answer)).toEqual([]);
});

test('a number that a program cannot write down exactly is refused', async () => {
  const { animals } = await startTestMock();
  expect(() => animals.add({ name: 'Rex', categoryId: 2 ** 60 })).toThrow(
    'categoryId is beyond 2^53, where a number is not exact: give a bigint',
  );
});

test('a profile changes neither faults, settings nor snapshots, and a reset goes back to the start', async () => {
  const mock = await startTestMock({ data: sampleAnimals });
  mock.snapshot('a');
  mock.configure({ order: 'oldest' });
  mock.faults.add({ status: 500 });
  await mock.fill('empty');
  expect([mock.animals.size, mock.settings().order, mock.faults.list().length]).toEqual([0, 'oldest', 1]);
  mock.restore('a');
  expect(mock.animals.all()).toEqual(samplePets);
  await mock.fill('large');
  mock.reset();
  expect(mock.animals.all()).toEqual(samplePets);
});

test('there is room for a hundred snapshots, and each can be taken again', async () => {
  const mock = await startTestMock({ animals: 1 });
  for (let index = 0; index < 100; index += 1) mock.snapshot(`${index}`);
  mock.snapshot('0');
  expect(() => mock.snapshot('one more')).toThrow('must be up to 64');
  expect(() => mock.snapshot('one-more')).toThrow('There are 100 snapshots, and no room for more.');
});
