import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { hasValidKey } from '../client/key-check.ts';
import { FULL } from '../client/result.ts';
import type { Target } from '../client/target.ts';
import type { Context } from './context.ts';

/** Each status and none; sold animals first, since they stay as they are. */
export const newStatuses = ['sold', undefined, 'available', 'pending'] as const;

/** The statuses with which a full store refuses an addition. */
const fullStatuses: readonly number[] = [402, 403, 409, FULL];

/** Returns whether an addition with the valid key was refused, perhaps because the store is full. */
export function isRefusedAsFull(exchange: Exchange, target: Target): boolean {
  const { method, path } = exchange.request;
  const isCreation = method === 'POST' && path === '/pets' && hasValidKey(exchange, target);
  return isCreation && fullStatuses.includes(exchange.status);
}

/** Returns whether the store is full: it has refused the last valid NewPet of the run for that reason. */
export function isFull({ journal, target }: Context): boolean {
  const answered = journal.filter(
    (exchange) =>
      exchange.request.method === 'POST' &&
      ![0, 429].includes(exchange.status) &&
      hasValidKey(exchange, target) &&
      isNewPet(exchange.sent),
  );
  const [last] = answered.toSorted((one, other) => other.at - one.at);
  return last !== undefined && isRefusedAsFull(last, target);
}

/** Returns whether an object has all that a NewPet must have, and no invalid status. */
export function isNewPet({ name, categoryId, status }: JsonObject): boolean {
  const isStatus = newStatuses.some((one) => one === status);
  return typeof name === 'string' && typeof categoryId === 'bigint' && isStatus;
}

/** Returns the additions of this run by id, without ids that another animal has too. */
export function ownAdditions(context: Context): ReadonlyMap<bigint, Exchange> {
  const own = new Map<bigint, Exchange>();
  const taken = new Set<bigint>(listedBeforeAdding(context).keys());
  for (const exchange of context.additions) {
    const { id } = exchange;
    if (id === undefined) continue;
    if (taken.has(id)) own.delete(id);
    else own.set(id, exchange);
    taken.add(id);
  }
  return own;
}

/** Returns the animals that were listed before this run added its first, by id. */
export function listedBeforeAdding({ additions, lists }: Context): ReadonlyMap<bigint, JsonObject> {
  const first = Math.min(...additions.map(({ at }) => at));
  const listed = lists.filter(({ end }) => end <= first).flatMap(({ animals }) => animals);
  return new Map(listed.flatMap((animal) => (typeof animal.id === 'bigint' ? [[animal.id, animal]] : [])));
}
