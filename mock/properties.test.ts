import fc from 'fast-check';
import { expect, test } from 'vitest';
import { petStatuses } from '../common/pet.ts';
import { get, post, send } from './testing/http-case.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const status = fc.constantFrom(...petStatuses);

test('no body whatever gives a 5xx, and none that is refused adds an animal', async () => {
  const maybe = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue());
  const fields = { name: maybe(fc.string()), categoryId: maybe(fc.integer()), message: maybe(fc.string()) };
  const nearlyValid = fc
    .record({ ...fields, status: maybe(status) }, { requiredKeys: ['name', 'categoryId', 'message'] })
    .map((value) => JSON.stringify(value));
  const body = fc.oneof(
    { weight: 5, arbitrary: nearlyValid },
    fc.tuple(nearlyValid, fc.nat(60)).map(([json, cut]) => json.slice(0, cut)),
    fc.json(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  const mediaType = fc.oneof(
    { weight: 6, arbitrary: fc.constant('application/json') },
    fc.constantFrom('application/json; charset=utf-16', 'text/plain', 'a b', ';'),
  );
  const path = fc.constantFrom('/v1/pets', '/messages');
  const { url } = await startTestMock({ profile: 'empty' });
  const seen: Record<number, number> = { 201: 0, 202: 0, 400: 0 };
  await fc.assert(
    fc.asyncProperty(path, body, mediaType, async (path, body, mediaType) => {
      const answer = await send(url, post(path, body, { 'Content-Type': mediaType }));
      expect(Object.keys(seen)).toContain(String(answer.status));
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      if (answer.status === 400) {
        expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid_request', status: 400 });
      }
      const { body: pets } = await send(url, get('/v1/pets?limit=100'));
      expect(pets).toHaveLength(Math.min(seen[201] ?? 0, 100));
    }),
    { numRuns: 250 },
  );
  // The property says little unless each kind of answer has come up often.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});
