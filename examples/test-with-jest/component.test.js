const { connectMock } = require('animal-store-mock/client');

const mock = connectMock(process.env.MOCK_URL).session(`jest-${process.env.JEST_WORKER_ID}`);

/** Replace this function with your component. Its base URL is `mock.url`. */
async function showAnimals() {
  const response = await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  const animals = await response.json();
  document.body.textContent = animals.map(({ name }) => name).join(', ');
}

beforeEach(() => mock.reset());
afterEach(() => jest.useRealTimers());

test('shows the animals of the store', async () => {
  await mock.animals.replace([{ name: 'Rex', categoryId: 1 }]);
  await showAnimals();
  expect(document.body.textContent).toBe('Rex');
});

test('refreshes after a minute', async () => {
  jest.useFakeTimers();
  setTimeout(showAnimals, 60_000);
  jest.advanceTimersByTime(60_000);
  expect((await mock.waitForRequest({ operation: 'listPets' })).url).toBe('/v1/pets');
});
