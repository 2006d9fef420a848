import { expect, test } from 'vitest';
import { post, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

test.for(['hi', '', 'Zoë 🐈 "quoted"\n', '\uD83D'])('POST /messages queues %j', async (message) => {
  const { url } = await startTestMock({ now: new Date('2026-11-21T12:00:00Z') });
  const { status, headers, body } = await send(url, post('/messages', JSON.stringify({ message, extra: 1 })));
  expect([status, headers['content-type']]).toEqual([202, 'application/json']);
  const createdAt = '2026-11-21T12:00:00.000Z';
  expect(body).toEqual({ id: expect.stringMatching(/./), message, status: 'queued', createdAt });
});

test('every message has an id and a time of its own', async () => {
  const { url } = await startTestMock();
  const before = Date.now();
  const [first, second] = await Promise.all(
    [1, 2].map(() => send(url, post('/messages', '{"message":"hi"}'))),
  );
  expect(first?.body.id).not.toBe(second?.body.id);
  const createdAt = Date.parse(first?.body.createdAt);
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
});
