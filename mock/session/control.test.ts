import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { errorCodes } from '../../testing/http-case.ts';
import { sampleAnimals, samplePets, startTestMock } from '../../testing/start-test-mock.ts';
import { controlApiFile } from '../docs/create-docs.ts';
import { type MockSession, startMock } from '../index.ts';
import { routes } from '../server/admin/routes.ts';
import { type ControlCase, controlCases, readState } from '../testing/cases/control-cases.ts';
import { createDocumentCheck } from '../testing/document-check.ts';
import { type AdminCall, sendAdmin } from '../testing/send-admin.ts';

const mock = await startMock({ port: 0, log: 'silent', data: sampleAnimals });
afterAll(mock.close);

/** Makes a call from code. Returns the result as JSON has it, each integer a bigint. */
async function callFromCode(control: MockSession, [method, path, body]: AdminCall) {
  const { pathname, searchParams } = new URL(path, 'http://mock');
  const query = Object.fromEntries(searchParams);
  const patterns = routes.map(([, path]) => new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`));
  const index = routes.findIndex(([allowed], at) => allowed === method && patterns[at]?.test(pathname));
  const param = decodeURIComponent(patterns[index]?.exec(pathname)?.[1] ?? '');
  const result = await routes[index]?.[2]({ control, query, body, param } as never);
  return result === undefined ? undefined : parseExactJson(printExactJson(result as never));
}

/** Makes the call of a case in a new session, and checks its result and what it changes. */
async function tryCase(row: ControlCase, call: (session: MockSession) => Promise<unknown>) {
  const session = mock.session(`case-${mock.sessions().length}`);
  await row.before?.(session);
  const before = readState(session);
  const result = await call(session);
  if (row.mentions === undefined) expect(result).toEqual(row.result);
  else expect(result).toMatchObject({ code: errorCodes[row.status ?? 0], message: expect.any(String) });
  for (const mention of row.mentions ?? []) expect(Object(result).message).toContain(mention);
  expect(readState(session)).toEqual({ ...before, ...row.after });
}

const rows = controlCases.map(
  (row) => [row.call.map((part) => printExactJson(part as never)).join(' '), row] as const,
);

test.for(rows)('from code: %s', async ([, row]) => {
  await tryCase(row, (session) => callFromCode(session, row.call).catch((error) => error));
});

const { checkRequest, checkResponse } = createDocumentCheck(parse(readFileSync(controlApiFile, 'utf8')));

test.for(rows)('over HTTP, as the document says: %s', async ([, row]) => {
  const { call, result, status = result === undefined ? 204 : 200 } = row;
  const [method, path, body] = call;
  await tryCase(row, async (session) => {
    const answer = await sendAdmin(session.url, call);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const json = body && JSON.parse(printExactJson(body as never));
    const asked = [method, `/__admin${path}`, json] as const;
    const isRefused = status === 400 && !row.fitsDocument;
    expect(checkRequest(asked)).toEqual(isRefused ? expect.arrayContaining([expect.any(String)]) : []);
    expect(checkResponse(asked, status, answer.headers['content-type'], answer.text)).toEqual([]);
    return answer.body;
  });
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
  mock.faults.add({ status: 500 });
  const before = readState(mock);
  await mock.fill('empty');
  expect(readState(mock)).toEqual({ ...before, animals: [] });
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
