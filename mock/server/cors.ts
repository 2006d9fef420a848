import { isPreflight } from '../../common/http/request-headers.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import type { Middleware } from './http-context.ts';

// The package `cors` takes every OPTIONS for a preflight, so that a request without a key would not be a 401, and leaves
// Access-Control-Request-Method out of Vary. The code around it would be longer than this file.

/** Response headers that a page may read. `*` covers all others, but not in a response to a request with cookies. */
const EXPOSED =
  'Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate, X-Fault';

/** How long a browser may remember the answer to a preflight, in seconds. */
const MAX_AGE = 600;

const ASKED = ['Access-Control-Request-Method', 'Access-Control-Request-Headers'];

/**
 * Creates the middleware that lets browser apps of any origin call the service and read its responses.
 * @param origins Origins that may send cookies.
 * Source: Fetch standard, CORS protocol
 */
export function createCors(origins: readonly string[]): Middleware {
  return (request, response, next) => {
    const { origin = '', 'access-control-request-method': method = '' } = request.headers;
    const isTrusted = origins.includes(origin);
    response.setHeader('Access-Control-Allow-Origin', isTrusted ? origin : '*');
    if (isTrusted) response.setHeader('Access-Control-Allow-Credentials', 'true');
    if (!isPreflight(request)) {
      response.setHeader('Access-Control-Expose-Headers', isTrusted ? EXPOSED : '*');
      if (isTrusted) response.setHeader('Vary', 'Origin');
      next();
      return;
    }
    const names = request.headers['access-control-request-headers'];
    // `*` would not cover Authorization.
    if (names !== undefined) response.setHeader('Access-Control-Allow-Headers', names);
    const headers = {
      'Access-Control-Allow-Methods': method,
      'Access-Control-Max-Age': MAX_AGE,
      Vary: [...(isTrusted ? ['Origin'] : []), ...ASKED].join(', '),
    };
    writeReply(response, { status: 204, headers, body: '' }, {});
  };
}
