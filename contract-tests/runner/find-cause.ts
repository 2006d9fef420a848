import { type Exchange, hasValidKey } from '../client/exchange.ts';
import type { Cause } from '../failures/failure.ts';
import { suspectChange } from '../failures/suspect-change.ts';
import type { Evidence, Sighting } from '../rules/rule.ts';

/** Finds the probable cause of a wrong response. */
type FindCause = (sighting: Sighting, evidence: Evidence) => Cause | undefined;

/** The causes that are known, in the order in which they are tried: the first that answers is the cause. */
const causes: readonly FindCause[] = [
  ({ suspected }) => suspected,
  ({ fault }) => (fault.kind === 'member' ? suspectChange(fault) : undefined),
  ({ exchange }, evidence) =>
    findCachedRefusal(exchange, evidence) === undefined ? undefined : { cause: 'cached without the key' },
  findStale,
  findLate,
];

/** Returns the probable cause of a wrong response, or undefined. */
export function findCause(sighting: Sighting, evidence: Evidence): Cause | undefined {
  for (const find of causes) {
    const cause = find(sighting, evidence);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

/** Returns the request without the valid key whose 401 was returned for the valid key. */
export function findCachedRefusal(exchange: Exchange, { history, target }: Evidence): Exchange | undefined {
  const { method, path } = exchange.request;
  if (exchange.status !== 401 || method !== 'GET' || !hasValidKey(exchange, target)) return undefined;
  return history.exchanges.findLast((one) => {
    const isSame = one.request.method === 'GET' && one.request.path === path;
    return isSame && one.at < exchange.at && one.status === 401 && !hasValidKey(one, target);
  });
}

/** A list that lacks animals, and says that it is old or is the same as one before they were added. */
function findStale({ fault, exchange, about = [] }: Sighting, { history }: Evidence): Cause | undefined {
  if ((fault.kind !== 'missing' && fault.kind !== 'count') || !exchange.isList) return undefined;
  const added = history.additions.filter(({ shown }) => shown !== undefined && about.includes(shown.id));
  if (added.length === 0) return undefined;
  const age = Number(exchange.response?.headers.age ?? 0);
  if (age > 0) return { cause: 'stale', age };
  const { body = Buffer.alloc(0), length } = exchange.response ?? {};
  const isSame = ({ response }: Exchange) =>
    response?.body.equals(body) === true && response.length === length;
  const begin = Math.min(...added.map(({ exchange: { at } }) => at));
  const old = history.lists.find(
    ({ exchange: one }) => one.end <= begin && one.path === exchange.path && isSame(one),
  );
  return old === undefined ? undefined : { cause: 'stale' };
}

/** An animal that was not found, or not listed, after it was added, and later was. */
function findLate({ fault, exchange, about = [] }: Sighting, { history }: Evidence): Cause | undefined {
  const isMissing = fault.kind === 'missing' || (fault.kind === 'status' && exchange.status === 404);
  const [id] = about;
  if (!isMissing || id === undefined) return undefined;
  const animal = history.animals.get(id);
  const added = animal?.addition?.exchange;
  if (animal === undefined || added === undefined || exchange.at < added.end) return undefined;
  const shows = animal.observations.filter(
    (one) => one.exchange.path === exchange.path && one.exchange.request.method === 'GET',
  );
  const found = shows.find(({ shown, exchange: one }) => shown !== undefined && one.at >= exchange.end);
  const isSteady = shows.every(
    ({ shown, exchange: one }) => shown !== undefined || one.at < (found?.exchange.at ?? 0),
  );
  if (found === undefined || !isSteady) return undefined;
  return { cause: 'late', ms: Math.round(found.exchange.end - added.end) };
}
