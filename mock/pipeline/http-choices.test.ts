import { expect, test } from 'vitest';
import type { Difference } from '../../common/behaviour/choices.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

const data = [{ id: 7, name: 'Rex', categoryId: 1 }];

/** Starts a mock, and returns a function that sends it a request without a body, such as `GET /v1/pets`, with the key. */
async function startWith(behaviour: Difference) {
  const mock = await startTestMock({ data, behaviour });
  const send = (line: string, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const all = { Authorization: 'Bearer test-key', ...headers };
    return fetch(new URL(path, mock.url), { method, headers: all, redirect: 'manual' });
  };
  return { mock, send };
}

test.for<[line: string, status: number, allow: string | null]>([
  ['HEAD /v1/pets', 405, 'GET, POST'],
  ['HEAD /v1/pets/7', 405, 'GET'],
  ['HEAD /v1/pets/8', 405, 'GET'],
  ['HEAD /v1/pets/%ff', 405, 'GET'],
  ['HEAD /v1/nothing', 404, null],
  ['HEAD /sessions/a/v1/pets', 405, 'GET, POST'],
  ['DELETE /v1/pets', 405, 'GET, POST'],
  ['DELETE /messages', 405, 'POST'],
  ['GET /v1/pets/7', 200, null],
])('without HEAD, the response to %s is %s', async ([line, status, allow]) => {
  const { send } = await startWith({ head: 405 });
  const response = await send(line);
  expect([response.status, response.headers.get('Allow')]).toEqual([status, allow]);
});

test('a HEAD that is refused is no operation, and its key is checked first', async () => {
  const { mock, send } = await startWith({ head: 405 });
  await send('HEAD /v1/pets');
  expect((await send('HEAD /v1/pets', { Authorization: 'Bearer wrong' })).status).toBe(401);
  const recorded = mock.requests().map(({ operation, status }) => [operation, status]);
  expect(recorded).toEqual([
    [undefined, 405],
    [undefined, 401],
  ]);
});
