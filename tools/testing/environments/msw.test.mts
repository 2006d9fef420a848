import { createBrowserMock } from 'animal-store-mock/browser';
import { http } from 'msw/http';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const mock = createBrowserMock(http);
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

const headers = { Authorization: 'Bearer test-key' };
const rex = { name: 'Rex', categoryId: 1 };

test('a component gets the animals of the test from a relative address', async () => {
  mock.animals.replace([{ ...rex, id: 2n ** 60n }]);
  const response = await fetch('/v1/pets', { headers });
  document.body.textContent = await response.text();
  expect(document.body.textContent).toBe('[{"id":1152921504606846976,"name":"Rex","categoryId":1}]');
  expect(mock.requests()).toMatchObject([{ url: '/v1/pets', status: 200 }]);
});

test('a component gets the faults of the test', async () => {
  mock.faults.add({ operation: 'listPets', status: 503, times: 1 });
  expect((await fetch('/v1/pets', { headers })).status).toBe(503);
  mock.faults.add({ operation: 'listPets', drop: true, times: 1 });
  await expect(fetch('/v1/pets', { headers })).rejects.toThrow();
  mock.clearRequests();
  const fault = mock.faults.add({ hold: true });
  const response = fetch('/v1/pets', { headers });
  expect(await mock.waitForRequest()).toMatchObject({ status: undefined });
  fault.release();
  expect((await response).status).toBe(200);
});

test('XMLHttpRequest is answered too', async () => {
  const request = new XMLHttpRequest();
  request.open('GET', '/v1/pets?limit=1');
  request.setRequestHeader('Authorization', 'Bearer test-key');
  await new Promise((resolve, reject) => {
    request.onload = resolve;
    request.onerror = reject;
    request.send();
  });
  expect(JSON.parse(request.responseText)).toMatchObject([{ id: 120 }]);
});
