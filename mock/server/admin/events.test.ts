import { expect, onTestFinished, test } from 'vitest';
import type { StateEvent } from '../../../common/http/stream-state.ts';
import { get, post, send } from '../../../testing/http-case.ts';
import { startTestMock } from '../../../testing/start-test-mock.ts';
import { sendAdmin } from '../../testing/send-admin.ts';

/** Listens to the events of the mock or session with this base URL. */
async function listen(url: string) {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const address = `${url.replace(/\/v1$/, '')}/__admin/events`;
  const response = await fetch(address, { signal: aborting.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: StateEvent[] = [];
  let text = '';
  /** Reads until an event matches, or the stream has ended. Returns all events. */
  const readUntil = async (isMatch: (event: StateEvent) => boolean) => {
    while (!events.some(isMatch)) {
      const { value, done } = (await chunks?.read()) ?? { done: true };
      if (done) break;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^event: state\ndata: (.*)$/.exec(block) ?? [];
        if (data !== undefined) events.push(JSON.parse(data));
      }
    }
    return events;
  };
  const readNext = async () => {
    const { length } = events;
    return (await readUntil(() => events.length > length)).at(-1);
  };
  return { response, readUntil, readNext };
}

test('an event reports the latest request, and nothing of the request', async () => {
  const mock = await startTestMock({ animals: 3 });
  const { response, readUntil } = await listen(mock.url);
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/event-stream' });
  const version = expect.any(String);
  expect(await readUntil(() => true)).toEqual([{ lastRequest: 0, lastViolation: 0, version }]);
  await send(mock.url, get('/v1/pets'));
  await send(mock.url, get('/v1/pets/1'));
  const events = await readUntil(({ lastRequest }) => lastRequest === 2);
  expect(events.at(-1)).toEqual({ ...events[0], lastRequest: 2 });
});

test('the version changes with animals, faults, settings, snapshots and clearing', async () => {
  const mock = await startTestMock({ animals: 3, checkedProxy: true });
  for (let index = 0; index < 2; index += 1) await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  const { readUntil, readNext } = await listen(mock.url);
  let latest = (await readUntil(() => true)).at(-1);
  for (const change of [
    () => mock.animals.remove(1),
    () => mock.faults.add({ status: 500 }),
    () => mock.faults.clear(),
    () => mock.configure({ now: '2031-01-01T00:00:00Z' }),
    () => mock.configure({ apiKeys: ['another-key'] }),
    () => mock.snapshot('a'),
    () => mock.removeSnapshot('a'),
    () => mock.clearRequests({ until: 1 }),
    () => mock.clearRequests(),
    () => mock.clearViolations(),
    () => mock.reset(),
  ]) {
    change();
    const next = await readNext();
    expect(next?.version).not.toBe(latest?.version);
    latest = next;
  }
  expect((await sendAdmin(mock.url, ['GET', '/state'])).body).toMatchObject({ version: latest?.version });
});

test('many requests are few events', async () => {
  const mock = await startTestMock();
  const { readUntil } = await listen(mock.url);
  const start = performance.now();
  for (let index = 0; index < 200; index += 1) await send(mock.url, get('/v1/pets?limit=1'));
  const events = await readUntil(({ lastRequest }) => lastRequest === 200);
  expect(events.length).toBeLessThan(3 + (performance.now() - start) / 50);
});

test('a session reports its own requests, and violations that the checked proxy found', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const session = mock.session('w1');
  const { readUntil } = await listen(session.url);
  await send(mock.url, get('/v1/pets'));
  await send(session.checkedUrl as string, get('/sessions/w1/v1/pets?limit=0'));
  const events = await readUntil(({ lastViolation }) => lastViolation > 0);
  expect(events.at(-1)).toMatchObject({ lastRequest: 1, lastViolation: 1 });
});

test('the state has the oldest request and the oldest violation that are kept', async () => {
  const mock = await startTestMock({ journal: 3, checkedProxy: true });
  const read = async () => (await sendAdmin(mock.url, ['GET', '/state'])).body;
  expect(await read()).toMatchObject({ oldestRequest: 1n, oldestViolation: 1n });
  for (let count = 0; count < 5; count += 1) await send(mock.url, post('/v1/pets', '{'));
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  mock.clearViolations({ until: 1 });
  const expected = { lastRequest: 6n, oldestRequest: 4n, lastViolation: 1n, oldestViolation: 2n };
  expect(await read()).toMatchObject(expected);
  mock.clearRequests();
  expect(await read()).toMatchObject({ lastRequest: 6n, oldestRequest: 7n });
});

test('closing the mock ends the events', async () => {
  const mock = await startTestMock();
  const { readUntil } = await listen(mock.url);
  await readUntil(() => true);
  await mock.close();
  expect(await readUntil(() => false)).toHaveLength(1);
});

test('the end of a session ends its events', async () => {
  const mock = await startTestMock();
  const { readUntil } = await listen(mock.session('w1').url);
  await readUntil(() => true);
  mock.endSession('w1');
  expect(await readUntil(() => false)).toHaveLength(1);
});
