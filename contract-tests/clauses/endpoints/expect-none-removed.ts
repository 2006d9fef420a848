import { NotTested } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { inParallel } from '../../client/in-parallel.ts';
import { ownAdditions } from '../../vocabulary/additions.ts';
import type { Context } from '../../vocabulary/context.ts';
import { wrongStatus } from '../../vocabulary/expectations.ts';
import { listedBeforeAdding, MOST_REMOVED } from '../../vocabulary/lists.ts';

/** How many of the first, and of the last, animals of others and of the run are watched. */
const WATCHED = 5;

/** How many animals are added, each of which has to remove another one. */
const ROUNDS = 3;

/**
 * Expects that additions remove no animals. Others may remove theirs.
 * @throws Failed when each addition removes an animal; NotTested when others have removed several
 */
export async function expectNoneRemoved(context: Context): Promise<void> {
  const { journal } = context;
  const latest = new Map(journal.map(({ requestedId, status }) => [requestedId, status]));
  const known = [...listedBeforeAdding(context).keys()];
  const removed = known.filter((id) => latest.get(id) === 404);
  if (removed.length < MOST_REMOVED) return;
  const left = known.filter((id) => !removed.includes(id));
  const own = [...ownAdditions(context).keys()];
  const watched = [left, own].flatMap((ids) => [...ids.slice(0, WATCHED), ...ids.slice(-WATCHED)]);
  const lost = await findLost(context, [...new Set(watched)]);
  const [first, ...more] = lost;
  if (first === undefined) {
    const animals = `${removed.length} animals were removed that this run has not added`;
    throw new NotTested(`others change the data: ${animals}`);
  }
  const gone = { what: 'animal', id: String(first.requestedId), seen: 'before the additions' } as const;
  throw wrongStatus(200, first, { more }, gone);
}

/** Finds animals that are there until the run adds one, each time that it adds one. */
async function findLost(context: Context, ids: readonly bigint[]): Promise<readonly Exchange[]> {
  const lost: Exchange[] = [];
  let watched = ids;
  const look = () => inParallel(watched, (id) => context.get(`/pets/${id}`));
  for (let round = 0; round < ROUNDS; round += 1) {
    // What is there twice is not removed all the time.
    const [first, second] = [await look(), await look()];
    if (first.some((exchange, index) => exchange.status !== second[index]?.status)) return [];
    watched = second.flatMap(({ status, requestedId: id }) =>
      status === 200 && id !== undefined ? [id] : [],
    );
    const added = await context.post(await context.createPet('in its place'));
    const gone = (await look()).filter(({ status }) => status === 404);
    if (!added.isAddition || gone.length === 0) return [];
    lost.push(...gone);
  }
  return lost;
}
