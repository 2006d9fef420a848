import type { JsonObject } from '../json/exact-json.ts';
import type { FreeOrder } from './free-values.ts';

/** Compares two animals in an order by members. Animals without a status are the last of their lists. */
export function compareByMembers(order: FreeOrder, one: JsonObject, other: JsonObject): number {
  for (const key of order.split(',')) {
    const isDescending = key.startsWith('-');
    const name = isDescending ? key.slice(1) : key;
    const [first, second] = [one[name], other[name]] as (bigint | string | undefined)[];
    if (first === second) continue;
    if (first === undefined) return 1;
    if (second === undefined) return -1;
    return first < second === isDescending ? 1 : -1;
  }
  return 0;
}
