import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPreflight } from '../../common/is-preflight.ts';

/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = 600;

/** Let a browser app of any origin read the answer and its headers. Source: Fetch standard, CORS protocol */
export const corsHeaders = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' };

/**
 * Answers a preflight: any method and any header may be sent. Another OPTIONS request is left to the
 * routes. Source: Fetch standard, CORS protocol
 * @returns whether it was one.
 */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isPreflight(request)) return false;
  const method = request.headers['access-control-request-method'];
  // `*` would not cover Authorization, so what was asked for is what is allowed.
  const headers = request.headers['access-control-request-headers'];
  response
    .writeHead(204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': method,
      ...(headers === undefined ? {} : { 'Access-Control-Allow-Headers': headers }),
      'Access-Control-Max-Age': MAX_AGE,
      Vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
    })
    .end();
  return true;
}
