import { createReply, type Reply } from '../../common/http/reply.ts';
import type { Pet } from '../../common/json/pet.ts';
import type { ListFilter, PetStore } from './pet-store.ts';

/** Prints an animal as JSON. By hand, since a replacer for the bigints takes several times as long. */
export function printPet({ id, name, categoryId, status }: Pet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** Orders of lists. `random` is another order each time. */
export const listOrders = ['newest', 'oldest', 'random'] as const;

export type ListOrder = (typeof listOrders)[number];

/** Maximum length of a list that is kept, in characters. Names have no limit, and there are about 400 lists of each order. */
export const LONGEST_KEPT = 65_536;

/** Printed lists, until their store changes: printing a list takes longer than the rest of its request. */
const keptLists = new WeakMap<PetStore, { readonly version: number; readonly replies: Map<string, Reply> }>();

export function printList(
  store: PetStore,
  filter: ListFilter,
  order: ListOrder,
  random: () => number,
): Reply {
  if (order === 'random') return print(pickSome(store, filter, random));
  let kept = keptLists.get(store);
  if (kept?.version !== store.version) {
    kept = { version: store.version, replies: new Map() };
    keptLists.set(store, kept);
  }
  const key = `${order} ${filter.limit} ${filter.status}`;
  const known = kept.replies.get(key);
  if (known !== undefined) return known;
  const reply = print(store.list(filter, order === 'newest'));
  if (reply.body.length <= LONGEST_KEPT) kept.replies.set(key, reply);
  return reply;
}

function print(pets: readonly Pet[]): Reply {
  return createReply(200, `[${pets.map(printPet).join(',')}]`);
}

/** Picks animals in any order. Source: Fisher-Yates shuffle */
function pickSome(store: PetStore, { limit, status }: ListFilter, random: () => number): Pet[] {
  const pets = [...store.list({ limit: store.size, status })];
  const count = Math.min(limit, pets.length);
  for (let index = 0; index < count; index += 1) {
    const other = index + Math.floor(random() * (pets.length - index));
    [pets[index], pets[other]] = [pets[other] as Pet, pets[index] as Pet];
  }
  return pets.slice(0, count);
}
