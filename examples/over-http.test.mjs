// npx --no -- animal-store-mock --port 0 -- node --test over-http.test.mjs; the same by HTTP, for any language: a session of one's own
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const session = `${new URL(process.env.ANIMAL_STORE_URL).origin}/sessions/over-http`;

/** Drives the mock. @returns what it answers, as JSON. */
async function admin(method, path, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${session}/__admin${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}

/** Replace this function with your app. Its base URL is `${session}/v1`. */
function call(path, options = {}) {
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  return fetch(`${session}/v1${path}`, { headers, ...options });
}

const rex = { name: 'Rex', categoryId: 1, status: 'sold' };

beforeEach(() => admin('POST', '/reset'));

test('an animal of a name that the test knows', async () => {
  const [{ id }] = await admin('PUT', '/animals', [rex]);
  assert.deepEqual(await (await call('/pets')).json(), [{ id, ...rex }]);
});

test('a 500, and then it works again', async () => {
  await admin('POST', '/faults', { operation: 'listPets', status: 500, times: 1 });
  assert.equal((await call('/pets')).status, 500);
  assert.equal((await call('/pets')).status, 200);
});

test('a slow answer, for which the app does not wait', async () => {
  await admin('POST', '/faults', { operation: 'listPets', delay: 60_000 });
  await assert.rejects(call('/pets', { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

test('a connection that breaks', async () => {
  await admin('POST', '/faults', { operation: 'listPets', drop: true });
  await assert.rejects(call('/pets'), { message: 'fetch failed' });
});

test('an API key that has expired', async () => {
  await admin('PATCH', '/settings', { apiKeys: ['next-key'] });
  assert.equal((await call('/pets')).status, 401);
});

test('what the app has sent', async () => {
  await call('/pets', { method: 'POST', body: JSON.stringify(rex) });
  const [{ body }] = await admin('GET', '/requests?operation=createPet');
  assert.deepEqual(JSON.parse(body), rex);
});

test('the day on which GET /pets/{petId} is removed', async () => {
  await admin('PATCH', '/settings', { now: '2030-12-05T00:00:00Z' });
  assert.equal((await call('/pets/1')).status, 404);
});
