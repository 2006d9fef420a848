import { expect, test } from 'vitest';
import { parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { errorCodes } from '../../testing/http-case.ts';
import { sampleAnimals, startFileMock } from '../../testing/start-test-mock.ts';
import { connectMock, type MockSession, type RemoteSession } from '../index.ts';
import { controlRoutes } from '../server/admin/control-routes.ts';
import { type ControlCase, controlCases, readState } from '../testing/cases/control-cases.ts';
import { type AdminCall, controlCheck, sendAdmin } from '../testing/send-admin.ts';

const mock = await startFileMock({ data: sampleAnimals });

/** Makes a call from code, in this process or from another. Returns the result as JSON has it, each integer a bigint. */
async function callFromCode(control: MockSession | RemoteSession, [method, path, body]: AdminCall) {
  const { pathname, searchParams } = new URL(path, 'http://mock');
  const query = Object.fromEntries(searchParams);
  const toPattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/, '([^/]+)')}$`);
  const route = controlRoutes.find((one) => one.method === method && toPattern(one.path).test(pathname));
  const param = decodeURIComponent(toPattern(route?.path ?? '').exec(pathname)?.[1] ?? '');
  const result = await route?.handle({ control, query, body, param } as never);
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

const titleOf = ({ call }: ControlCase) => call.map((part) => printExactJson(part as never)).join(' ');
const rows = controlCases.map((row) => [titleOf(row), row] as const);

test.for(rows)('from code: %s', async ([, row]) => {
  await tryCase(row, (session) => callFromCode(session, row.call).catch((error) => error));
});

test.for(rows)('from another process: %s', async ([, row]) => {
  await tryCase(row, ({ url }) => callFromCode(connectMock(url), row.call).catch((error) => error));
});

test.for(rows)('over HTTP, as the document says: %s', async ([, row]) => {
  const { call, result, status = result === undefined ? 204 : 200 } = row;
  const [method, path, body] = call;
  await tryCase(row, async (session) => {
    const answer = await sendAdmin(session.url, call);
    expect(answer.status).toBe(status);
    const json = body && JSON.parse(printExactJson(body as never));
    const problems = controlCheck.checkRequest([method, `/__admin${path}`, json]);
    const isRefused = status === 400 && !row.fitsDocument;
    expect(problems).toEqual(isRefused ? expect.arrayContaining([expect.any(String)]) : []);
    return answer.body;
  });
});
