// npm install && npm test
import { connectMock } from 'animal-store-mock/client';

/** Drives the session of this worker. */
const mock = connectMock(`${process.env.MOCK_URL}`).session(`jest-${process.env.JEST_WORKER_ID}`);

/** Replace this function with your component. Its base URL is `mock.url`. */
async function showAnimals(): Promise<void> {
  const response = await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  const animals: { name: string }[] = await response.json();
  document.body.textContent = animals.map(({ name }) => name).join(', ');
}

beforeEach(() => mock.reset());

test('shows the animals of the store', async () => {
  await mock.animals.replace([{ name: 'Rex', categoryId: 1 }]);
  await showAnimals();
  expect(document.body.textContent).toBe('Rex');
});
