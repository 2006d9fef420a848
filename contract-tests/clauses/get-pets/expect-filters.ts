import { type Context, statuses } from '../../core/context.ts';
import { trySome } from '../../core/expect-response.ts';
import { DEFAULT_LIMIT, fetchList, isWhole, LONGEST, listAnimals, toList } from '../../core/list-animals.ts';
import { Failed, Skipped, tryAgain, Unstable } from '../../core/result.ts';

/** Expects lists without limit to be as long as with limit=20. */
export async function expectDefaultLimit(context: Context): Promise<void> {
  let isTold = false;
  for (const filter of ['', ...statuses.map((status) => `&status=${status}`)]) {
    // Others may sell an animal, or get it back, between the lists.
    const isFull = await tryAgain(() => expectAsWithLimit20(context, filter));
    const hasMore = async () => (await listAnimals(context, `?limit=21${filter}`)).length > DEFAULT_LIMIT;
    if (isFull) isTold ||= await hasMore();
  }
  // An unknown parameter must not lift the default limit.
  const unknown = toList(await context.client.send({ path: '/pets?contract-test=1' }));
  if (unknown !== undefined && unknown.animals.length > DEFAULT_LIMIT) {
    throw new Failed('at most 20 animals', `${unknown.animals.length}`, unknown.exchange);
  }
  if (!isTold) throw new Skipped('too few animals to tell 20 from a larger default: 21 are needed');
}

/** Requests limit=20 before and after, since others may add animals in between. @returns whether there are 20. */
async function expectAsWithLimit20(context: Context, filter: string): Promise<boolean> {
  const count = async () => (await listAnimals(context, `?limit=20${filter}`)).length;
  const before = await count();
  const { animals, exchange } = await fetchList(context, filter.replace('&', '?'));
  const after = await count();
  if (animals.length < Math.min(before, after) || animals.length > Math.max(before, after)) {
    throw new Unstable(`${before} animals, as with limit=20`, `${animals.length}`, exchange);
  }
  return before === DEFAULT_LIMIT;
}

/** Expects the lists by status to have every animal of that status. */
export function expectStatusComplete(context: Context): Promise<void> {
  const reason = 'no status has animals, and few enough to list all of them';
  return trySome(statuses, reason, (status) => tryAgain(() => expectAllOf(context, status)));
}

/** What is listed with the status before and after was there in between. @returns whether anything was. */
async function expectAllOf(context: Context, status: string): Promise<boolean> {
  const before = await listAnimals(context);
  const { animals, exchange } = await fetchList(context, `${LONGEST}&status=${status}`);
  const after = await listAnimals(context);
  if (!isWhole(context, animals, before)) return false;
  const listed = new Set(animals.map(({ id }) => id));
  const still = new Set(after.filter((animal) => animal.status === status).map(({ id }) => id));
  const known = before.filter((animal) => animal.status === status);
  const missing = known.find(({ id = null }) => still.has(id) && !listed.has(id));
  if (missing !== undefined) {
    const expected = `the animal ${missing.id}, which has the status ${status}, in the list`;
    throw new Unstable(expected, 'a list without it', exchange);
  }
  return known.length > 0;
}

/** Expects a small limit not to hide the animals of a status behind those of another. */
export function expectFilterBeforeLimit(context: Context): Promise<void> {
  return trySome(statuses, 'there are no animals of more than one status', async (status) => {
    const before = await listAnimals(context);
    const matching = before.filter((animal) => animal.status === status).length;
    for (const limit of [1, 2].filter((least) => matching >= least)) {
      const { animals, exchange } = await fetchList(context, `?limit=${limit}&status=${status}`);
      if (animals.length > 0) continue;
      const isStillThere = (await listAnimals(context)).some((animal) => animal.status === status);
      const expected = `one of ${matching} animals with the status ${status}`;
      if (isStillThere) throw new Failed(expected, 'none', exchange);
    }
    // If all animals have the status, the order makes no difference.
    return matching > 0 && matching < before.length;
  });
}
