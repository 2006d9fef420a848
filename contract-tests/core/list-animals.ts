import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import type { Context } from './context.ts';
import { type Exchange, outcomeOf, readJson } from './exchange.ts';
import { inParallel } from './in-parallel.ts';
import { type Failed, Unproven, Unstable } from './result.ts';
import type { Target } from './target.ts';

/** A list of animals and the exchange that it came with. */
export interface AnimalList {
  readonly animals: readonly JsonObject[];
  readonly exchange: Exchange;
}

/** The query for the longest list there may be. */
export const LONGEST = '?limit=100';

/** The largest limit, and the default one. Source: openapi.yaml#/components/parameters */
export const [MOST_LISTED, DEFAULT_LIMIT] = [100, 20] as const;

/**
 * Requests a list of animals.
 *
 * @param query such as `?limit=1`.
 * @throws Unproven when the response is not a list.
 */
export async function fetchList({ client }: Context, query: string): Promise<AnimalList> {
  const exchange = await client.send({ path: `/pets${query}` });
  const list = toList(exchange);
  if (list === undefined) throw new Unproven(`GET /pets${query} returned ${outcomeOf(exchange)} and no list`);
  return list;
}

/** Requests a list, and returns its animals alone. @throws Unproven when the response is not a list. */
export async function listAnimals(context: Context, query: string = LONGEST): Promise<readonly JsonObject[]> {
  return (await fetchList(context, query)).animals;
}

/** How long to wait before a list that may lag behind is asked for again, in milliseconds: twice as long each time, and at most. */
const [FIRST_WAIT, LONGEST_WAIT] = [25, 200];

/** The runs in which a list was waited for in vain: they wait for none any more. */
const settled = new WeakSet<Target>();

/**
 * Looks into a list, and again until it shows what it should or the time for lists to settle is over. How late it was is noted.
 *
 * @param look fetches the list and gives what is wrong with it, or undefined.
 */
export async function lookInTime(
  { client: { signal }, target, lags }: Context,
  look: () => Promise<Failed | undefined>,
): Promise<Failed | undefined> {
  const start = performance.now();
  let fault = await look();
  const first = fault;
  for (
    let wait = FIRST_WAIT;
    fault !== undefined && !settled.has(target);
    wait = Math.min(2 * wait, LONGEST_WAIT)
  ) {
    await delay(wait, undefined, { signal });
    fault = await look();
    const ms = performance.now() - start;
    // An animal may be missing from the list of a status because others have changed its status for a moment.
    const isLate = fault === undefined && !(first instanceof Unstable);
    if (isLate && first?.exchange !== undefined) lags.push({ exchange: first.exchange, ms });
    if (fault !== undefined && ms >= target.settle) settled.add(target);
  }
  return fault;
}

/** Every list that the deployment has returned in this run, or in the first exchanges of it. */
export function listsSoFar({ client, target }: Context, exchanges = client.journal): AnimalList[] {
  return exchanges.flatMap((exchange) => {
    const { method, path, base } = exchange.request;
    const isListPets = method === 'GET' && base === target.baseUrl && /^\/pets(?:\?|$)/.test(path);
    return (isListPets && toList(exchange)) || [];
  });
}

/** Requests the lists that were not yet requested in this run: whoever looks at every list sees those too. */
export async function requestLists({ client, target }: Context, queries: readonly string[]): Promise<void> {
  const authorization = `Bearer ${target.apiKey}`;
  const known = client.journal.filter(({ request }) => request.headers.Authorization === authorization);
  const paths = new Set(known.map(({ request }) => request.path));
  const unseen = queries.map((query) => `/pets${query}`).filter((path) => !paths.has(path));
  await inParallel(unseen, async (path) => void (await client.send({ path })));
}

/** Calls a function for each listed animal of this run whose id is among the records. */
export function compareListed<T>(
  context: Context,
  records: ReadonlyMap<unknown, T>,
  compare: (record: T, animal: JsonObject, exchange: Exchange) => void,
): void {
  for (const { animals, exchange } of listsSoFar(context)) {
    for (const animal of animals) {
      const record = records.get(animal.id);
      if (record !== undefined) compare(record, animal, exchange);
    }
  }
}

/** The lists that were found before: some clauses look at every list of the run. */
const found = new WeakMap<Exchange, AnimalList | undefined>();

/** The list in a response, or undefined if there is none. */
export function toList(exchange: Exchange): AnimalList | undefined {
  if (!found.has(exchange)) {
    const list = exchange.response?.status === 200 ? readJson(exchange) : undefined;
    found.set(exchange, Array.isArray(list) ? { animals: list.filter(isJsonObject), exchange } : undefined);
  }
  return found.get(exchange);
}

/** Whether a list is by status. */
export function isFiltered({ exchange }: AnimalList): boolean {
  return exchange.request.path.includes('status=');
}
