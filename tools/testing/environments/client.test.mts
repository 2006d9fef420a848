// happy-dom refuses requests to another origin, unless this option permits them. jsdom has no such option.
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { startMock } from 'animal-store-mock';
import { connectMock } from 'animal-store-mock/client';
import { expect, test } from 'vitest';

test('the client controls a session next to a document', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const client = connectMock(mock.url).session('w1');
  document.body.textContent = client.url;
  const [rex] = await client.animals.replace([{ name: 'Rex', categoryId: 2n ** 60n }]);
  expect(rex).toEqual({ id: 1n, name: 'Rex', categoryId: 2n ** 60n });
  await client.faults.add({ status: 503, times: 1 });
  const headers = { Authorization: 'Bearer test-key' };
  expect((await fetch(`${document.body.textContent}/pets`, { headers })).status).toBe(503);
  const { status, time } = await client.waitForResponse({ operation: 'listPets' });
  expect([status, time]).toEqual([503, expect.any(Date)]);
  await expect(client.animals.get(9)).rejects.toMatchObject({ code: 'not_found' });
  await mock.close();
});
