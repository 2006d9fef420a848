import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Facts } from './facts.ts';
import {
  type Animal,
  areAtOnce,
  type History,
  type ListAnswer,
  type Observation,
  sizeOf,
} from './history.ts';

/**
 * Everything that excuses a response. There is no other excuse: a response that none of these excuses counts, also if the next one
 * is right.
 */
export const tolerances = {
  late: 'A response may lack what is new: for as long as --settle says, and for the age that the response itself names.',
  'no room':
    'A list may end before its limit, if no list with this limit or a smaller one was longer, in animals and in bytes.',
  'changed by others': 'Other clients may change the status of an animal: later responses show another one.',
  'removed by others': 'Other clients may remove an animal: from one response on, nothing shows it any more.',
  'told to wait': 'A service may ask to wait: 429, or 503 with Retry-After. The request is sent again.',
} as const;

export type Tolerance = keyof typeof tolerances;

const SECOND = 1_000;

/** The oldest that a response may be by what it says of its age, in ms. One that says more is older than it may be. */
const OLDEST = 10_000;

/** Returns how old a response may be by what it says, in ms. Source: RFC 9111, sections 5.1 and 5.2.2 */
export function ageOf({ response }: Pick<Exchange, 'response'>): number {
  const { age, 'cache-control': control = '', 'x-cache': cache = '' } = response?.headers ?? {};
  const [, seconds] = /(?:^|[\s,])(?:s-maxage|max-age)="?(\d+)/i.exec(control) ?? [];
  // An age has no fractions of a second.
  if (Number(age) * SECOND > OLDEST) return 0;
  if (Number(age) > 0) return (Number(age) + 1) * SECOND;
  if (seconds !== undefined) return Math.min(OLDEST, Number(seconds) * SECOND);
  return /\bhit\b/i.test(cache) ? OLDEST : 0;
}

/** *Late*: returns whether a response may lack what the run knows since a moment. @param settle in ms */
export function isLate(exchange: Exchange, since: number, settle: number): boolean {
  return exchange.at - ageOf(exchange) - settle < since;
}

/** *No room*: returns whether a list need not have animals, because lists of the deployment end before their limit. */
export function hasNoRoom(list: ListAnswer, missing: readonly JsonObject[], facts: Facts): boolean {
  const { ids, query } = list;
  if (ids.size >= query.limit) return true;
  if (ids.size === 0) return false;
  if (facts.haveLengthsByChance || ids.size >= facts.longestUpTo(query.limit)) return true;
  return Math.max(facts.largestOfOthers, ...listNextSizes(ids, missing, facts)) > facts.roomOf(list);
}

/**
 * Returns the sizes of the animals of which one would have come after the last one of a list. Where all lists are in an order by id,
 * that is the first missing one, or one between them that the run did not know yet.
 */
function listNextSizes(
  ids: ListAnswer['ids'],
  missing: readonly JsonObject[],
  { idOrder, sizes }: Facts,
): readonly number[] {
  if (idOrder === undefined) return missing.map(sizeOf);
  const last = [...ids].at(-1) ?? 0n;
  const isAfter = (id: bigint, other: bigint) => (idOrder === 'ascending' ? id > other : id < other);
  const [next, ...others] = missing.map(({ id }) => id as bigint).filter((id) => isAfter(id, last));
  if (next === undefined) return [];
  const first = others.reduce((one, id) => (isAfter(one, id) ? id : one), next);
  return [...sizes].flatMap(([id, size]) => (isAfter(id, last) && !isAfter(id, first) ? [size] : []));
}

/**
 * *Changed by others*: returns whether a response shows an animal with another status after a response about it than before, or at about
 * the same time.
 */
export function isChangedByOthers(
  { observations }: Animal,
  before: Observation,
  exchange: Exchange,
  after: Observation,
): boolean {
  const { status } = before.shown ?? {};
  if (status !== after.shown?.status || hasThreeStatuses(observations)) return true;
  return observations.some(({ exchange: other, shown }) => {
    const isOther = shown?.status !== undefined && shown.status !== status;
    return isOther && areAtOnce(other, exchange);
  });
}

/** Two versions of a service show two statuses of an animal. With a third one, others change it. */
export function hasThreeStatuses(observations: Animal['observations']): boolean {
  return (
    new Set(observations.map(({ shown }) => shown?.status).filter((status) => status !== undefined)).size > 2
  );
}

/** So many animals that have had three statuses are changed by others, and so may all be. */
const SEVERAL_CHANGED = 3;

/** Returns whether others change the statuses of animals all the time. */
export function areChangedByOthers({ animals }: History): boolean {
  const changed = [...animals.values()].filter(({ observations }) => hasThreeStatuses(observations));
  return changed.length >= SEVERAL_CHANGED;
}

/** *Removed by others*: returns whether nothing shows an animal any more, from a moment on. */
export function isRemovedByOthers({ observations }: Animal, from: number): boolean {
  const later = observations.filter(({ exchange }) => exchange.at >= from);
  return later.length > 0 && later.every(({ shown }) => shown === undefined);
}

/** *Told to wait*: returns whether a response answers nothing, since the request is to be sent again later. */
export function isToldToWait(exchange: Exchange): boolean {
  return exchange.asksToWait;
}
