import { expect, test } from 'vitest';
import { get } from '../../tools/testing/http-case.ts';
import { createPageMock } from '../testing/create-page-mock.ts';

const data = [{ id: 7, name: 'Rex', categoryId: 1 }];
const etag = { etag: 'all' } as const;

test('a GET has an ETag that changes with the animals, and the same one gets a 304 without a body', async () => {
  const { mock, send } = createPageMock({ data, behaviour: etag });
  const tag = (await send(get('/v1/pets'))).headers.get('ETag') ?? '';
  expect(tag).toMatch(/^W\/"[\da-f-]+"$/);
  const again = await send(get('/v1/pets', { 'If-None-Match': tag }));
  const { headers } = again;
  expect([again.status, headers.get('ETag'), headers.get('Content-Type')]).toEqual([304, tag, null]);
  expect(await again.text()).toBe('');
  mock.animals.add({ name: 'Max', categoryId: 1 });
  const changed = await send(get('/v1/pets', { 'If-None-Match': tag }));
  expect([changed.status, await changed.json()]).toEqual([200, expect.any(Array)]);
  expect(changed.headers.get('ETag')).not.toBe(tag);
});

test.for<[line: string, header: (tag: string) => string, status: number]>([
  ['GET /v1/pets/7', (tag) => tag, 304],
  ['HEAD /v1/pets/7', (tag) => tag, 304],
  ['GET /v1/pets/7', (tag) => tag.replace('W/', ''), 304],
  ['GET /v1/pets/7', (tag) => `"other", ${tag}`, 304],
  ['GET /v1/pets/7', () => '*', 304],
  ['GET /v1/pets/7', () => '"other"', 200],
  ['GET /v1/pets/7', () => '', 200],
  ['GET /v1/pets/8', () => '*', 404],
])(
  '%s with If-None-Match %s is answered with %i, and without a key with 401',
  async ([line, toHeader, status]) => {
    const { send } = createPageMock({ data, behaviour: etag });
    const tag = (await send(get('/v1/pets/7'))).headers.get('ETag') ?? '';
    const [method = '', path = ''] = line.split(' ');
    const headers = { 'If-None-Match': toHeader(tag) };
    expect((await send({ method, path, headers })).status).toBe(status);
    const withoutKey = { 'If-None-Match': '*', Authorization: undefined };
    expect((await send({ method, path, headers: withoutKey })).status).toBe(401);
  },
);
