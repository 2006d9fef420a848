import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { get, send } from '../../tools/testing/http-case.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock, type MockSession, type RemoteSession, startMock } from '../index.ts';

const [rex, large] = [{ name: 'Rex', categoryId: 1 }, 2n ** 63n - 1n];

/** Calls whose results JSON does not hold as they are, and errors that no server sends. */
const calls: readonly ((mock: MockSession | RemoteSession) => unknown)[] = [
  ({ animals }) => animals.replace([{ ...rex, id: large }, rex]),
  ({ animals }) => animals.get(9),
  ({ configure }) => configure({ now: new Date('2030-12-05') }),
  ({ configure }) => configure({ now: null }),
  ({ faults }) => faults.list(),
  ({ requests }) => requests({ since: new Date(0), limit: 1 }),
  ({ countRequests }) => countRequests({ status: 500 }),
  ({ waitForRequest }) => waitForRequest({ status: 404, timeout: 0 }),
  ({ violations }) => violations({ severity: 'error' }),
  ({ expectNoViolations }) => expectNoViolations(),
  ({ clearRequests }) => clearRequests({ until: 0, name: 'as the context of a hook' } as object),
];

const listNames = (object: object): string[] =>
  Object.entries(object).flatMap(([name, one]) => [name, ...listNames(Object(one) === one ? one : {})]);

test('a client has the members of the library, and each returns and throws what it does there', async () => {
  const { unknownProperties, close, ...mock } = await startTestMock({ checkedProxy: true });
  // A test may replace the fetch of its app.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = connectMock(`${new URL(mock.url).origin}/`);
  expect(listNames(client).sort()).toEqual(listNames(mock).sort());
  const [session, remote] = [mock.session('w1'), client.session('w1')];
  const found = remote.waitForRequest();
  session.faults.add({ status: 500, response: { body: { id: large, ids: [7n] } }, times: 2 });
  await send(mock.checkedUrl ?? '', get('/sessions/w1/v1/pets?limit=0'));
  expect(await found).toEqual(session.requests()[0]);
  for (const call of calls) {
    const [own, other] = await Promise.allSettled([session, remote].map(async (one) => call(one)));
    expect(other).toEqual(own);
  }
  const id = 2 ** 60;
  const roundedCalls = [
    () => remote.animals.add({ ...rex, id }),
    () => remote.animals.replace([rex, { ...rex, id }]),
    () => remote.animals.get(id),
  ];
  for (const rounded of roundedCalls)
    await expect(rounded()).rejects.toThrow('id is beyond 2^53, where a number is not exact. Use a bigint.');
  expect([await remote.animals.size(), await remote.checkedUrl()]).toEqual([2, session.checkedUrl]);
  await client.endSession('w1');
  expect(await client.sessions()).toEqual([]);
});

test('an error says what to do', async () => {
  let closed = '';
  {
    await using mock = await startMock({ port: 0, log: 'silent' });
    closed = mock.url;
    await connectMock(closed).reset();
  }
  const { url: off } = await startTestMock({ admin: false });
  const { url: guarded } = await startTestMock({ adminToken: 's3cr-token' });
  const { url: open } = await startTestMock({ host: '0.0.0.0' });
  const page = await listen(createServer((_request, response) => response.end('<html>')));
  for (const [wrong, message] of [
    [closed, /^No mock answers at \S+ \(ECONNREFUSED\)\. Start it with npx --no -- animal-store-mock/],
    [page, /^\S+ is no mock \(200\)/],
    [`${off}/pets`, /^\S+ is no mock \(401\)/],
    [off, /^The control API of the mock at \S+ is off\. Start it without --no-admin/],
    [guarded, /Give connectMock the option adminToken/],
    [open, /Enable it with --admin-token/],
  ] as const)
    await expect(connectMock(wrong).reset()).rejects.toThrow(message);
  await connectMock(guarded, { adminToken: 's3cr-token' }).reset();
  for (const attempt of [() => connectMock('127.0.0.1:4010'), () => connectMock(off).session('..')])
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
