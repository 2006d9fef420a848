import type { Server } from 'node:http';
import type { Express } from 'express';
import { toOriginForm } from '../../common/http/answer-client-error.ts';
import { createServer } from '../../common/http/create-server.ts';
import type { ServerTls } from '../../common/tls/trust.ts';

/** Creates the server of an application. Express finds no route for a target that begins with a scheme and a host. */
export function createMockServer(app: Express, tls?: ServerTls): Server {
  return createServer((request, response) => {
    request.url = toOriginForm(request.url ?? '/');
    app(request, response);
  }, tls);
}
