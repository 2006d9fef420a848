// Tests of a frontend, to copy. Install the tarball of animal-store-mock and vitest, then run: npx vitest run
import { type Mock, startMock } from 'animal-store-mock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0, log: 'silent' });
});
beforeEach(() => mock.reset());
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => mock.close());

/** Replace this function with your app. Its base URL is `mock.url`. */
function call(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  return fetch(mock.url + path, { headers, ...options });
}

const rex = { name: 'Rex', categoryId: 1, status: 'sold' } as const;

test('a reset brings back the animals of the start', async () => {
  const atStart = await (await call('/pets')).json();
  mock.animals.replace([rex]);
  mock.reset();
  expect(await (await call('/pets')).json()).toEqual(atStart);
});

test('an animal of a name that the test knows', async () => {
  const { id } = mock.animals.add(rex);
  expect(await (await call('/pets?status=sold&limit=1')).json()).toEqual([{ ...rex, id: Number(id) }]);
});

test('a 500, and then it works again', async () => {
  mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
  expect((await call('/pets')).status).toBe(500);
  expect((await call('/pets')).status).toBe(200);
});

test('a loading state, for as long as the test needs it', async () => {
  const fault = mock.faults.add({ operation: 'listPets', hold: true });
  const answer = call('/pets');
  await mock.waitForRequest({ operation: 'listPets' });
  fault.release();
  expect((await answer).status).toBe(200);
});

test('a slow answer, for which the app does not wait', async () => {
  mock.faults.add({ operation: 'listPets', delay: 60_000 });
  await expect(call('/pets', { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
});

test('a refresh after a minute, without waiting for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  setTimeout(() => call('/pets'), 60_000);
  vi.advanceTimersByTime(60_000);
  expect((await mock.waitForRequest({ operation: 'listPets' })).url).toBe('/v1/pets');
});

test('a connection that breaks', async () => {
  mock.faults.add({ operation: 'listPets', drop: true });
  await expect(call('/pets')).rejects.toThrow('fetch failed');
});

test('an API key that has expired', async () => {
  mock.configure({ apiKeys: ['next-key'] });
  expect((await call('/pets')).status).toBe(401);
});

test('what the app has sent', async () => {
  await call('/pets', { method: 'POST', body: JSON.stringify(rex) });
  const { body, headers } = await mock.waitForRequest({ operation: 'createPet' });
  expect(JSON.parse(body ?? '')).toEqual(rex);
  expect(headers['content-type']).toBe('application/json');
});

test('the day on which GET /pets/{petId} is removed', async () => {
  mock.configure({ now: '2030-12-05T00:00:00Z' });
  expect((await call('/pets/1')).status).toBe(404);
});
