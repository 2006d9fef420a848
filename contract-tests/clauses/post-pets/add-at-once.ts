import type { JsonObject } from '../../../common/json/exact-json.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { Context } from '../../vocabulary/context.ts';
import { LONGEST } from '../../vocabulary/list-parameters.ts';

/** Animals that were added at the same time. */
export interface AddedAtOnce {
  readonly exchanges: readonly Exchange[];
  /** The animal that two of them are. */
  readonly twin: JsonObject;
}

/** The statuses of the animals, next to the twin of the first. */
const statusesAtOnce = ['sold', undefined, 'available', 'pending', 'sold', undefined] as const;

/**
 * Adds seven animals at the same time, each with another status and category, and requests lists meanwhile. Then it adds one
 * whose name differs from an earlier one in case only.
 */
export async function addAtOnce(context: Context): Promise<AddedAtOnce> {
  const categories = await listCategories(context);
  const pets: JsonObject[] = [];
  for (const [index, status] of statusesAtOnce.entries()) {
    const categoryId = categories[index % categories.length] ?? 1n;
    pets.push({ ...(await context.createPet('at once', status)), categoryId });
  }
  // An animal may be just like another, and a database may take one for the other.
  const [twin = {}] = pets;
  const adding = [...pets, twin].map((pet) => context.post(pet));
  const listing = [LONGEST, '', `${LONGEST}&status=sold`].map((query) => context.get(`/pets${query}`));
  const [exchanges] = await Promise.all([Promise.all(adding), Promise.all(listing)]);
  // After the others, so that a refusal shows that names differ in more than their case.
  const inOtherCase = await context.post({ ...twin, name: toOtherCase(`${twin.name}`) });
  return { exchanges: [...exchanges, inOtherCase], twin };
}

/** Writes the last word of a name in upper case. */
function toOtherCase(name: string): string {
  return name.replace(/[a-z]+$/, (word) => word.toUpperCase());
}

/** Categories up to this one are exact in any type of numbers. */
const LARGEST_PLAIN = 2n ** 24n;

/** Lists categories that the deployment has accepted and returned. */
async function listCategories(context: Context): Promise<readonly bigint[]> {
  const known = await context.findCategory();
  const returned = context.additions.flatMap(({ sent: { categoryId }, animal }) => {
    const isPlain = typeof categoryId === 'bigint' && categoryId > 0n && categoryId < LARGEST_PLAIN;
    return isPlain && animal?.categoryId === categoryId ? [categoryId] : [];
  });
  return [...new Set([known, ...returned])];
}
