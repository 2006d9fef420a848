import { createBrowserMock } from 'animal-store-mock/browser';
import { http } from 'msw';
import { setupServer } from 'msw/node';

const mock = createBrowserMock(http);
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen());
beforeEach(() => mock.reset());
afterAll(() => server.close());

/** Replace this function with your component. */
async function showAnimals() {
  const response = await fetch('/v1/pets', { headers: { Authorization: 'Bearer test-key' } });
  const animals = response.ok ? await response.json() : [{ name: 'Try again.' }];
  document.body.textContent = animals.map(({ name }) => name).join(', ');
}

test('shows the animals of the store', async () => {
  mock.animals.replace([{ name: 'Rex', categoryId: 1 }]);
  await showAnimals();
  expect(document.body.textContent).toBe('Rex');
});

test('says that the service fails', async () => {
  mock.faults.add({ operation: 'listPets', status: 503 });
  await showAnimals();
  expect(document.body.textContent).toBe('Try again.');
});
