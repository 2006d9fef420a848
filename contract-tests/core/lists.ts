import { isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import { type Context, statuses } from './context.ts';
import type { Exchange } from './exchange.ts';
import { outcomeOf, readJson } from './read-exchange.ts';
import { Skipped } from './result.ts';

/** Animals as they were listed. */
export interface AnimalList {
  readonly animals: readonly JsonObject[];
  readonly exchange: Exchange;
}

/** The most animals that a list can have. */
export const LONGEST_LIST = 100;

/** What limit is when it is left out. Source: openapi.yaml#/components/parameters */
const DEFAULT_LIMIT = 20;

/**
 * Lists animals.
 *
 * @param query such as `?limit=1`.
 * @throws Skipped when the answer is no list.
 */
export async function fetchList({ client }: Context, query: string): Promise<AnimalList> {
  const exchange = await client.send({ path: `/pets${query}` });
  const list = toList(exchange);
  if (list === undefined) throw new Skipped(`GET /pets${query} gave no list: ${outcomeOf(exchange)}`);
  return list;
}

/** Lists animals, for who needs no exchange. @throws Skipped when the answer is no list. */
export async function listAnimals(context: Context, query: string): Promise<readonly JsonObject[]> {
  return (await fetchList(context, query)).animals;
}

/** Every list that any check has been answered with. */
export function listsSoFar({ client, target }: Context): AnimalList[] {
  return client.journal.flatMap((exchange) => {
    const { method, path, base } = exchange.request;
    const isOfLists = method === 'GET' && base === target.baseUrl && /^\/pets(?:\?|$)/.test(path);
    return (isOfLists && toList(exchange)) || [];
  });
}

/** The list that a request for one was answered with, or undefined when it was none. */
export function toList(exchange: Exchange): AnimalList | undefined {
  const list = exchange.response?.status === 200 ? readJson(exchange) : undefined;
  return Array.isArray(list) ? { animals: list.filter(isJsonObject), exchange } : undefined;
}

/**
 * Whether a list, asked for with the largest limit, was not cut short. limit is a maximum, and a deployment may have a lower
 * one of its own, which cuts the list of all animals no later.
 *
 * @param all the list of all animals with the same limit.
 */
export function isWhole(
  context: Context,
  filtered: readonly JsonObject[],
  all: readonly JsonObject[],
): boolean {
  if (filtered.length < Math.min(all.length, LONGEST_LIST)) return true;
  return filtered.length < DEFAULT_LIMIT && !isCutShort(context, all);
}

/** Whether a list of all animals has fewer than were in lists before it, as where a page is very short. */
function isCutShort(context: Context, all: readonly JsonObject[]): boolean {
  const listed = new Set(listsSoFar(context).flatMap(({ animals }) => animals.map(({ id }) => id)));
  return listed.size > all.length;
}

/**
 * Looks for animals in the list of all and in that of each status.
 *
 * @returns those that were found, and whether the sold animals were listed to the last, so that a sold one that
 * is not among them does not exist.
 */
export async function searchAnimals(
  context: Context,
  isWanted: (animal: JsonObject) => boolean,
): Promise<{ readonly found: readonly JsonObject[]; readonly isComplete: boolean }> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  const byStatus = await Promise.all(
    statuses.map((status) => listAnimals(context, `?limit=${LONGEST_LIST}&status=${status}`)),
  );
  const sold = byStatus[statuses.indexOf('sold')] ?? [];
  return { found: [...all, ...byStatus.flat()].filter(isWanted), isComplete: isWhole(context, sold, all) };
}
