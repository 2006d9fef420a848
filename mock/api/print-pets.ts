import type { Pet } from '../../common/pet.ts';
import { createReply, type Reply } from '../../common/reply.ts';
import type { ListFilter, PetStore } from './pet-store.ts';

/**
 * Prints an animal as JSON, its int64 digit for digit. Source: openapi.yaml#/components/schemas/Pet
 * By hand, since a list prints 20 of them and more: a replacer for the bigints takes several times as long.
 */
export function printPet({ id, name, categoryId, status }: Pet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** The orders that lists may have: the newest or the oldest first, or another each time. */
export const listOrders = ['newest', 'oldest', 'random'] as const;

/** The order of a list. */
export type ListOrder = (typeof listOrders)[number];

/** The longest list that is kept, in characters: names have no limit, and there are some 400 lists to keep. */
export const LONGEST_KEPT = 65_536;

/** The reply that lists the animals that the filter lets through. */
export type PrintList = (filter: ListFilter) => Reply;

/**
 * Returns the function that prints lists. The first animals of a store seldom change, and printing them takes longer
 * than all the rest of a request, so each list is kept until the store has another version.
 * @param order is asked for each list. @default oldest
 * @param random gives numbers from 0 up to 1.
 */
export function createListPrinter(
  store: PetStore,
  order: () => ListOrder = () => 'oldest',
  random = Math.random,
): PrintList {
  const printed = new Map<string, Reply>();
  let version = store.version;
  let by = order();
  return (filter) => {
    if (store.version !== version || order() !== by) {
      printed.clear();
      version = store.version;
      by = order();
    }
    if (by === 'random') return printList(pickSome(store, filter, random));
    // By hand, for speed: every field of the filter must be in it.
    const key = `${filter.limit} ${filter.status}`;
    const known = printed.get(key);
    if (known !== undefined) return known;
    const reply = printList(store.list(filter, by === 'newest'));
    if (reply.body.length <= LONGEST_KEPT) printed.set(key, reply);
    return reply;
  };
}

function printList(pets: readonly Pet[]): Reply {
  return createReply(200, `[${pets.map(printPet).join(',')}]`);
}

/** Any animals that the filter lets through, in any order: the first steps of a Fisher-Yates shuffle. */
function pickSome(store: PetStore, { limit, status }: ListFilter, random: () => number): Pet[] {
  const pets = [...store.list({ limit: store.size, status })];
  const count = Math.min(limit, pets.length);
  for (let index = 0; index < count; index += 1) {
    const other = index + Math.floor(random() * (pets.length - index));
    [pets[index], pets[other]] = [pets[other] as Pet, pets[index] as Pet];
  }
  return pets.slice(0, count);
}
