import type { RequestHandler } from 'express';

/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = 600;

/** Let a browser app of any origin read the answer and its headers. Source: Fetch standard, CORS protocol */
export const corsHeaders = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' };

/**
 * Answers preflights: any method and any header may be sent. Another OPTIONS request is left to the
 * routes. Source: Fetch standard, CORS protocol
 */
export const answerPreflight: RequestHandler = (request, response, next) => {
  const method = request.headers['access-control-request-method'];
  if (request.method !== 'OPTIONS' || method === undefined) {
    next();
    return;
  }
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
};
