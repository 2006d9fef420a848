import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NewPet, type Pet, petStatuses } from '../../common/json/pet.ts';
import { createContents, PetStore } from './pet-store.ts';

const createPetStore = (pets: Iterable<Pet>) => new PetStore(createContents(pets));

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
] as const)('after the ids %s the next one is %s', ([ids, next]) => {
  const store = createPetStore(ids.map((id) => ({ id, ...rex })));
  expect(store.add(rex).id).toBe(next);
});

/** Changes that are made to a plain list too. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), place: fc.nat(), pet: newPet, isNew: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }),
  fc.record({ kind: fc.constant('replace' as const), pets }),
  fc.record({ kind: fc.constant('add' as const), pet: newPet }),
);

test('however animals are added, set, removed and replaced, a store agrees with a plain list', () => {
  const some = pets.map((all) =>
    all.map((pet, index) => (index % 2 ? pet : { ...pet, id: BigInt(index + 1) })),
  );
  const distinct = some.filter((all) => new Set(all.map(({ id }) => id)).size === all.length);
  fc.assert(
    fc.property(distinct, fc.array(change, { minLength: 1 }), (seed, changes) => {
      const store = createPetStore(seed);
      let model = [...seed];
      for (const one of changes) {
        const { version } = store;
        if (one.kind === 'replace') {
          model = [...one.pets];
          store.replace(model);
        } else if (one.kind === 'add') {
          model = [...model, store.add(one.pet)];
        } else {
          const index = model.length === 0 ? -1 : one.place % model.length;
          const id = model[index]?.id ?? 77n;
          if (one.kind === 'remove') {
            store.remove(id);
            model = model.filter((pet) => pet.id !== id);
          } else {
            const { nextId } = store.snapshot();
            const isNew = one.isNew && store.get(nextId) === undefined;
            const pet = { id: isNew ? nextId : id, ...one.pet };
            store.set(pet);
            const isKnown = model.some((other) => other.id === pet.id);
            model = isKnown ? model.map((other) => (other.id === pet.id ? pet : other)) : [...model, pet];
          }
        }
        if (one.kind !== 'remove') expect(store.version).not.toBe(version);
        expect([store.size, store.all()]).toEqual([model.length, model]);
        expect(model.map(({ id }) => store.get(id))).toEqual(model);
        for (const status of [...petStatuses, undefined]) {
          const matching = model.filter((pet) => status === undefined || pet.status === status);
          for (const limit of [2, 100]) {
            expect(store.list({ limit, status })).toEqual(matching.slice(0, limit));
            expect(store.list({ limit, status }, true)).toEqual(matching.toReversed().slice(0, limit));
          }
        }
      }
    }),
    { seed: 1 },
  );
});

test('the id of an animal that was removed is not given again', () => {
  const store = createPetStore([1n, 2n, 3n].map((id) => ({ id, ...rex })));
  for (const id of [1n, 3n, 4n]) store.remove(id);
  expect([store.all().map(({ id }) => id), store.add(rex).id]).toEqual([[2n], 4n]);
});

test('contents that several stores share are copied before a change', () => {
  const contents = createContents([1n, 2n].map((id) => ({ id, ...rex })));
  const [one, other] = [new PetStore(contents), new PetStore(contents)];
  one.add({ ...rex, status: 'sold' });
  other.set({ id: 1n, ...rex, name: 'Tom' });
  const snapshot = one.snapshot();
  one.remove(2n);
  expect([contents.all.length, contents.byStatus.sold.length, contents.nextId]).toEqual([2, 0, 3n]);
  expect([other.size, other.get(1n)?.name, other.add(rex).id]).toEqual([2, 'Tom', 3n]);
  expect([new PetStore(snapshot).size, one.size]).toEqual([3, 2]);
});
