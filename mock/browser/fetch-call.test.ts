import { expect, test } from 'vitest';
import { LARGEST_BODY } from '../session/call.ts';
import { createPageMock } from '../testing/create-page-mock.ts';

test('a request that the page gives up at once, as in StrictMode, does not count for times', async () => {
  const { mock, ask } = createPageMock({});
  mock.faults.add({ status: 500, times: 1 });
  const controller = new AbortController();
  const givenUp = ask('GET', '/v1/pets', { signal: controller.signal });
  controller.abort();
  const answers = [ask('GET', '/v1/pets'), ask('GET', '/v1/pets')];
  const statuses = (await Promise.all(answers)).map((answer) => answer?.status);
  expect([(await givenUp)?.type, statuses]).toEqual(['error', [500, 200]]);
});

test('the header Date has the fixed time of the mock, and none has the real time', async () => {
  const { mock, ask } = createPageMock({ now: '2030-12-04' });
  const readDate = async () => (await ask('GET', '/v1/pets'))?.headers.get('date');
  expect(await readDate()).toBe('Wed, 04 Dec 2030 00:00:00 GMT');
  mock.configure({ now: null });
  expect(await readDate()).toBeNull();
});

test('a latency is a fault of the start, which a reset adds again', async () => {
  const { mock, ask } = createPageMock({ latency: '0-1' });
  await ask('GET', '/v1/pets');
  expect(mock.faults.list()).toMatchObject([{ delay: '0-1', used: 1 }]);
  mock.faults.clear();
  mock.reset();
  expect(mock.faults.list()).toMatchObject([{ delay: '0-1', used: 0 }]);
});

test('the control of a page has no methods that need a server, a checked proxy or the generator', () => {
  const { mock } = createPageMock({});
  const ofProxy = ['violations', 'clearViolations', 'expectNoViolations'];
  const ofServer = [...ofProxy, 'profiles', 'fill'];
  expect(Object.keys(mock)).toEqual(expect.arrayContaining(['animals', 'faults', 'requests', 'reset']));
  expect(Object.keys(mock).filter((name) => ofServer.includes(name))).toEqual([]);
});

test.for([204, 304])('a response with %i has no body', async (status) => {
  const { mock, ask } = createPageMock({});
  mock.faults.add({ response: { status, body: '' } });
  const response = await ask('GET', '/v1/pets');
  expect([response?.status, response?.body]).toEqual([status, null]);
});

test('a body beyond the limit is refused, and one at the limit is read', async () => {
  const { ask } = createPageMock({});
  const post = async (length: number) =>
    (await ask('POST', '/v1/pets', { body: ' '.repeat(length) }))?.status;
  expect([await post(LARGEST_BODY), await post(LARGEST_BODY + 1)]).toEqual([400, 413]);
});
