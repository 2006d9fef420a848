import type { RequestListener, Server } from 'node:http';
import express from 'express';
import { answerClientErrors, answerConnect, toOriginForm } from '../../common/http/answer-client-error.ts';

// An import would load all that node:http exports, with a WebSocket client: an eighth of the time of a start.
const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

export function createHttpServer(handle: RequestListener): Server {
  const listen: RequestListener = (request, response) => {
    request.url = toOriginForm(request.url ?? '/');
    handle(request, response);
  };
  const app = express().disable('x-powered-by').use(listen);
  // Express would change the prototypes of each request, which is slow.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  // Express calls back for a URL that it cannot parse.
  const serve: RequestListener = (request, response) =>
    app(request as express.Request, response as express.Response, () => listen(request, response));
  // Node would refuse a request without Host with an empty body, and so an unknown expectation.
  const server = createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, serve);
  return answerClientErrors(server.on('checkExpectation', serve).on('connect', answerConnect));
}
