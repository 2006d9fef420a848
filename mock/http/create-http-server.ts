import type http from 'node:http';
import type express from 'express';
import { answerClientErrors, answerConnect, toOriginForm } from '../../common/answer-client-error.ts';
import { gatherChunks } from '../../common/gather-chunks.ts';
import type { App } from './app.ts';

// An import of node:http would load all that it exports, among it a WebSocket client: an eighth of the time of a start.
const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

/**
 * Creates the HTTP server of an app.
 * Express gives each request and response a prototype of its own, which costs more than its routing.
 * Here Node creates them with that prototype, so that Express finds nothing to change.
 * @param keepsConnections returns whether the connection of a response stays open for the next request.
 */
export function createHttpServer({ routes, handle }: App, keepsConnections: () => boolean): http.Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {
    override writeHead(status: number, ...others: readonly unknown[]): this {
      if (!keepsConnections()) this.shouldKeepAlive = false;
      return super.writeHead(status, ...(others as []));
    }
  }
  Object.setPrototypeOf(Request.prototype, routes.request);
  Object.setPrototypeOf(Response.prototype, routes.response);
  Object.assign(routes, { request: Request.prototype, response: Response.prototype });
  const options = {
    IncomingMessage: Request,
    ServerResponse: Response,
    optimizeEmptyRequests: true,
    // Node would refuse a request without Host by itself, and with an empty body.
    requireHostHeader: false,
  };
  const listen = (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (!keepsConnections() && isRepeated(request)) {
      request.socket.destroy();
      return;
    }
    gatherChunks(request);
    request.url = toOriginForm(request.url ?? '/');
    handle(request as express.Request, response as express.Response);
  };
  // Of what a client may expect, only 100-continue means anything; Node would refuse the rest with an empty body.
  const server = createServer(options, listen).on('checkExpectation', listen).on('connect', answerConnect);
  return answerClientErrors(server);
}

/**
 * Returns whether the client sends a request again if its connection breaks. Browsers do, POST too, if the connection was
 * used before. Only browsers send Sec-Fetch-Site.
 */
function isRepeated({ headers, socket }: http.IncomingMessage): boolean {
  return socket.bytesWritten > 0 && headers['sec-fetch-site'] !== undefined;
}
