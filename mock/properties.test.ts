import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson, printExactJson } from '../common/exact-json.ts';
import { type NewPet, type Pet, petStatuses } from '../common/pet.ts';
import { get, post } from './testing/http-case.ts';
import { send } from './testing/send.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const status = fc.constantFrom(...petStatuses);

const newPet: fc.Arbitrary<NewPet> = fc.record(
  {
    name: fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', '\\', '<', '\u2028', '\uD83D', ' '),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    }),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status,
  },
  { requiredKeys: ['name', 'categoryId'] },
);

async function list(url: string, query: string): Promise<Pet[]> {
  return parseExactJson((await send(url, get(`/v1/pets${query}`))).text) as unknown as Pet[];
}

test('what is created is returned, by id and in the list', async () => {
  await fc.assert(
    fc.asyncProperty(newPet, async (pet) => {
      const { url } = await startTestMock({ profile: 'empty' });
      const answer = await send(url, post('/v1/pets', printExactJson({ ...pet })));
      expect(answer.status).toBe(201);
      const created = parseExactJson(answer.text) as unknown as Pet;
      expect(created).toEqual({ id: created.id, ...pet });
      expect((await send(url, get(`/v1/pets/${created.id}`))).text).toBe(answer.text);
      expect(await list(url, '')).toEqual([created]);
    }),
  );
});

test('no body whatever gives a 5xx, and none that is refused adds an animal', async () => {
  const often = <T>(value: T, ...others: T[]) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
    );
  const mediaType = often('application/json', 'application/json; charset=utf-16', 'text/plain', 'a b', ';');
  const encoding = often<keyof typeof encoders>('identity', 'gzip', 'deflate', 'br', 'none', 'wrong');
  const maybe = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue());
  const nearlyNewPet = fc.record(
    {
      name: maybe(fc.string()),
      categoryId: maybe(fc.integer()),
      status: maybe(status),
      message: maybe(fc.string()),
    },
    { requiredKeys: ['name', 'categoryId', 'message'] },
  );
  const body = fc.oneof(
    { weight: 5, arbitrary: nearlyNewPet.map((value) => JSON.stringify(value)) },
    fc.tuple(nearlyNewPet, fc.nat(60)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)),
    fc.json(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  const path = fc.constantFrom('/v1/pets', '/messages');
  const { url } = await startTestMock({ profile: 'empty' });
  const seen: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(path, body, mediaType, encoding, async (path, body, mediaType, encoding) => {
      const headers = { 'Content-Type': mediaType, 'Content-Encoding': encoding };
      const answer = await send(url, post(path, encoders[encoding](Buffer.from(body)), headers));
      expect([201, 202, 400]).toContain(answer.status);
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      if (answer.status === 400) {
        expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid_request', status: 400 });
      }
      expect(await list(url, '?limit=100')).toHaveLength(Math.min(seen[201] ?? 0, 100));
    }),
    { numRuns: 500 },
  );
  // The property says little unless each kind of answer has come up often.
  for (const status of [201, 202, 400]) expect(seen[status], String(status)).toBeGreaterThan(20);
});

/** How a body is encoded for each value of Content-Encoding; under the last two it is not. */
const encoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  none: (bytes: Buffer) => bytes,
  wrong: (bytes: Buffer) => bytes,
};
