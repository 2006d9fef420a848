import type { JsonObject } from '../../../common/exact-json.ts';
import type { Context } from '../../core/context.ts';
import { listAnimals } from '../../core/list-animals.ts';
import { Skipped } from '../../core/result.ts';

/**
 * Chooses listed animals: the first, the middle and the last, those with the least and the greatest id, one whose id a
 * double cannot hold, and one without a status.
 */
export async function chooseAnimals(context: Context): Promise<readonly JsonObject[]> {
  const all = await listAnimals(context);
  const list = all.filter(({ id }) => typeof id === 'bigint' && BigInt.asIntN(64, id) === id);
  if (list.length === 0) throw new Skipped('no listed animal has an int64 as its id');
  const byId = list.toSorted((one, other) => ((one.id as bigint) < (other.id as bigint) ? -1 : 1));
  const chosen = [
    ...[0, Math.floor(list.length / 2), -1].map((index) => list.at(index)),
    byId[0],
    byId.at(-1),
    list.find(({ id }) => BigInt(Number(id)) !== id),
    list.find(({ status }) => typeof status !== 'string'),
  ];
  return [...new Set(chosen)].filter((animal) => animal !== undefined);
}
