import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { type Failed, Unstable } from '../client/result.ts';
import type { Context } from './context.ts';

/** The largest limit, and the default one. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const [MOST_LISTED, DEFAULT_LIMIT] = [100, 20] as const;

/** How long to wait before a list is requested again, first and at most, in ms. */
const [FIRST_WAIT, LONGEST_WAIT] = [25, 200];

/** Checks a list, which may lag behind, until it has no fault or its time to settle is over. @throws the last fault */
export async function expectInTime(
  { run, target, signal }: Context,
  look: () => Promise<Failed | undefined>,
): Promise<void> {
  const start = performance.now();
  const first = await look();
  let fault = first;
  let wait = FIRST_WAIT;
  while (fault !== undefined && !run.isSettled) {
    await delay(wait, undefined, { signal });
    fault = await look();
    wait = Math.min(2 * wait, LONGEST_WAIT);
    const ms = performance.now() - start;
    // An animal may be missing from the list of a status because others have changed its status for a moment.
    const isLate = fault === undefined && !(first instanceof Unstable);
    if (isLate && first?.exchange !== undefined) run.lags.push({ exchange: first.exchange, ms });
    if (fault !== undefined && ms >= target.settle) run.isSettled = true;
  }
  if (fault !== undefined) throw fault;
}

/** Calls a function for each listed animal of this run whose id is among the records. */
export function compareListed<T>(
  { lists }: Pick<Context, 'lists'>,
  records: ReadonlyMap<unknown, T>,
  compare: (record: T, animal: JsonObject, list: Exchange) => void,
): void {
  for (const list of lists) {
    for (const animal of list.animals) {
      const record = records.get(animal.id);
      if (record !== undefined) compare(record, animal, list);
    }
  }
}
