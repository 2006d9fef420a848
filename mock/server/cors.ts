import type { IncomingHttpHeaders } from 'node:http';
import { isPreflight } from '../../common/http/headers.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Middleware } from './middleware.ts';
import { sendReply } from './send-outcome.ts';

// The package `cors` takes every OPTIONS for a preflight, so that a request without a key would not be a 401, and leaves
// Access-Control-Request-Method out of Vary. The code around it would be longer than this file.

/** Response headers that a page may read. `*` covers all others, but not in a response to a request with cookies. */
const EXPOSED =
  'Allow, Date, Deprecation, ETag, Link, Location, Retry-After, Sunset, WWW-Authenticate, X-Fault';

/** How long a browser may remember the answer to a preflight, in seconds. */
const MAX_AGE = 600;

const PREFLIGHT_VARY = 'Access-Control-Request-Method, Access-Control-Request-Headers';

/**
 * Creates the middleware that lets browser apps of any origin call the service and read its responses.
 * @param origins Origins that may send cookies.
 * @param sessions Whose journals have the preflights.
 * Source: Fetch standard, CORS protocol
 */
export function createCors(origins: readonly string[], sessions: Sessions): Middleware {
  return ({ method, headers }, { locals }, next) => {
    const { call } = locals;
    const { origin = '' } = headers;
    const isTrusted = origins.includes(origin);
    const allowed: Readonly<Record<string, string>> = isTrusted
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' }
      : { 'Access-Control-Allow-Origin': '*' };
    Object.assign(call.responseHeaders, allowed);
    if (isPreflight({ method, headers })) {
      const session = sessions.get(call.sessionName);
      if (session !== undefined) call.enter(session);
      if (!isTrusted) call.hint = describeRefusal(origin);
      sendReply(call, answerPreflight(headers, isTrusted));
      return;
    }
    call.responseHeaders['Access-Control-Expose-Headers'] = isTrusted ? EXPOSED : '*';
    next();
  };
}

/** Returns why a browser sends no request with cookies after a preflight. A preflight does not say whether the request has some. */
function describeRefusal(origin: string): string {
  const isOfHttp = /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;
  // Such as `null`, the origin of a file. The option would refuse it.
  return isOfHttp ? `cookies need --cors-origin ${origin}` : 'cookies need a page that is served over HTTP';
}

/** Allows the method and the headers that are asked for, since `*` would not cover Authorization. */
function answerPreflight(asked: IncomingHttpHeaders, isTrusted: boolean): Reply {
  const names = asked['access-control-request-headers'];
  const headers = {
    'Access-Control-Allow-Methods': asked['access-control-request-method'] ?? '',
    ...(names !== undefined && { 'Access-Control-Allow-Headers': names }),
    'Access-Control-Max-Age': MAX_AGE,
    Vary: isTrusted ? `Origin, ${PREFLIGHT_VARY}` : PREFLIGHT_VARY,
  };
  return { status: 204, headers, body: '' };
}
