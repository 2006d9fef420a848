import { invalidRequest } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import { SESSION_HEADER } from '../../common/http/session-names.ts';
import { nothingAt } from '../service/answer.ts';
import { findKeyError } from '../service/refuse-key.ts';
import { expectName, expectOneSession } from '../session/session-name.ts';
import type { Sessions } from '../session/sessions.ts';
import { createAsk } from '../session/take-call.ts';
import type { HttpCall } from './http-call.ts';

/**
 * Creates the check that finds the session of a request. A request of the service starts it, if its key is valid. After it, nothing
 * knows that there are several sessions.
 * @param requireSession refuses a request of the service that names no session.
 */
export function createEnterSession(sessions: Sessions, requireSession: boolean) {
  return (call: HttpCall): Reply | undefined => {
    const { sessionName, sessionNames, url, originalUrl } = call;
    expectOneSession(sessionNames);
    if (sessionName === undefined) {
      if (requireSession && isOfService(call)) throw noSession();
      return undefined;
    }
    if (!url.startsWith('/')) throw nothingAt(originalUrl.replace(/\?.*/s, ''));
    if (sessions.get(sessionName) === undefined) {
      expectName('A session', sessionName);
      if (!isOfService(call)) return undefined;
      // A web page without the key must not start sessions, since each one may end another.
      const { session, store, headers } = call;
      if (findKeyError(headers.authorization, session.settings.apiKeys) !== undefined)
        return session.answer(createAsk(call, undefined), store);
    }
    call.enter(sessions.find(sessionName));
    return undefined;
  };
}

function noSession(): Error {
  return invalidRequest(
    `The request names no session, which this mock requires (--require-session). Send the header ${SESSION_HEADER}: w1, or use the base URL /sessions/w1/v1, with the name of your session.`,
  );
}

function isOfService({ path }: HttpCall): boolean {
  return /^\/(?:v1|messages)(?:\/|$)/.test(path);
}
