import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { Context } from './context.ts';

/** Refuses a request without a key of its session. Source: specification, Authentication */
export function checkKey({ session, headers: { authorization } }: Context): Reply | undefined {
  const { apiKeys, behaviour } = session.settings;
  const refuseKey = createRefuseKey(apiKeys, { isSchemeExact: behaviour.schemeCase === 'exact' });
  return refuseKey(authorization);
}
