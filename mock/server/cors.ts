import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../../common/http/reply.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import type { Preflights } from '../session/preflights.ts';
import type { Middleware } from './middleware.ts';

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
 * @param preflights Keeps the preflights, and learns which requests follow.
 * Source: Fetch standard, CORS protocol
 */
export function createCors(origins: readonly string[], preflights: Preflights): Middleware {
  return ({ method, headers }, { locals }, next) => {
    const { context } = locals;
    const { origin = '' } = headers;
    const isTrusted = origins.includes(origin);
    const asked = { origin, method: headers['access-control-request-method'] ?? '' };
    const allowed: Readonly<Record<string, string>> = isTrusted
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' }
      : { 'Access-Control-Allow-Origin': '*' };
    if (isPreflight({ method, headers })) {
      locals.preflight = asked;
      preflights.record({ ...asked, target: context.originalUrl }, new Date(context.time));
      writeReply(context.response, answerPreflight(headers, isTrusted), allowed);
      return;
    }
    if (origin !== '')
      preflights.follow({ origin, method, target: context.originalUrl }, context.sessionName);
    const exposed = { 'Access-Control-Expose-Headers': isTrusted ? EXPOSED : '*' };
    Object.assign(context.responseHeaders, allowed, exposed);
    next();
  };
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
