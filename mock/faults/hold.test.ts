import { expect, test } from 'vitest';
import { printFramed, printGet } from '../../tools/bench/print-request.ts';
import { open } from '../../tools/testing/exchange-raw.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock, type Mock, type MockSession } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';
import type { FaultOptions } from './fault-options.ts';

const list = get('/v1/pets');
const rex = '{"name":"Rex","categoryId":1}';

/** Starts a mock with a fault that holds lists, in a session if it is named. `sendAll` sends some, and waits until they are held. */
async function startHolding(options = {}, name?: string) {
  const mock = await startTestMock({ profile: 'empty' });
  const session = name === undefined ? mock : mock.session(name);
  const fault = session.faults.add({ operation: 'listPets', hold: true, ...options });
  const readHeld = () => session.faults.list()[0]?.held;
  const sendAll = async (count: number) => {
    const before = readHeld() ?? 0;
    const answers = Array.from({ length: count }, () => send(mock.url, get('/v1/pets', session.headers)));
    const statuses = Promise.all(answers.map(async (answer) => (await answer).status));
    await expect.poll(readHeld).toBe(before + count);
    return { statuses };
  };
  return { mock, session, fault, readHeld, sendAll };
}

test('a fault holds each request until it is released; the requests then run, and later ones are not held', async () => {
  const { mock, fault, sendAll } = await startHolding();
  const first = send(mock.url, list);
  await mock.waitForRequest({ operation: 'listPets' });
  const { statuses } = await sendAll(1);
  expect(mock.faults.list()).toEqual([{ id: 1, operation: 'listPets', hold: true, used: 2, held: 2 }]);
  expect((await send(mock.url, post('/v1/pets', rex))).status).toBe(201);
  fault.release();
  expect((await first).body).toEqual([{ id: 1, name: 'Rex', categoryId: 1 }]);
  expect(await statuses).toEqual([200]);
  expect(mock.faults.list()).toEqual([]);
  expect((await send(mock.url, list)).status).toBe(200);
});

test('a fault that was released or reset stays so, and no later fault of the session gets its id', async () => {
  const { mock, fault, readHeld, sendAll } = await startHolding();
  fault.release();
  fault.release();
  mock.reset();
  const other = mock.faults.add({ hold: true });
  const { statuses } = await sendAll(1);
  fault.release();
  expect(other.id).not.toBe(fault.id);
  expect(readHeld()).toBe(1);
  other.release();
  expect(await statuses).toEqual([200]);
});

test('a fault that may hold one more request holds only that one, and is listed until its release', async () => {
  const { mock, fault, readHeld, sendAll } = await startHolding({ times: 1 });
  const { statuses } = await sendAll(1);
  expect((await send(mock.url, list)).status).toBe(200);
  expect(readHeld()).toBe(1);
  fault.release();
  expect(await statuses).toEqual([200]);
  expect(mock.faults.list()).toEqual([]);
});

test('the newest fault with a hold holds a request, whatever delays it', async () => {
  const { mock, readHeld } = await startHolding();
  const newest = mock.faults.add({ hold: true });
  mock.faults.add({ delay: 1, times: 1 });
  const sent = send(mock.url, list);
  await expect.poll(() => mock.faults.list()[1]?.held).toBe(1);
  expect(readHeld()).toBe(0);
  newest.release();
  expect((await sent).status).toBe(200);
});

test.for<[string, (session: MockSession, mock: Mock) => unknown]>([
  ['the control API', ({ url }) => sendAdmin(url, ['POST', '/faults/1/release'])],
  ['a client in another process', ({ url }) => connectMock(url).faults.release(1)],
  ['removing the fault', ({ faults }) => faults.remove(1)],
  ['clearing the faults', ({ faults }) => faults.clear()],
  ['a reset', ({ reset }) => reset()],
  ['ending the session', (_session, { endSession }) => endSession('w1')],
  ['closing the mock', (_session, { close }) => close()],
])('%s releases what a fault holds', async ([, release]) => {
  const { mock, session, sendAll } = await startHolding({}, 'w1');
  const { statuses } = await sendAll(2);
  await release(session, mock);
  expect(await statuses).toEqual([200, 200]);
});

test('a fault that a client in another process adds has a release of its own', async () => {
  const mock = await startTestMock();
  const { url, faults, waitForRequest, waitForResponse } = connectMock(mock.url);
  const fault = await faults.add({ operation: 'listPets', hold: true });
  const sent = send(url, list);
  expect((await waitForRequest()).status).toBeUndefined();
  expect(await faults.list()).toMatchObject([{ id: fault.id, held: 1 }]);
  await fault.release();
  expect((await sent).status).toBe(200);
  expect(await waitForResponse()).toMatchObject({ status: 200 });
  await fault.release();
  const old = await faults.add({ hold: true });
  mock.reset();
  const other = await faults.add({ hold: true });
  await old.release();
  expect(await faults.list()).toMatchObject([{ id: other.id, held: 0 }]);
});

test('a fault removes itself, here and from another process, once and no other', async () => {
  const mock = await startTestMock();
  for (const faults of [mock.faults, connectMock(mock.url).faults]) {
    const fault = await faults.add({ status: 503 });
    const other = await faults.add({ operation: 'createPet', status: 500 });
    expect((await send(mock.url, list)).status).toBe(503);
    await fault.remove();
    await fault.remove();
    expect((await send(mock.url, list)).status).toBe(200);
    expect(mock.faults.list()).toMatchObject([{ id: other.id }]);
    await other.remove();
  }
});

test.for<FaultOptions>([{ hold: true }, { hold: true, times: 1 }])(
  'a held request whose client has left is dropped, changes nothing and does not count',
  async (fault) => {
    const mock = await startTestMock({ profile: 'empty' });
    mock.faults.add(fault);
    const leaving = new AbortController();
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const sent = fetch(`${mock.url}/pets`, { method: 'POST', headers, body: rex, signal: leaving.signal });
    expect(await mock.waitForRequest()).toMatchObject({ body: rex });
    leaving.abort();
    await expect(sent).rejects.toThrow('aborted');
    expect(await mock.waitForResponse()).toMatchObject({ status: undefined, error: undefined });
    expect(mock.faults.list()).toMatchObject([{ used: 0, held: 0 }]);
    expect(mock.animals.size).toBe(0);
  },
);

test.for<[FaultOptions, outcomes: (number | 'reset')[]]>([
  [{ delay: 200, status: 500, times: 1 }, [500, 200]],
  [{ delay: 200, times: 1, response: { body: '', status: 500 } }, [500, 200]],
  [{ delay: 200, drop: true, times: 1 }, ['reset', 200]],
  [{ delay: 200, after: 'drop', times: 1 }, ['reset', 200]],
])('a request that the client aborts does not count for %j', async ([fault, outcomes]) => {
  // Without a delay, a busy mock would respond before it knows that the client has left.
  const mock = await startTestMock({ latency: 200 });
  mock.faults.add(fault);
  const aborted = await open(mock.url, printGet('/v1/pets'));
  await mock.waitForRequest();
  aborted.destroy();
  // On a busy machine, the next request may come before the mock knows that the client has left.
  await mock.waitForResponse();
  const received = await Array.fromAsync(outcomes, () =>
    send(mock.url, list).then(
      ({ status }) => status,
      () => 'reset',
    ),
  );
  expect(received).toEqual(outcomes);
  expect(mock.requests()[0]).toMatchObject({ status: undefined, fault: undefined });
  expect(mock.faults.list()).toMatchObject([{ delay: 200 }]);
});

test('a request whose client leaves in the middle of its body is not one that a fault has answered', async () => {
  const mock = await startTestMock();
  mock.faults.add({ status: 503 });
  const socket = await open(mock.url, printFramed('{', 'Content-Length: 9'));
  await expect.poll(() => mock.countRequests()).toBe(1);
  socket.destroy();
  expect(await mock.waitForResponse()).toMatchObject({ status: undefined, fault: undefined });
});

test('of requests at once, a fault gets as many as it may have', async () => {
  const mock = await startTestMock();
  mock.faults.add({ status: 500, times: 2 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(mock.url, list)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 500, 500]);
});
