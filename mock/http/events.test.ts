import { expect, onTestFinished, test, vi } from 'vitest';
import { MOST_LISTENERS, MOST_OF_TICK } from '../../common/control/create-events.ts';
import { get, post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has data of its own.
  readonly data: any;
}

/** Listens to the events of the mock or session with this base URL. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const address = `${url.replace(/\/v1$/, '')}/__admin/events`;
  const response = await fetch(address, { headers, signal: aborting.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: ServerSentEvent[] = [];
  let text = '';
  /** Reads until the events are as they are wanted, or there are no more. */
  const readUntil = async (isEnough: (events: readonly ServerSentEvent[]) => boolean) => {
    while (!isEnough(events)) {
      const { value, done } = (await chunks?.read()) ?? { done: true };
      if (done) break;
      text += value;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const block of whole.filter((one) => one !== ':')) {
        const {
          id = '',
          event = '',
          data = 'null',
        } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
        events.push({ id, event, data: JSON.parse(data) });
      }
    }
    return events;
  };
  const has = (event: string, count = 1) =>
    readUntil((all) => all.filter((one) => one.event === event).length >= count);
  return { response, readUntil, has, leave: () => aborting.abort() };
}

const rex = '{"name":"Rex","categoryId":1}';

test('requests, and what changed, are told as they happen', async () => {
  const mock = await startTestMock({ animals: 3 });
  const { response, has } = await listen(mock.url);
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/event-stream' });
  const [first] = await has('state');
  expect(first?.data).toMatchObject({
    animals: 3,
    faults: [],
    settings: { order: 'newest', clock: 'running' },
  });
  await send(mock.url, post('/v1/pets', rex));
  const told = await has('request');
  expect(told.at(-1)).toMatchObject({
    id: '1-0',
    data: { id: 1, operation: 'createPet', status: 201, body: rex },
  });
  expect(told.find(({ data }) => data.animals === 4)).toBeDefined();
  expect(JSON.stringify(told)).not.toContain('test-key');
  mock.faults.add({ status: 500 });
  const states = await has('state', 3);
  expect(states.at(-1)?.data.faults).toEqual([{ id: 1, status: 500, used: 0 }]);
});

test('a clock that is moved, and requests that are forgotten, change the state', async () => {
  const mock = await startTestMock();
  const { has } = await listen(mock.url);
  await has('state');
  mock.configure({ now: '2031-01-01T00:00:00Z', clock: 'running' });
  const [, moved] = await has('state', 2);
  expect(moved?.data.clockOffset).toBeGreaterThan(0);
  mock.clearRequests();
  const [before, , cleared] = await has('state', 3);
  expect(cleared?.data.period).not.toBe(before?.data.period);
  expect(moved?.data.period).toBe(before?.data.period);
});

test('of very many requests the latest are told, and the others counted', async () => {
  const mock = await startTestMock();
  for (let index = 0; index < 50; index += 1) await send(mock.url, get(`/v1/pets?limit=${index + 1}`));
  const { has } = await listen(mock.url);
  const events = await has('skipped');
  const urls = events.filter(({ event }) => event === 'request').map(({ data }) => data.url);
  const latest = Array.from({ length: MOST_OF_TICK }, (_, index) => `/v1/pets?limit=${31 + index}`);
  expect(urls).toEqual(latest);
  expect(events.at(-1)?.data).toEqual({ event: 'request', count: 50 - MOST_OF_TICK });
});

test('a client that comes back hears what it has not heard', async () => {
  const mock = await startTestMock();
  for (const path of ['/v1/pets/1', '/v1/pets/2', '/v1/pets/3']) await send(mock.url, get(path));
  const { has } = await listen(mock.url, { 'Last-Event-ID': '2-0' });
  const urls = (await has('request')).filter(({ event }) => event === 'request').map(({ data }) => data.url);
  expect(urls).toEqual(['/v1/pets/3']);
});

test('a client that comes back to a mock which was started again hears all', async () => {
  const mock = await startTestMock();
  const { has } = await listen(mock.url, { 'Last-Event-ID': '999-999' });
  await send(mock.url, get('/v1/pets/1'));
  expect((await has('request')).at(-1)?.data.url).toBe('/v1/pets/1');
});

test('a session tells its own, and violations that the checked proxy saw', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const session = mock.session('w1');
  const { has } = await listen(session.url);
  await send(mock.url, get('/v1/pets'));
  await send(session.checkedUrl as string, get('/sessions/w1/v1/pets?limit=0'));
  const events = await has('violation');
  const urls = events.filter(({ event }) => event === 'request').map(({ data }) => data.url);
  expect(urls).toEqual(['/v1/pets?limit=0']);
  expect(events.at(-1)).toMatchObject({ id: '1-1', data: { place: 'request.query.limit', rule: 'minimum' } });
});

test('closing the mock ends them', async () => {
  const mock = await startTestMock();
  const { has, readUntil } = await listen(mock.url);
  await has('state');
  await mock.close();
  expect(await readUntil(() => false)).toHaveLength(1);
});

test('the end of a session ends them, so that who comes back hears of the next one', async () => {
  const mock = await startTestMock();
  const { has, readUntil } = await listen(mock.session('w1').url);
  await has('state');
  mock.endSession('w1');
  expect(await readUntil(() => false)).toHaveLength(1);
});

test('one client too many is refused, and there is room again when another leaves', async () => {
  const mock = await startTestMock();
  const clients = await Promise.all(Array.from({ length: MOST_LISTENERS }, () => listen(mock.url)));
  const refused = await send(mock.url, get('/__admin/events'));
  const message = `There are ${MOST_LISTENERS} clients for events already.`;
  expect([refused.status, refused.body.message]).toEqual([503, message]);
  clients[0]?.leave();
  await vi.waitFor(async () => expect((await listen(mock.url)).response.status).toBe(200));
});
