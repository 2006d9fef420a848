import { type Context, statuses } from '../../core/context.ts';
import { DEFAULT_LIMIT, fetchList, listAnimals, toList } from '../../core/list-animals.ts';
import { Failed, Skipped, Unstable } from '../../core/result.ts';
import { tryAgain } from '../../core/try-again.ts';

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
