import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Step } from './context.ts';
import { nothingAt } from './pipeline.ts';

export function createEnterSession(sessions: Sessions): Step {
  return (context) => {
    const { sessionName, url, originalUrl } = context;
    if (sessionName === undefined) return undefined;
    if (!url.startsWith('/')) throw nothingAt(originalUrl.replace(/\?.*/s, ''));
    context.session = sessions.find(sessionName);
    context.store = context.session.store;
    return undefined;
  };
}

// By the array of keys, which sessions share until they change theirs.
const checks = new WeakMap<readonly string[], ReturnType<typeof createRefuseKey>>();

export const checkKey: Step = ({ path, session, headers }) => {
  if (!/^\/(?:v1|messages)(?:\/|$)/.test(path)) return undefined;
  const { apiKeys } = session.settings;
  const refuseKey = checks.get(apiKeys) ?? createRefuseKey(apiKeys);
  checks.set(apiKeys, refuseKey);
  // To throw it takes a sixth of the time of a 401.
  return refuseKey(headers.authorization)?.reply;
};
