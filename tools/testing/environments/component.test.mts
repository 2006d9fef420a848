import { type Mock, startMock } from 'animal-store-mock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0, log: 'silent' });
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

/** Shows the response to a request in the document, as a component does. */
async function show(path: string, options: RequestInit = {}): Promise<void> {
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const response = await fetch(mock.url + path, { headers, ...options });
  document.body.textContent = `${response.status} ${await response.text()}`;
}

const rex = { name: 'Rex', categoryId: 1 };

test('a component lists the animals of the test', async () => {
  mock.animals.replace([rex]);
  await show('/pets');
  expect(document.body.textContent).toBe('200 [{"id":1,"name":"Rex","categoryId":1}]');
});

test('a component gets the faults of the test', async () => {
  mock.faults.add({
    operation: 'createPet',
    response: { status: 500, body: { id: 7n } },
    delay: 1,
    times: 1,
  });
  await show('/pets', { method: 'POST', body: JSON.stringify(rex) });
  expect(document.body.textContent).toBe('500 {"id":7}');
  mock.faults.add({ operation: 'listPets', drop: true, times: 1 });
  await expect(show('/pets')).rejects.toThrow();
});

test('a test sees what the component sent, and changes the settings', async () => {
  const body = JSON.stringify(rex);
  await show('/pets', { method: 'POST', body });
  expect(await mock.waitForResponse({ operation: 'createPet' })).toMatchObject({ status: 201, body });
  const now = new Date('2030-12-05');
  expect(mock.configure({ now, apiKeys: ['next-key'] })).toMatchObject({ now, apiKeys: ['[key]'] });
  await show('/pets');
  expect(document.body.textContent).toMatch(/^401 /);
});
