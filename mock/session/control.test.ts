import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { errorCodes } from '../../tools/testing/http-case.ts';
import { sampleAnimals, startFileMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock, type MockSession, type RemoteSession } from '../index.ts';
import { type ControlCase, controlCases, readState } from '../testing/cases/control-cases.ts';
import { type AdminCall, controlCheck, sendAdmin } from '../testing/send-admin.ts';
import { listCalls, sessionCalls } from './control-calls.ts';

const mock = await startFileMock({ data: sampleAnimals });

const calls = listCalls(sessionCalls);

function findCall([method, path]: AdminCall) {
  const { pathname, searchParams } = new URL(path, 'http://mock');
  const toPattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/, '([^/]+)')}$`);
  const found = calls.find(([, call]) => call.method === method && toPattern(call.path).test(pathname));
  if (found === undefined) throw new Error(`There is no call ${method} ${path}.`);
  const [name, call] = found;
  const param = decodeURIComponent(toPattern(call.path).exec(pathname)?.[1] ?? '');
  const query = [...searchParams].map(([member, text]) => [
    member,
    /^[{]/.test(text) ? parseExactJson(text) : text,
  ]);
  return { name, call, param, query: Object.fromEntries(query) };
}

/** Makes a call from code, in this process or from another. Returns the result as JSON has it, each integer a bigint. */
async function callFromCode(control: MockSession | RemoteSession, row: AdminCall) {
  const { name, call, param, query } = findCall(row);
  const [member = '', group] = name.split('.').reverse();
  const owner = group === undefined ? control : Reflect.get(control, group);
  const args = [
    ...(call.param ? [v.parse(call.param as v.GenericSchema, param)] : []),
    ...(call.body ? [row[2]] : []),
    ...(call.query ? [query] : []),
  ];
  const value = await owner[member](...args);
  const result = call.toJson ? call.toJson(value as never) : value;
  return result === undefined ? undefined : parseExactJson(printExactJson(result as never));
}

test('every call of a session has a case', () => {
  const names = new Set(controlCases.map(({ call }) => findCall(call).name));
  expect([...names].toSorted()).toEqual(calls.map(([name]) => name).toSorted());
});

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
const rowsOfCode = rows.filter(([, { isOnlyHttp }]) => !isOnlyHttp);

test.for(rowsOfCode)('from code: %s', async ([, row]) => {
  await tryCase(row, (session) => callFromCode(session, row.call).catch((error) => error));
});

test.for(rowsOfCode)('from another process: %s', async ([, row]) => {
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
