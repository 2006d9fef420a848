import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { Context } from './context.ts';

/** Refuses a request without a key of its session. Source: specification, Authentication */
export function checkKey({ session, headers: { authorization } }: Context): Reply | undefined {
  const { apiKeys, behaviour } = session.settings;
  const refusal = createRefuseKey(apiKeys)(authorization);
  if (refusal !== undefined || behaviour.schemeCase === 'any') return refusal;
  const exactRefusal = createRefuseKey(apiKeys, { isSchemeExact: true })(authorization);
  if (exactRefusal !== undefined) session.noteActed('schemeCase');
  return exactRefusal;
}
