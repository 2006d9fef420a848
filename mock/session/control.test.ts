import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../testing/http-case.ts';
import { sampleAnimals, samplePets, startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock, MockSession } from '../index.ts';
import { controlCases } from '../testing/cases/control-cases.ts';
import { sendAdmin } from '../testing/send-admin.ts';

/** What can be driven: a mock, and a session of one. */
const driven: Readonly<Record<string, (mock: Mock) => MockSession>> = {
  mock: (mock) => mock,
  session: (mock) => mock.session('w1'),
};

describe.each(Object.entries(driven))('a %s', (_, choose) => {
  test.for(controlCases)('from code: $title', async (row) => {
    const mock = choose(await startTestMock({ data: sampleAnimals }));
    await row.before?.(mock);
    const act = async () => row.library(mock);
    if (row.mentions === undefined) {
      expect(await act()).toEqual(row.result);
    } else {
      const error = (await act().catch((thrown) => thrown)) as Error & { code: string };
      expect(error).toBeInstanceOf(Error);
      expect(error.code).toBe(errorCodes[row.status ?? 0]);
      for (const mention of row.mentions) expect(error.message).toContain(mention);
    }
    row.check?.(mock);
    expect(mock.animals.all()).toEqual(row.animals ?? samplePets);
  });

  test.for(controlCases)('over HTTP: $title', async (row) => {
    const mock = choose(await startTestMock({ data: sampleAnimals }));
    await row.before?.(mock);
    const { status, headers, body } = await sendAdmin(mock.url, row.http);
    if (row.mentions === undefined) {
      expect(body).toEqual(row.result);
      expect(status).toBe(row.status ?? (row.result === undefined ? 204 : 200));
    } else {
      const { message, ...others } = body as Record<string, string>;
      expect(others).toEqual({ code: errorCodes[row.status ?? 0], status: BigInt(row.status ?? 0) });
      for (const mention of row.mentions) expect(message).toContain(mention);
      expect(status).toBe(row.status);
    }
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    row.check?.(mock);
    expect(mock.animals.all()).toEqual(row.animals ?? samplePets);
  });
});

test('a number that a program cannot write down exactly is refused', async () => {
  const { animals } = await startTestMock();
  expect(() => animals.add({ name: 'Rex', categoryId: 2 ** 60 })).toThrow(
    'categoryId is beyond 2^53, where a number is not exact: give a bigint',
  );
});

test('a profile is not what a reset goes back to, and leaves faults, settings and snapshots as they are', async () => {
  const mock = await startTestMock({ data: sampleAnimals });
  mock.snapshot('a');
  mock.configure({ order: 'oldest' });
  mock.faults.add({ status: 500 });
  await mock.fill('empty');
  expect([mock.animals.size, mock.settings().order, mock.faults.list().length]).toEqual([0, 'oldest', 1]);
  mock.restore('a');
  expect(mock.animals.all()).toEqual(samplePets);
  await mock.fill('large');
  mock.reset();
  expect(mock.animals.all()).toEqual(samplePets);
});

test('there is room for a hundred snapshots, and each can be taken again', async () => {
  const mock = await startTestMock({ animals: 1 });
  for (let index = 0; index < 100; index += 1) mock.snapshot(`${index}`);
  mock.snapshot('0');
  expect(() => mock.snapshot('one more')).toThrow('must be up to 64');
  expect(() => mock.snapshot('one-more')).toThrow('There are 100 snapshots, and no room for more.');
});
