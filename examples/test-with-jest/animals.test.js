// npm install && npm test
const session = `${process.env.MOCK_ORIGIN}/sessions/jest-${process.env.JEST_WORKER_ID}`;

/** Drives the session of this worker. */
function admin(method, path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${session}/__admin${path}`, { method, headers, body: JSON.stringify(body) });
}

/** Replace this function with your app. Its base URL is `${session}/v1`. */
const listAnimals = () => fetch(`${session}/v1/pets`, { headers: { Authorization: 'Bearer test-key' } });

beforeEach(() => admin('POST', '/reset'));

test('shows the animals of the store', async () => {
  await admin('PUT', '/animals', [{ name: 'Rex', categoryId: 1 }]);
  expect(await (await listAnimals()).json()).toMatchObject([{ name: 'Rex' }]);
});

test('shows that the service fails', async () => {
  await admin('POST', '/faults', { operation: 'listPets', status: 500 });
  expect((await listAnimals()).status).toBe(500);
});
