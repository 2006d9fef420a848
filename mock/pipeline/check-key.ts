import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Step } from './context.ts';

/** Refuses a request without a key of its session. Source: specification, Authentication */
export const checkKey: Step = ({ session, headers: { authorization } }) => {
  const { apiKeys, behaviour } = session.settings;
  const isOtherScheme =
    behaviour.schemeCase === 'exact' && authorization !== undefined && !authorization.startsWith('Bearer');
  const refuseKey = createRefuseKey(apiKeys);
  return refuseKey(isOtherScheme ? 'another scheme' : authorization)?.reply;
};
