import type { JsonObject } from '../../../common/exact-json.ts';
import type { Context } from '../../core/context.ts';
import { type Exchange, readAnimal } from '../../core/exchange.ts';
import {
  type AnimalList,
  compareListed,
  fetchList,
  listAnimals,
  listsSoFar,
  toList,
} from '../../core/list-animals.ts';
import { Failed } from '../../core/result.ts';

/** The lists of the run by each of the three statuses, with the status. */
function listsByStatus(context: Context): (AnimalList & { readonly status: string })[] {
  return listsSoFar(context).flatMap((list) => {
    const [, status] = /[?&]status=(available|pending|sold)(?:&|$)/.exec(list.exchange.request.path) ?? [];
    return status === undefined ? [] : [{ ...list, status }];
  });
}

/** Finds an animal that shows no status in a list. */
function findUnshown({ animals }: AnimalList, wanted: unknown): JsonObject | undefined {
  return animals.find(({ id, status }) => id === wanted && status === undefined);
}

/** Expects no animal that shows no status in the lists of two statuses. Others may change it between two lists. */
export async function expectOneStatus(context: Context): Promise<void> {
  const seen = new Map<unknown, AnimalList & { readonly status: string }>();
  for (const list of listsByStatus(context)) {
    for (const { id, status } of list.animals) {
      if (status !== undefined) continue;
      const other = seen.get(id);
      seen.set(id, other ?? list);
      if (other === undefined || other.status === list.status) continue;
      const paths = [other, list, other].map(({ exchange }) => exchange.request.path.slice('/pets'.length));
      const again: AnimalList[] = [];
      for (const query of paths) again.push(await fetchList(context, query));
      if (!again.every((one) => findUnshown(one, id))) return;
      throw new Failed(
        `the animal ${id}, which shows no status, in the list of one status`,
        `it in those of ${other.status} and ${list.status}`,
        again[2]?.exchange,
        { before: again.slice(0, 2).map(({ exchange }) => exchange) },
      );
    }
  }
}

/** Replies that show the status of an animal: the first, and when the last was requested. */
interface Shown {
  readonly name: unknown;
  readonly first: Exchange;
  readonly last: number;
}

/** Expects each list to show the status of an animal that other replies show, one before the list and one after it. */
export async function expectStatusesShown(context: Context): Promise<void> {
  // A reply after the other lists.
  await listAnimals(context);
  const shown = new Map<unknown, Shown>();
  for (const exchange of context.client.journal) {
    for (const { id, name, status } of toList(exchange)?.animals ?? [readAnimal(exchange) ?? {}]) {
      if (typeof status !== 'string' || typeof id !== 'bigint') continue;
      const { first = exchange, last = 0 } = shown.get(id) ?? {};
      const isEarlier = exchange.at + exchange.ms < first.at + first.ms;
      shown.set(id, { name, first: isEarlier ? exchange : first, last: Math.max(last, exchange.at) });
    }
  }
  compareListed(context, shown, ({ name, first, last }, animal, exchange) => {
    const isBetween = exchange.at > first.at + first.ms && exchange.at < last;
    if (animal.status !== undefined || animal.name !== name || !isBetween) return;
    throw new Failed(`the status of the animal ${animal.id}, as in other replies`, 'nothing', exchange, {
      about: animal.id,
      before: [first],
    });
  });
}
