import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { PetStore } from '../api/pet-store.ts';
import type { Context } from './context.ts';

/** One request of so many is refused where the rate is limited. Source: `rateLimit` in common/behaviour/choices.ts */
const REFUSED_EVERY = 20;

/** Number of requests for the animals of each store, where the rate is limited. */
const counts = new WeakMap<PetStore, number>();

/** Refuses requests where the behaviour of the session limits the rate. Source: RFC 6585 section 4 */
export function limitRate({ session, store, operation }: Context): Reply | undefined {
  if (session.behaviour.rateLimit === 'none' || operation === undefined) return undefined;
  const count = (counts.get(store) ?? 0) + 1;
  counts.set(store, count);
  if (count % REFUSED_EVERY !== 0) return undefined;
  session.noteActed('rateLimit');
  return new ApiError('too_many_requests', 'Too many requests. Try again later.', { 'Retry-After': 1 }).reply;
}
