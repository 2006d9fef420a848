// npm install && npm test
const { connectMock } = require('animal-store-mock/client');

/** Drives the session of this worker. */
const mock = connectMock(process.env.MOCK_URL).session(`jest-${process.env.JEST_WORKER_ID}`);

/** Replace this function with your app. Its base URL is `mock.url`. */
const listAnimals = () => fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });

beforeEach(mock.reset);

test('shows the animals of the store', async () => {
  await mock.animals.replace([{ name: 'Rex', categoryId: 1 }]);
  expect(await (await listAnimals()).json()).toMatchObject([{ name: 'Rex' }]);
  expect(await mock.countRequests({ operation: 'listPets', status: 200 })).toBe(1);
});

test('shows that the service fails', async () => {
  await mock.faults.add({ operation: 'listPets', status: 500 });
  expect((await listAnimals()).status).toBe(500);
});
