import type { ExactJson } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Context } from './context.ts';

/**
 * Returns how a list shows that it is older than an animal that was added before the request: by its Age, or because it
 * repeats an old list. Returns undefined if it does not.
 *
 * @param about the id of the animal that it lacks. @default any animal that it may lack
 */
export function findStaleness(context: Context, list: Exchange, about?: ExactJson): string | undefined {
  if (!list.isList) return undefined;
  const added = context.additions.filter(
    ({ end, id }) => end <= list.at && (about === undefined || id === about),
  );
  const isOlder = (made: number) => {
    const since = added.filter(({ at }) => at >= made).map(({ at }) => at);
    return since.length > 0 && (about !== undefined || wasWhole(context, list, Math.min(...since)));
  };
  // Source: RFC 9111, section 5.1
  const age = Number(list.response?.headers.age ?? 0);
  if (age > 0 && isOlder(list.end - age * 1000)) return `stale: its Age is ${age} s`;
  const old = context.lists.find(
    (one) => one.end <= list.at && one.path === list.path && hasSameBody(one, list),
  );
  return old !== undefined && isOlder(old.end)
    ? 'stale: the same list as before an animal was added'
    : undefined;
}

function hasSameBody({ response: one }: Exchange, { response: other }: Exchange): boolean {
  return one !== undefined && other?.body.equals(one.body) === true && other.length === one.length;
}

function wasWhole({ lists }: Context, { animals, path }: Exchange, until: number): boolean {
  const wanted = new URLSearchParams(path.split('?')[1]).get('status');
  return lists.every(
    (one) =>
      one.at > until ||
      one.animals.filter(({ status }) => wanted === null || status === wanted).length <= animals.length,
  );
}
