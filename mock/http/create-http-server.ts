import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { answerClientErrors, answerConnect, toOriginForm } from '../../common/answer-client-error.ts';
import { gatherChunks } from '../../common/gather-chunks.ts';

/**
 * Creates the HTTP server of an Express app.
 * Express gives each request and response a prototype of its own, which costs more than its routing.
 * Here Node creates them with that prototype, so that Express finds nothing to change.
 */
export function createHttpServer(app: Express): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  const options = {
    IncomingMessage: Request,
    ServerResponse: Response,
    optimizeEmptyRequests: true,
    // Node would refuse a request without Host by itself, and with an empty body.
    requireHostHeader: false,
  };
  const handle: RequestListener<typeof Request, typeof Response> = (request, response) => {
    gatherChunks(request);
    request.url = toOriginForm(request.url ?? '/');
    app(request, response);
  };
  // Of what a client may expect, only 100-continue means anything; Node would refuse the rest with an empty body.
  const server = createServer(options, handle).on('checkExpectation', handle).on('connect', answerConnect);
  return answerClientErrors(server);
}
