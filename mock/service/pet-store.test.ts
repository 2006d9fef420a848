import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Pet, petStatuses } from '../../common/json/pet.ts';
import { createContents, PetStore } from './pet-store.ts';

const rex = { name: 'Rex', categoryId: 1n };
const withIds = (ids: readonly bigint[]) => ids.map((id) => ({ id, ...rex }));
const createStore = (pets: readonly Pet[]) => new PetStore(createContents(pets));

test.for([
  [[], 1n],
  [[3n, 1n, -5n], 4n],
  [[7n, 9223372036854775807n], 8n],
  [[9007199254740991n, 9007199254740992n], 1n],
  [[9007199254740990n, 9007199254740991n, 9007199254740992n], 9007199254740993n],
] as const)('after the ids %s the next one is %s', ([ids, next]) => {
  expect(createStore(withIds(ids)).add(rex).id).toBe(next);
});

const fields = { name: fc.string(), categoryId: fc.bigInt(), status: fc.constantFrom(...petStatuses) };
const newPet = fc.record(fields, { requiredKeys: ['name', 'categoryId'] });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const pets: fc.Arbitrary<Pet[]> = fc
  .uniqueArray(fc.oneof(int64, fc.bigInt({ min: 1n, max: 9n })))
  .chain((ids) => fc.tuple(...ids.map((id) => newPet.map((pet) => ({ id, ...pet })))));
const kind = fc.constantFrom('set' as const, 'remove' as const, 'replace' as const, 'add' as const);
const change = fc.record({ kind, place: fc.nat(), pet: newPet, pets });

test('however animals are added, set, removed and replaced, a store agrees with a plain list', () => {
  const check = (store: PetStore, model: readonly Pet[]) => {
    expect([store.size, store.all()]).toEqual([model.length, model]);
    expect(model.map(({ id }) => store.get(id))).toEqual(model);
    expect([...store.newestFirst()]).toEqual(model.toReversed());
  };
  const property = fc.property(pets, fc.array(change, { minLength: 1 }), (seed, changes) => {
    const store = createStore(seed);
    let model: readonly Pet[] = seed;
    for (const { kind, place, pet, pets } of changes) {
      const { version } = store;
      const tried = store.attempt(() => [store.create(pet, 0), store.create(pet, 0)]);
      expect([tried.length, store.version]).toEqual([2, version]);
      check(store, model);
      const id = model[place % 9]?.id ?? BigInt(place % 12);
      const set = { id, ...pet };
      const index = model.findIndex((one) => one.id === id);
      const changes = {
        add: () => [...model, store.add(pet)],
        set: () => store.set(set) ?? (index === -1 ? [...model, set] : model.with(index, set)),
        remove: () => store.remove(id) ?? model.filter((one) => one.id !== id),
        replace: () => store.replace(pets) ?? pets,
      };
      model = changes[kind]();
      if (kind !== 'remove' || index !== -1) expect(store.version).not.toBe(version);
      check(store, model);
    }
  });
  fc.assert(property, { seed: 1 });
});

test('the id of an animal that was removed is not given again', () => {
  const store = createStore(withIds([1n, 2n, 3n]));
  for (const id of [1n, 3n, 4n]) store.remove(id);
  expect([store.all().map(({ id }) => id), store.add(rex).id]).toEqual([[2n], 4n]);
});
