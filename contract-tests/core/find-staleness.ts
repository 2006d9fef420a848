import type { ExactJson } from '../../common/exact-json.ts';
import { idOf, isAddition } from './add-animal.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import { type AnimalList, listsSoFar, toList } from './list-animals.ts';

/**
 * Returns how a list shows that it is older than an animal that was added before the request: by its Age, or because it
 * repeats an old list. Returns undefined if it does not.
 *
 * @param about the id of the animal that it lacks. @default any animal that it may lack
 */
export function findStaleness(context: Context, exchange: Exchange, about?: ExactJson): string | undefined {
  const list = toList(exchange);
  if (list === undefined) return undefined;
  const added = context.client.journal.filter(
    (one) => isAddition(one) && endOf(one) <= exchange.at && (about === undefined || idOf(one) === about),
  );
  const isOlder = (made: number) => {
    const since = added.filter(({ at }) => at >= made).map(({ at }) => at);
    return since.length > 0 && (about !== undefined || wasWhole(context, list, Math.min(...since)));
  };
  // Source: RFC 9111, section 5.1
  const age = Number(exchange.response?.headers.age ?? 0);
  if (age > 0 && isOlder(endOf(exchange) - age * 1000)) return `stale: its Age is ${age} s`;
  const old = listsSoFar(context).find((one) => isRepeated(one.exchange, exchange));
  return old !== undefined && isOlder(endOf(old.exchange))
    ? 'stale: the same list as before an animal was added'
    : undefined;
}

function endOf({ at, ms }: Exchange): number {
  return at + ms;
}

/** Returns whether a request got the same answer again. */
function isRepeated(old: Exchange, exchange: Exchange): boolean {
  const [one, other] = [old.response, exchange.response];
  const isSame = one !== undefined && other?.body.equals(one.body) && other.length === one.length;
  return isSame === true && endOf(old) <= exchange.at && old.request.path === exchange.request.path;
}

/** Returns whether a list has as many animals as any list showed by some time: its limit did not cut it short then. */
function wasWhole(context: Context, { animals, exchange }: AnimalList, until: number): boolean {
  const wanted = new URLSearchParams(exchange.request.path.split('?')[1]).get('status');
  return listsSoFar(context).every(
    (one) =>
      one.exchange.at > until ||
      one.animals.filter(({ status }) => wanted === null || status === wanted).length <= animals.length,
  );
}
