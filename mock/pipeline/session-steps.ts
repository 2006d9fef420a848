import { ApiError } from '../../common/http/api-error.ts';
import { createRefuseKey } from '../../common/http/refuse-key.ts';
import { expectName } from '../../common/http/session-path.ts';
import type { PetStore } from '../api/pet-store.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Context, Step } from './context.ts';
import { nothingAt } from './pipeline.ts';

export function createEnterSession(sessions: Sessions): Step {
  return (context) => {
    const { sessionName, url, originalUrl } = context;
    if (sessionName === undefined) return undefined;
    if (!url.startsWith('/')) throw nothingAt(originalUrl.replace(/\?.*/s, ''));
    if (sessions.get(sessionName) === undefined) {
      expectName('A session', sessionName);
      // A web page without the key must not start sessions, since each one may end another.
      const refusal = checkKey(context);
      if (refusal !== undefined || !isOfApi(context)) return refusal;
    }
    context.session = sessions.find(sessionName);
    context.store = context.session.store;
    return undefined;
  };
}

function isOfApi({ path }: Context): boolean {
  return /^\/(?:v1|messages)(?:\/|$)/.test(path);
}

// By the array of keys, which sessions share until they change theirs.
const checks = new WeakMap<readonly string[], ReturnType<typeof createRefuseKey>>();

export const checkKey: Step = (context) => {
  if (!isOfApi(context)) return undefined;
  const { apiKeys, behaviour } = context.session.settings;
  const { authorization = '' } = context.headers;
  const refuseKey = checks.get(apiKeys) ?? createRefuseKey(apiKeys);
  checks.set(apiKeys, refuseKey);
  // A throw would take a sixth of the time of a 401.
  const isOtherCase = behaviour.schemeCase === 'exact' && !authorization.startsWith('Bearer');
  return refuseKey(isOtherCase ? authorization && '-' : context.headers.authorization)?.reply;
};

/** Number of requests for the animals of each store, where the rate is limited. */
const counts = new WeakMap<PetStore, number>();

/** Source: RFC 6585 section 4 */
export const limitRate: Step = ({ session, store, operation }) => {
  if (session.behaviour.rateLimit === 'none' || operation === undefined) return undefined;
  const count = (counts.get(store) ?? 0) + 1;
  counts.set(store, count);
  if (count % 20 !== 0) return undefined;
  return new ApiError('too_many_requests', 'Too many requests. Try again later.', { 'Retry-After': 1 }).reply;
};
