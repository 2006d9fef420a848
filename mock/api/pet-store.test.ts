import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NewPet, type Pet, petStatuses } from '../../common/pet.ts';
import { createPetStore } from './pet-store.ts';

const rex: NewPet = { name: 'Rex', categoryId: 1n };

const status = fc.constantFrom(...petStatuses);
const others = { name: fc.string(), categoryId: fc.bigInt() };
const newPet = fc.record({ ...others, status }, { requiredKeys: ['name', 'categoryId'] });

const pets: fc.Arbitrary<Pet[]> = fc
  .uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  .chain((ids) => fc.tuple(...ids.map((id) => newPet.map((pet) => ({ id, ...pet })))));

test.for([
  [[], 1n],
  [[1n, 2n, 3n], 4n],
  [[3n, 1n], 4n],
  [[-5n], 1n],
  [[0n], 1n],
  [[7n, 9223372036854775807n], 8n],
  [[9007199254740991n, 9007199254740992n], 1n],
  [[9007199254740990n, 9007199254740991n, 9007199254740992n], 9007199254740993n],
] as const)('beside the ids %s the next one is %s', ([ids, next]) => {
  const store = createPetStore(ids.map((id) => ({ id, ...rex })));
  expect(store.add(rex).id).toBe(next);
});

test('a store agrees with a plain list of the same animals', () => {
  fc.assert(
    fc.property(
      pets,
      fc.array(newPet),
      fc.nat(100),
      fc.option(status, { nil: undefined }),
      (seed, added, limit, filter) => {
        const store = createPetStore(seed);
        const model = [...seed, ...added.map((pet) => store.add(pet))];
        const matching = model.filter((pet) => filter === undefined || pet.status === filter);

        expect(store.size).toBe(model.length);
        expect(store.list({ limit, status: filter })).toEqual(matching.slice(0, limit));
        expect(model.map(({ id }) => store.get(id))).toEqual(model);
        expect(new Set(model.map(({ id }) => id)).size).toBe(model.length);
        expect(model.slice(seed.length).map(({ id, ...pet }) => pet)).toEqual(added);
      },
    ),
  );
});
