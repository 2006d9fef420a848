import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { createServer } from '../../common/http/create-server.ts';
import { toOriginForm } from '../../common/http/to-origin-form.ts';
import type { ServerTls } from '../../common/tls/trust.ts';

/**
 * Creates the server of an application. Express finds no route for a target that begins with a scheme and a host, and fails to
 * parse some targets with a fragment, which no target may have. Source: RFC 9112 section 3.2
 */
export function createMockServer(app: Express, tls?: ServerTls): Server {
  const classes = createClasses(app);
  return createServer(
    (request, response) => {
      const target = toOriginForm(request.url ?? '/');
      // For the log, which redacts whole keys only.
      Object.assign(request, { originalUrl: target });
      request.url = target.replace(/#.*$/s, '');
      app(request, response);
    },
    tls,
    classes,
  );
}

/**
 * Creates classes of requests and responses that have Express's methods from the start. Express would change the prototypes of
 * each request, which is slow.
 */
function createClasses(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
