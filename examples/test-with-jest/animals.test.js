// npm install && npm test
const { connectMock } = require('animal-store-mock/client');

const mock = connectMock(process.env.MOCK_URL).session(`jest-${process.env.JEST_WORKER_ID}`);
beforeEach(mock.reset);

test('shows the animals of the store', async () => {
  await mock.animals.replace([{ name: 'Rex', categoryId: 1 }]);
  const response = await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect(await response.json()).toMatchObject([{ name: 'Rex' }]);
});

test('shows that the service fails', async () => {
  await mock.faults.add({ operation: 'listPets', status: 500 });
  const response = await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect(response.status).toBe(500);
  expect(await mock.countRequests({ operation: 'listPets', status: 500 })).toBe(1);
});
