import { invalidRequest } from '../../common/http/api-error.ts';
import { findKeyError } from '../../common/http/refuse-key.ts';
import type { Reply } from '../../common/http/reply.ts';
import { expectOneSession, SESSION_HEADER } from '../../common/http/session-names.ts';
import { expectName } from '../../common/http/session-path.ts';
import { nothingAt } from '../service/answer.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Context } from './context.ts';
import { createAsk } from './take-steps.ts';

/**
 * Creates the check that finds the session of a request. A request of the service starts it, if its key is valid.
 * @param requireSession refuses a request of the service that names no session.
 */
export function createEnterSession(sessions: Sessions, requireSession: boolean) {
  return (context: Context): Reply | undefined => {
    const { sessionName, sessionNames, url, originalUrl } = context;
    expectOneSession(sessionNames);
    if (sessionName === undefined) {
      if (requireSession && isOfService(context)) throw noSession();
      return undefined;
    }
    if (!url.startsWith('/')) throw nothingAt(originalUrl.replace(/\?.*/s, ''));
    if (sessions.get(sessionName) === undefined) {
      expectName('A session', sessionName);
      if (!isOfService(context)) return undefined;
      // A web page without the key must not start sessions, since each one may end another.
      const { session, store, headers } = context;
      if (findKeyError(headers.authorization, session.settings.apiKeys) !== undefined)
        return session.answer(createAsk(context, undefined), store);
    }
    context.session = sessions.find(sessionName);
    context.store = context.session.store;
    return undefined;
  };
}

function noSession(): Error {
  return invalidRequest(
    `The request names no session, which this mock requires (--require-session). Send the header ${SESSION_HEADER}: w1, or use the base URL /sessions/w1/v1, with the name of your session.`,
  );
}

function isOfService({ path }: Context): boolean {
  return /^\/(?:v1|messages)(?:\/|$)/.test(path);
}
