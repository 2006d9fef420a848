import { ApiError } from '../../common/http/api-error.ts';
import type { PetStore } from '../api/pet-store.ts';
import type { Step } from './context.ts';

/** One request of so many is refused where the rate is limited. Source: `rateLimit` in common/behaviour/choices.ts */
const REFUSED_EVERY = 20;

/** Number of requests for the animals of each store, where the rate is limited. */
const counts = new WeakMap<PetStore, number>();

/** Refuses requests where the behaviour of the session limits the rate. Source: RFC 6585 section 4 */
export const limitRate: Step = ({ session, store, operation }) => {
  if (session.behaviour.rateLimit === 'none' || operation === undefined) return undefined;
  const count = (counts.get(store) ?? 0) + 1;
  counts.set(store, count);
  if (count % REFUSED_EVERY !== 0) return undefined;
  return new ApiError('too_many_requests', 'Too many requests. Try again later.', { 'Retry-After': 1 }).reply;
};
