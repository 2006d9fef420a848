import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Step } from './context.ts';
import { nothingAt } from './pipeline.ts';

/** Creates the step that finds the session of a request for `/sessions/{name}/…`, which is not kept yet. */
export function createEnterSession(sessions: Sessions): Step {
  return (context) => {
    const { sessionName, url, originalUrl } = context;
    if (sessionName === undefined) return undefined;
    if (!url.startsWith('/')) throw nothingAt(originalUrl.replace(/\?.*/s, ''));
    context.enter(sessions.find(sessionName));
    return undefined;
  };
}

/** Creates the step that refuses a request without a valid key, where one is required, and keeps the session of the others. */
export function createCheckKey(sessions: Sessions): Step {
  // By the array of keys, which sessions share until they change theirs.
  const checks = new WeakMap<readonly string[], ReturnType<typeof createRefuseKey>>();
  return (context) => {
    if (!/^\/(?:v1|messages)(?:\/|$)/.test(context.path)) return undefined;
    const { apiKeys } = context.session.settings;
    const refuseKey = checks.get(apiKeys) ?? createRefuseKey(apiKeys);
    checks.set(apiKeys, refuseKey);
    const refusal = refuseKey(context.headers.authorization);
    // To throw it takes a sixth of the time of a 401.
    if (refusal !== undefined) return refusal.reply;
    const kept = sessions.keep(context.session);
    // Another request may have created it meanwhile.
    if (kept !== context.session) context.enter(kept);
    return undefined;
  };
}
