import { jest } from '@jest/globals';
import { createBrowserMock } from 'animal-store-mock/browser';
import { http } from 'msw';
import { setupServer } from 'msw/node';

const mock = createBrowserMock(http);
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen());
afterEach(() => jest.useRealTimers());
afterAll(() => server.close());

/** Replace this function with your component. */
const showAnimals = () => fetch('/v1/pets', { headers: { Authorization: 'Bearer test-key' } });

test('refreshes after a minute', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  let shown;
  setTimeout(() => {
    shown = showAnimals();
  }, 60_000);
  jest.advanceTimersByTime(60_000);
  await shown;
  expect(mock.requests({ operation: 'listPets' })).toHaveLength(1);
});
