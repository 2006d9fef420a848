// npm install && npm test; MSW answers what a test says, and hands the rest of the service over to the mock
import { startMock } from 'animal-store-mock';
import { bypass } from 'msw';
import { HttpResponse, http } from 'msw/http';
import { setupServer } from 'msw/node';
import { afterAll, beforeEach, expect, test } from 'vitest';

const service = 'https://api.animal-store.example/v1';
const mock = await startMock({ port: 0, log: 'silent' });
const server = setupServer(
  http.all(`${service}/*`, ({ request }) => fetch(bypass(request.url.replace(service, mock.url), request))),
);
server.listen({ onUnhandledFrame: 'error' });

beforeEach(() => {
  mock.reset();
  server.resetHandlers();
});

afterAll(async () => {
  server.close();
  await mock.close();
});

/** Replace this function with your app. It uses the base URL of production. */
function call(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  return fetch(service + path, { headers, ...options });
}

test('the mock keeps what the app adds', async () => {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const added = await (await call('/pets', { method: 'POST', body })).json();
  expect(await (await call('/pets?limit=1')).json()).toEqual([added]);
});

test('MSW answers what this test says', async () => {
  server.use(http.get(`${service}/pets`, () => HttpResponse.json([])));
  expect(await (await call('/pets')).json()).toEqual([]);
});
