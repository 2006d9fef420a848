// With the tarball of docs/guides/install.md: npm install ./animal-store-mock-0.1.0.tgz && npm test
// The mock runs in the test itself, and answers the relative addresses of a component
// @vitest-environment jsdom
import { createBrowserMock } from 'animal-store-mock/browser';
import { HttpResponse, http } from 'msw/http';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const mock = createBrowserMock(http);
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  mock.reset();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Replace this function with your component. */
async function showAnimals(): Promise<void> {
  const response = await fetch('/v1/pets', { headers: { Authorization: 'Bearer test-key' } });
  const animals: { name: string }[] = response.ok ? await response.json() : [{ name: 'Try again.' }];
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

test('shows what this test says instead of the mock', async () => {
  server.use(http.get('/v1/pets', () => HttpResponse.json([{ name: 'Tom' }])));
  await showAnimals();
  expect(document.body.textContent).toBe('Tom');
});
