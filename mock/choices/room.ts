import { ApiError } from '../../common/http/api-error.ts';
import { type Choice, CREATE } from './choice.ts';

/** One request of so many is refused where the rate is limited. */
const REFUSED_EVERY = 20;

export const rateLimit = {
  about: 'Rate limits.',
  silentAt: 'Limits',
  onlyByName: true,
  values: [
    { value: 'none', does: 'has no limit' },
    {
      value: 'every20th',
      does: 'refuses every 20th request with 429 and Retry-After',
      // Source: RFC 6585 section 4
      request: (ask, { store }) => {
        if (ask.operation === undefined || store.requests % REFUSED_EVERY !== 0) return ask;
        const message = 'Too many requests. Try again later.';
        throw new ApiError('too_many_requests', message, { 'Retry-After': 1 });
      },
    },
  ],
} as const satisfies Choice;

/** Number of animals that a store accepts, where it can be full. */
const MOST_ADDED = 10;

export const fullStore = {
  about: 'Number of animals that can be added.',
  silentAt: CREATE,
  onlyByName: true,
  values: [
    { value: 'never', does: 'accepts any number' },
    {
      value: 'after10',
      does: 'refuses the 11th new animal with 409',
      pet: (pet, _body, { store }) => {
        if (store.added < MOST_ADDED) return pet;
        throw new ApiError('store_full', `The store is full: ${MOST_ADDED} animals were added.`);
      },
    },
  ],
} as const satisfies Choice;
