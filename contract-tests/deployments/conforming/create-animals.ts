import type { JsonObject } from '../../../common/exact-json.ts';

const STATUSES = ['available', 'pending', 'sold', undefined];

/** Makes animals of all statuses and of none, in turns, in category 7; each may be changed. */
export function createAnimals(
  count: number,
  change: (index: number) => JsonObject = () => ({}),
): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const status = STATUSES[index % STATUSES.length];
    const animal = { id: BigInt(index + 1), name: `Animal ${index}`, categoryId: 7n };
    return { ...animal, ...(status === undefined ? {} : { status }), ...change(index) };
  });
}

/** Makes animals that have no status at all. */
export function createAnimalsWithoutStatus(count: number): readonly JsonObject[] {
  return createAnimals(count).map(({ status, ...animal }) => animal);
}
