import { expect, test } from 'vitest';
import type { Behaviour } from '../../common/behaviour/choices.ts';
import { createRandom } from '../../common/create-random.ts';
import { createIdMaker } from './create-id-maker.ts';
import { createContents, PetStore } from './pet-store.ts';

/** Adds animals, one in each millisecond. @returns their ids */
function addAnimals(ids: Exclude<Behaviour['ids'], 'next'>, count: number, step = 1): bigint[] {
  const store = new PetStore(createContents());
  let ms = Date.UTC(2026, 4, 4);
  const now = () => new Date(ms);
  const random = createRandom(1);
  return Array.from({ length: count }, () => {
    ms += step;
    return store.add({ name: 'Rex', categoryId: 1n }, createIdMaker(ids, { random, now })).id;
  });
}

test.for([1, 6, 15] as const)('random ids have %i digits', (digits) => {
  const ids = addAnimals(`random:${digits}`, 9);
  expect(new Set(ids).size).toBe(9);
  expect(ids.map((id) => String(id).length)).toEqual(Array.from(ids, () => digits));
});

test('random ids have more digits once all with fewer are in use', () => {
  const ids = addAnimals('random:1', 12);
  expect(new Set(ids).size).toBe(12);
  expect(ids.filter((id) => id > 9n).length).toBe(3);
});

test.for([0, 1, 100])('ids of the time grow with gaps, at %i ms from one to the next', (step) => {
  const ids = addAnimals('time', 100, step);
  const gaps = ids.slice(1).map((id, index) => id - (ids[index] as bigint));
  expect(gaps.every((gap) => gap > 1n)).toBe(true);
  expect(ids.every((id) => `${id}`.length === 16 && id < Number.MAX_SAFE_INTEGER)).toBe(true);
});
