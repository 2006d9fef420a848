import type { Exchange } from '../../client/exchange.ts';
import { Failed, NotTested, TooFewAnimals, Unstable } from '../../client/result.ts';
import { type Context, statuses } from '../../model/context.ts';
import { DEFAULT_LIMIT, expectInTime, findStaleness, tryAgain } from '../../model/lists.ts';

export async function expectDefaultLimit(context: Context): Promise<void> {
  let hasShown = false;
  const filters = ['', ...statuses.map((status) => `&status=${status}`)];
  for (const filter of context.chooseFew(filters, 2)) {
    // Others may sell an animal, or get it back, between the lists.
    const isFull = await tryAgain(context, () => expectAsWithLimit20(context, filter)).catch((error) =>
      expectNotStale(context, filter, error),
    );
    const hasMore = async () => (await context.listAnimals(`?limit=21${filter}`)).length > DEFAULT_LIMIT;
    if (isFull) hasShown ||= await hasMore();
  }
  // An unknown parameter must not lift the default limit.
  const unknown = await context.get('/pets?contract-test=1');
  const { length } = unknown.animals;
  if (length > DEFAULT_LIMIT) throw new Failed('at most 20 animals', `${length}`, unknown);
  if (!hasShown)
    throw new TooFewAnimals('too few animals to distinguish 20 from a larger default: 21 are needed');
}

/** Requests limit=20 before and after, since others may add animals in between. @returns whether there are 20. */
async function expectAsWithLimit20(context: Context, filter: string): Promise<boolean> {
  const fetchTwenty = () => context.fetchList(`?limit=20${filter}`);
  const first = await fetchTwenty();
  const before = first.animals.length;
  const list = await context.fetchList(filter.replace('&', '?'));
  const { length } = list.animals;
  if (length === before) return before === DEFAULT_LIMIT;
  const after = (await fetchTwenty()).animals.length;
  if (length >= Math.min(before, after) && length <= Math.max(before, after)) return false;
  throw new Unstable(`${before} animals, as with limit=20`, `${length}`, list, { before: [first] });
}

/** Waits for a list that is older than the animals of this run. @throws the error, if the list is not */
async function expectNotStale(context: Context, filter: string, error: unknown): Promise<boolean> {
  if (findStaleList(context, error) === undefined) throw error;
  let isFull = false;
  try {
    await expectInTime(context, async () => {
      try {
        isFull = await expectAsWithLimit20(context, filter);
        return undefined;
      } catch (again) {
        if (again instanceof Failed) return again;
        throw again;
      }
    });
    return isFull;
  } catch (fault) {
    const exchange = findStaleList(context, fault);
    if (exchange === undefined) throw fault;
    context.run.lags.push({ exchange, ms: Number.POSITIVE_INFINITY });
    throw new NotTested('the list without limit is stale: see create-pet/stored');
  }
}

function findStaleList(context: Context, error: unknown): Exchange | undefined {
  const exchange = error instanceof Failed ? error.exchange : undefined;
  if (exchange === undefined || exchange.animals.length >= DEFAULT_LIMIT) return undefined;
  return findStaleness(context, exchange) === undefined ? undefined : exchange;
}
