import { expect, test } from 'vitest';
import { get, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock } from '../index.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const rex = '{"name":"Rex","categoryId":1,"status":"sold"}';

const ways: Readonly<Record<string, (mock: Mock) => unknown>> = {
  'from code': (mock) => mock.reset(),
  'over HTTP': ({ url }) => sendAdmin(url, ['POST', '/reset']),
};

test.for(Object.entries(ways))(
  '%s: a reset under load loses no request, and no answer of before comes after it',
  async ([, reset]) => {
    const mock = await startTestMock({ animals: 5 });
    const [all, sold] = await Promise.all(['', '?status=sold'].map((query) => list(query)));
    async function list(query: string) {
      return (await send(mock.url, get(`/v1/pets${query}`))).text;
    }
    for (let round = 0; round < 10; round += 1) {
      const statuses: number[] = [];
      const work = Array.from({ length: 40 }, async (_, index) => {
        const request = index % 2 ? post('/v1/pets', rex) : get(`/v1/pets?limit=${(index % 5) + 1}`);
        statuses.push((await send(mock.url, request)).status);
      });
      await Promise.race(work);
      await reset(mock);
      await Promise.all(work);
      expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(20).fill(201)]);
      await reset(mock);
      expect([await list(''), await list('?status=sold')]).toEqual([all, sold]);
      expect((await send(mock.url, post('/v1/pets', rex))).body.id).toBe(6);
    }
  },
);

test('the answers are those of the animals that are there, not of lists that were printed before', async () => {
  const mock = await startTestMock({ profile: 'empty', order: 'oldest' });
  const names = async () => {
    const lists = ['', '?status=available', '?status=sold'].map((query) =>
      send(mock.url, get(`/v1/pets${query}`)),
    );
    return (await Promise.all(lists)).map(({ body }) =>
      body.map(({ name }: { name: string }) => name).join(),
    );
  };
  mock.animals.replace([
    { name: 'A', categoryId: 1, status: 'sold' },
    { name: 'B', categoryId: 1 },
  ]);
  expect(await names()).toEqual(['A,B', '', 'A']);
  mock.snapshot('two');
  mock.animals.set(1, { name: 'C', categoryId: 1, status: 'available' });
  expect(await names()).toEqual(['C,B', 'C', '']);
  mock.animals.remove(1);
  expect(await names()).toEqual(['B', '', '']);
  expect((await send(mock.url, get('/v1/pets/1'))).status).toBe(404);
  mock.restore('two');
  expect(await names()).toEqual(['A,B', '', 'A']);
  mock.reset();
  expect(await names()).toEqual(['', '', '']);
});
