import type { PetStatus } from '../../common/pet.ts';
import type { PetStore } from './pet-store.ts';
import { printPet } from './print-pet.ts';
import { createReply, type Reply } from './reply.ts';

/** The longest list that is kept, in characters: names have no limit, and there are some 400 lists to keep. */
const LONGEST_KEPT = 65_536;

/** The reply that lists the first `limit` animals, of that status if one is given. */
export type PrintList = (limit: number, status?: PetStatus) => Reply;

/**
 * Returns the function that prints lists. The first animals of a store seldom change, and printing them takes longer
 * than all the rest of a request, so each list is kept until the store has another size: animals are only ever added.
 */
export function createListPrinter(store: PetStore): PrintList {
  const printed = new Map<string, Reply>();
  let size = store.size;
  return (limit, status) => {
    if (store.size !== size) {
      printed.clear();
      size = store.size;
    }
    const key = `${status} ${limit}`;
    const known = printed.get(key);
    if (known !== undefined) return known;
    const reply = createReply(200, `[${store.list(limit, status).map(printPet).join(',')}]`);
    if (reply.body.length <= LONGEST_KEPT) printed.set(key, reply);
    return reply;
  };
}
