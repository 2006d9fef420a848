import { createRefuseKey } from '../../common/http/refuse-key.ts';
import { expectName } from '../session/session.ts';
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
  const { session, headers } = context;
  const { apiKeys } = session.settings;
  const refuseKey = checks.get(apiKeys) ?? createRefuseKey(apiKeys);
  checks.set(apiKeys, refuseKey);
  // To throw it takes a sixth of the time of a 401.
  return refuseKey(headers.authorization)?.reply;
};
