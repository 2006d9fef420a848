import type { RequestListener, Server } from 'node:http';
import express from 'express';
import { toOriginForm } from '../../common/http/answer-client-error.ts';
import { createServer } from '../../common/http/create-server.ts';
import type { ServerTls } from '../../common/tls/trust.ts';

const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');

export function createHttpServer(handle: RequestListener, tls?: ServerTls): Server {
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
  return createServer(serve, tls);
}
