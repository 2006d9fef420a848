import { expect, onTestFinished, test } from 'vitest';
import type { StateEvent } from '../../../common/http/stream-state.ts';
import { get, post, send } from '../../../tools/testing/http-case.ts';
import { startTestMock } from '../../../tools/testing/start-test-mock.ts';
import { controlCheck, sendAdmin } from '../../testing/send-admin.ts';

/** Listens to the events of the mock or session with this base URL. */
async function listen(url: string) {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const address = `${url.replace(/\/v1$/, '')}/__admin/events`;
  const { status, headers, body } = await fetch(address, { signal: aborting.signal });
  const type = headers.get('content-type') ?? '';
  expect(controlCheck.checkResponse(['GET', '/__admin/events'], status, type)).toEqual([]);
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** Reads until an event matches, or the stream has ended. Returns all events. */
  return async (isMatch: (event: StateEvent) => boolean) => {
    for (;;) {
      const data = Array.from(text.matchAll(/^event: state\ndata: (.*)\n\n/gm), ([, json = '']) => json);
      const events = data.map((json) => JSON.parse(json) as StateEvent);
      if (events.some(isMatch)) return events;
      const { value, done } = (await chunks?.read()) ?? { done: true };
      if (done) return events;
      text += value;
    }
  };
}

test('an event reports the latest request, and nothing of the request; many requests are few events', async () => {
  const mock = await startTestMock({ animals: 3 });
  const readUntil = await listen(mock.url);
  const [first] = await readUntil(() => true);
  expect(first).toEqual({
    lastRequest: 0,
    lastViolation: 0,
    waitingRequests: 0,
    version: expect.any(String),
  });
  expect(controlCheck.checkValue('StateEvent', first)).toEqual([]);
  const start = performance.now();
  for (let index = 0; index < 100; index += 1) await send(mock.url, get('/v1/pets?limit=1'));
  const events = await readUntil(({ lastRequest }) => lastRequest === 100);
  expect(events.at(-1)).toEqual({ ...first, lastRequest: 100 });
  // At most one in 50 ms.
  expect(events.length).toBeLessThan(3 + (performance.now() - start) / 50);
});

test('an event reports that a request waits, and that it no longer waits', async () => {
  const mock = await startTestMock();
  mock.faults.add({ delay: 600_000 });
  const readUntil = await listen(mock.url);
  const [first] = await readUntil(() => true);
  const sent = send(mock.url, get('/v1/pets')).then(({ status }) => status);
  const waiting = await readUntil(({ waitingRequests }) => waitingRequests === 1);
  expect(waiting.at(-1)).toMatchObject({ lastRequest: 1, waitingRequests: 1 });
  mock.faults.clear();
  expect(await sent).toBe(200);
  const isOver = ({ version, waitingRequests }: StateEvent) =>
    version !== first?.version && waitingRequests === 0;
  expect((await readUntil(isOver)).at(-1)).toMatchObject({ lastRequest: 1 });
});

test('the state has the latest and the oldest entries, and its version changes with everything else', async () => {
  const mock = await startTestMock({ animals: 3, journal: 3, checkedProxy: true });
  const read = async () => Object((await sendAdmin(mock.url, ['GET', '/state'])).body);
  const readUntil = await listen(mock.url);
  for (let count = 0; count < 5; count += 1) await send(mock.url, post('/v1/pets', '{'));
  for (let count = 0; count < 2; count += 1) await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  await readUntil(({ lastRequest, lastViolation }) => lastRequest === 7 && lastViolation === 2);
  const counts = { lastRequest: 7n, lastViolation: 2n };
  const before = await read();
  expect(before).toMatchObject({ ...counts, oldestViolation: 1n, oldestRequest: 5n });
  const versions = [before.version];
  for (const change of [
    () => mock.animals.remove(1),
    () => mock.faults.add({ status: 500 }),
    () => mock.configure({ apiKeys: ['another-key'] }),
    () => mock.snapshot('a'),
    () => mock.clearRequests({ until: 5 }),
    () => mock.clearViolations({ until: 1 }),
    () => mock.reset(),
  ]) {
    change();
    versions.push((await read()).version);
  }
  expect(new Set(versions).size).toBe(versions.length);
  expect(await read()).toMatchObject({ ...counts, oldestViolation: 3n, oldestRequest: 8n });
  await readUntil(({ version }) => version === versions.at(-1));
});

test('a session reports its own requests; its end, and the end of the mock, ends the events', async () => {
  const mock = await startTestMock();
  const session = mock.session('w1');
  const [readUntil, readMock] = [await listen(session.url), await listen(mock.url)];
  await send(mock.url, get('/v1/pets'));
  await send(session.url, get('/sessions/w1/v1/pets'));
  const { length } = await readUntil(({ lastRequest }) => lastRequest === 1);
  mock.endSession('w1');
  expect(await readUntil(() => false)).toHaveLength(length);
  await mock.close();
  expect((await readMock(() => false)).at(-1)).toMatchObject({ lastRequest: 1 });
});
