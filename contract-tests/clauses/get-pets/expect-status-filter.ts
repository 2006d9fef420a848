import { type Context, statuses } from '../../core/context.ts';
import { trySome } from '../../core/expect-response.ts';
import { fetchList, isWhole, LONGEST, listAnimals } from '../../core/list-animals.ts';
import { Failed, Unstable } from '../../core/result.ts';
import { tryAgain } from '../../core/try-again.ts';

/** Expects the lists by status to have every animal of that status. */
export function expectStatusComplete(context: Context): Promise<void> {
  const reason = 'no status has animals, and few enough to list all of them';
  return trySome(statuses, reason, (status) => tryAgain(() => expectAllOf(context, status)));
}

/** An animal that all lists before and after have with a status was there in between. @returns whether there was one. */
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
