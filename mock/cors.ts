import type { RequestHandler } from 'express';

/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = 600;

/**
 * Lets a browser app of any origin call the mock with any method and header, and read every header of the answer.
 * Source: Fetch standard, CORS protocol. An OPTIONS request that is no preflight is left to the routes.
 */
export const cors: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  const method = request.headers['access-control-request-method'];
  if (request.method !== 'OPTIONS' || method === undefined) {
    response.setHeader('Access-Control-Expose-Headers', '*');
    next();
    return;
  }
  // `*` would not cover Authorization, so what was asked for is what is allowed.
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
  response.setHeader('Access-Control-Allow-Methods', method);
  response.setHeader('Access-Control-Max-Age', MAX_AGE);
  response.setHeader('Vary', 'Access-Control-Request-Method, Access-Control-Request-Headers');
  response.writeHead(204).end();
};
