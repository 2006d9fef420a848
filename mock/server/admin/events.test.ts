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
  const { headers, body } = await fetch(address, { signal: aborting.signal });
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader();
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
  return { type: headers.get('content-type'), readUntil };
}

test('an event reports the latest request, and nothing of the request; many requests are few events', async () => {
  const mock = await startTestMock({ animals: 3 });
  const { type, readUntil } = await listen(mock.url);
  const version = expect.any(String);
  expect(await readUntil(() => true)).toEqual([{ lastRequest: 0, lastViolation: 0, version }]);
  expect(type).toBe('text/event-stream');
  const start = performance.now();
  for (let index = 0; index < 100; index += 1) await send(mock.url, get('/v1/pets?limit=1'));
  const events = await readUntil(({ lastRequest }) => lastRequest === 100);
  expect(events.at(-1)).toEqual({ ...events[0], lastRequest: 100 });
  // At most one in 50 ms.
  expect(events.length).toBeLessThan(3 + (performance.now() - start) / 50);
});

test('the state has the latest and the oldest entries, and its version changes with everything else', async () => {
  const mock = await startTestMock({ animals: 3, journal: 3, checkedProxy: true });
  const read = async () => Object((await sendAdmin(mock.url, ['GET', '/state'])).body);
  const { readUntil } = await listen(mock.url);
  for (let count = 0; count < 5; count += 1) await send(mock.url, post('/v1/pets', '{'));
  for (let count = 0; count < 2; count += 1) await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  const counts = { lastRequest: 7n, lastViolation: 2n, oldestViolation: 1n };
  expect(await read()).toMatchObject({ ...counts, oldestRequest: 5n });
  await readUntil(({ lastRequest, lastViolation }) => lastRequest === 7 && lastViolation === 2);
  const versions = [(await read()).version];
  for (const change of [
    () => mock.animals.remove(1),
    () => mock.faults.add({ status: 500 }),
    () => mock.faults.clear(),
    () => mock.configure({ now: '2031-01-01T00:00:00Z' }),
    () => mock.configure({ apiKeys: ['another-key'] }),
    () => mock.snapshot('a'),
    () => mock.removeSnapshot('a'),
    () => mock.clearRequests({ until: 5 }),
    () => mock.clearRequests(),
    () => mock.clearViolations({ until: 1 }),
    () => mock.clearViolations(),
    () => mock.reset(),
  ]) {
    change();
    const { version } = await read();
    expect(version, `${change}`).not.toBe(versions.at(-1));
    versions.push(version);
  }
  expect(await read()).toMatchObject({ ...counts, oldestViolation: 3n, oldestRequest: 8n });
  await readUntil(({ version }) => version === versions.at(-1));
});

test('a session reports its own requests, and its end ends its events', async () => {
  const mock = await startTestMock();
  const session = mock.session('w1');
  const { readUntil } = await listen(session.url);
  await send(mock.url, get('/v1/pets'));
  await send(session.url, get('/sessions/w1/v1/pets'));
  const { length } = await readUntil(({ lastRequest }) => lastRequest === 1);
  mock.endSession('w1');
  expect(await readUntil(({ lastRequest }) => lastRequest > 1)).toHaveLength(length);
});

test('closing the mock ends the events', async () => {
  const mock = await startTestMock();
  const { readUntil } = await listen(mock.url);
  await readUntil(() => true);
  await mock.close();
  expect(await readUntil(() => false)).toHaveLength(1);
});
