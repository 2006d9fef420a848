import fc from 'fast-check';
import { inject, test } from 'vitest';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { isFailure } from '../runner/report.ts';
import { verify } from '../testing/test-verdicts.ts';
import { createAnimals, createStoreAnswer, cutBytes } from './conforming/store-behaviour.ts';

/** Bytes of an animal without its name, and of the longest name that a run gives an animal with a status. */
const ROOM_FOR_ANIMAL = 600;

const toStatus = {
  'of all statuses': () => ({}),
  'mostly sold': (index: number) => ({ status: index % 4 === 0 ? 'available' : 'sold' }),
  'mostly available': (index: number) => ({ status: index % 4 === 0 ? 'pending' : 'available' }),
};

const limitedStores = fc
  .record({
    animals: fc.integer({ min: 3, max: 150 }),
    statuses: fc.constantFrom(...(Object.keys(toStatus) as (keyof typeof toStatus)[])),
    isWithoutStatus: fc.boolean(),
    longestName: fc.constantFrom(0, 300, 3_000),
    isNewestFirst: fc.boolean(),
  })
  .chain((store) =>
    fc.record({
      store: fc.constant(store),
      limit: fc.oneof(
        fc.record({ animals: fc.integer({ min: 1, max: 60 }) }),
        fc.record({ bytes: fc.integer({ min: store.longestName + ROOM_FOR_ANIMAL, max: 30_000 }) }),
      ),
    }),
  );

const byId = ({ id: one }: JsonObject, { id: other }: JsonObject) => Number(other) - Number(one);

const seeds = Array.from({ length: inject('drawnBehaviours') }, (_, seed) => seed);

test.concurrent.for(seeds)('a store with the limits of seed %i conforms', async (seed, { expect }) => {
  const [drawn] = fc.sample(limitedStores, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('No store was drawn.');
  const { store, limit } = drawn;
  const animals = createAnimals(store.animals, (index) => ({
    ...toStatus[store.statuses](index),
    name: 'x'.repeat((index * 1_237) % (store.longestName + 1)),
  }));
  // A service that limits only some of its lists leaves out animals where it has room for them.
  const cut = (list: readonly JsonObject[]) =>
    'animals' in limit ? list.slice(0, limit.animals) : cutBytes(list, limit.bytes);
  const createAnswer = () =>
    createStoreAnswer({
      animals: store.isWithoutStatus ? animals.map(({ status: _, ...animal }) => animal) : animals,
      cut,
      disturb: (all) => store.isNewestFirst && all.sort(byId),
    });
  const failures = (await verify({ name: 'has limits', createAnswer })).filter(isFailure);
  expect(failures, JSON.stringify(drawn)).toEqual([]);
});
