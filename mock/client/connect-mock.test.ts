import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { get, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { connectMock, type MockSession, type RemoteSession } from '../index.ts';

const rex = { name: 'Rex', categoryId: 1 };
const large = 2n ** 63n - 1n;

/** Calls whose results and errors JSON does not hold as they are, and errors that no server sends. */
const calls: readonly ((mock: MockSession | RemoteSession) => unknown)[] = [
  ({ animals }) => animals.replace([{ ...rex, id: large }, rex]),
  ({ animals }) => animals.get(large),
  ({ animals }) => animals.get(9),
  ({ animals }) => animals.add({ ...rex, id: 'x' as never }),
  ({ configure }) => configure({ now: new Date('2030-12-05') }),
  ({ configure }) => configure({ now: null }),
  ({ faults }) => faults.list(),
  ({ requests }) => requests({ since: new Date(0), limit: 1 }),
  ({ countRequests }) => countRequests({ status: 500 }),
  ({ waitForRequest }) => waitForRequest({ operation: 'listPets' }),
  ({ waitForRequest }) => waitForRequest({ status: 404, timeout: 0 }),
  ({ violations }) => violations({ severity: 'error' }),
  ({ expectNoViolations }) => expectNoViolations(),
  ({ clearRequests }) => clearRequests({ until: 0, name: 'as the context of a hook' } as object),
];

test('each method returns and throws what the library does', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const session = mock.session('w1');
  session.faults.add({ status: 500, response: { body: { id: large, ids: [7n] } }, times: 2 });
  await send(mock.checkedUrl ?? '', get('/sessions/w1/v1/pets?limit=0'));
  const remote = connectMock(mock.url).session('w1');
  for (const call of calls) {
    const [own, other] = await Promise.allSettled([session, remote].map(async (one) => call(one)));
    expect(other).toEqual(own);
    if (own?.status === 'rejected') expect(Object(other).reason.code).toBe(own.reason.code);
  }
  await expect(remote.animals.add({ ...rex, id: 2 ** 60 })).rejects.toThrow('id is beyond 2^53, where');
  await expect(remote.animals.get(2 ** 60)).rejects.toThrow('id is beyond 2^53, where');
  expect([await remote.animals.size(), await remote.checkedUrl()]).toEqual([2, session.checkedUrl]);
});

const listNames = (object: object): string[] =>
  Object.entries(object).flatMap(([name, value]) => [
    name,
    ...(Object(value) === value ? listNames(value) : []),
  ]);

test('a client has the members of the library, and waits for a request that comes later', async () => {
  const { unknownProperties, close, ...mock } = await startTestMock();
  // A test may replace the fetch of its app, and its clock.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const remote = connectMock(`${new URL(mock.url).origin}/`);
  expect(listNames(remote).sort()).toEqual(listNames(mock).sort());
  const found = remote.session('w1').waitForRequest({ operation: 'getPet' });
  expect(await remote.sessions()).toEqual(['w1']);
  await send(mock.url, get('/sessions/w1/v1/pets/1'));
  expect(await found).toEqual(mock.session('w1').requests()[0]);
  await remote.endSession('w1');
  expect(mock.sessions()).toEqual([]);
});

test('an error says what to do', async () => {
  const server = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ended = await startTestMock();
  await ended.close();
  const { url: off } = await startTestMock({ admin: false });
  const { url: guarded } = await startTestMock({ adminToken: 's3cr-token' });
  const { url: open } = await startTestMock({ host: '0.0.0.0' });
  for (const [url, message] of [
    [ended.url, 'No mock answers at .* \\(ECONNREFUSED\\). Start it with npx animal-store-mock'],
    [page, `${page} is no mock: POST /__admin/reset has the answer 200`],
    [off, 'The control API of the mock at .* is off. Start it without --no-admin'],
    [guarded, 'Give connectMock the option adminToken'],
    [open, 'Enable it with --admin-token'],
  ] as const)
    await expect(connectMock(url).reset()).rejects.toThrow(new RegExp(message));
  await connectMock(guarded, { adminToken: 's3cr-token' }).reset();
  const invalid = { code: 'invalid_request' };
  expect(() => connectMock('127.0.0.1:4010')).toThrow(expect.objectContaining(invalid));
  expect(() => connectMock(off).session('..')).toThrow(expect.objectContaining(invalid));
});
