import type { Pet } from '../../common/pet.ts';
import type { ListFilter, PetStore } from './pet-store.ts';
import { createReply, type Reply } from './reply.ts';

/**
 * Prints an animal as JSON, its int64 digit for digit. Source: openapi.yaml#/components/schemas/Pet
 * By hand, since a list prints 20 of them and more: a replacer for the bigints takes several times as long.
 */
export function printPet({ id, name, categoryId, status }: Pet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** The longest list that is kept, in characters: names have no limit, and there are some 400 lists to keep. */
export const LONGEST_KEPT = 65_536;

/** The reply that lists the animals that the filter lets through. */
export type PrintList = (filter: ListFilter) => Reply;

/**
 * Returns the function that prints lists. The first animals of a store seldom change, and printing them takes longer
 * than all the rest of a request, so each list is kept until the store has another version.
 */
export function createListPrinter(store: PetStore): PrintList {
  const printed = new Map<string, Reply>();
  let version = store.version;
  return (filter) => {
    if (store.version !== version) {
      printed.clear();
      version = store.version;
    }
    // By hand, for speed: every field of the filter must be in it.
    const key = `${filter.limit} ${filter.status}`;
    const known = printed.get(key);
    if (known !== undefined) return known;
    const reply = createReply(200, `[${store.list(filter).map(printPet).join(',')}]`);
    if (reply.body.length <= LONGEST_KEPT) printed.set(key, reply);
    return reply;
  };
}
