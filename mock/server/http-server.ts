import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import { answerClientErrors, answerConnect, toOriginForm } from '../../common/http/answer-client-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import { writeReply } from '../../common/http/write-reply.ts';

// An import would load all that node:http exports, with a WebSocket client: an eighth of the time of a start.
const http = process.getBuiltinModule('node:http');

export class MockResponse extends http.ServerResponse {
  /** For the log, like `drop`. */
  error: Reply['error'];
  drop: true | undefined;
  number = 1;

  sendReply(reply: Reply, headers: Reply['headers'] = {}): void {
    this.error = reply.error;
    writeReply(this, reply, headers);
  }
}

export type Handle = (request: IncomingMessage, response: MockResponse) => void;

export function createHttpServer(handle: Handle): Server {
  const options: ServerOptions = {
    ServerResponse: MockResponse as typeof ServerResponse,
    optimizeEmptyRequests: true,
    // Node would refuse a request without Host with an empty body.
    requireHostHeader: false,
  };
  const numbers = new WeakMap<Socket, number>();
  const listen = (request: IncomingMessage, plainResponse: ServerResponse) => {
    const response = plainResponse as MockResponse;
    response.number = (numbers.get(request.socket) ?? 0) + 1;
    numbers.set(request.socket, response.number);
    request.url = toOriginForm(request.url ?? '/');
    handle(request, response);
  };
  const app = express().disable('x-powered-by');
  // Express would change the prototypes of each request, which is slow.
  Object.assign(app, { request: http.IncomingMessage.prototype, response: MockResponse.prototype });
  app.use((request, response) => listen(request, response));
  // Express calls back for a URL that it cannot parse.
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    app(request as express.Request, response as express.Response, () => listen(request, response));
  const server = http.createServer(options, serve);
  // Node would refuse an unknown expectation with an empty body.
  return answerClientErrors(server.on('checkExpectation', serve).on('connect', answerConnect));
}
