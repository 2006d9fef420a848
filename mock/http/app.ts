import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { ApiError } from '../api/errors.ts';
import type { OperationContext } from '../api/operations.ts';
import type { ExpectKey } from './auth.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { createErrorWriter, nothingAt, type WriteError } from './error-writer.ts';
import { createReplyWriter } from './reply-writer.ts';
import { mountMessageRoute } from './routes/mount-message-route.ts';
import { mountPetRoutes } from './routes/mount-pet-routes.ts';

/** What the app is made of. */
export interface AppDependencies extends OperationContext {
  readonly expectKey: ExpectKey;
  /** Logs each request, unless requests are not logged. */
  readonly requestLog?: RequestHandler | undefined;
  /** Whether browsers on other origins may call. */
  readonly cors: boolean;
  /** Told of each failure that is the mock's own fault. */
  readonly reportFault: (error: unknown) => void;
}

/** Creates the Express app; this is the one place that says in which order a request meets what. */
export function createApp(dependencies: AppDependencies): Express {
  const app = express();
  const writeReply = createReplyWriter(dependencies.cors ? corsHeaders : {});
  const writeError = createErrorWriter(dependencies.reportFault, writeReply);
  // Express knows an error handler by its four parameters.
  const handleError: ErrorRequestHandler = (error, request, response, _next) =>
    writeError(error, request, response);

  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  if (dependencies.requestLog !== undefined) app.use(dependencies.requestLog);
  if (dependencies.cors) app.use(answerPreflight);
  app.use(createGate(dependencies.expectKey, writeError));
  mountPetRoutes(app, dependencies, writeReply);
  mountMessageRoute(app, dependencies, writeReply);
  app.use(refuseUnknownPath);
  app.use(handleError);
  return app;
}

/**
 * Lets valid requests pass that carry a key. It writes a refusal at once: Express would look for the error handler among
 * all the routes.
 */
function createGate(expectKey: ExpectKey, writeError: WriteError): RequestHandler {
  return (request, response, next) => {
    try {
      expectHost(request);
      if (needsKey(request.path)) expectKey(request.headers.authorization);
    } catch (error) {
      writeError(error, request, response);
      return;
    }
    next();
  };
}

/** Source: RFC 9112 section 3.2 */
function expectHost({ headers, httpVersion }: Request): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ApiError('invalid_request', 'The Host header is missing.');
  }
}

function needsKey(path: string): boolean {
  return /^\/(?:v1|messages)(?:\/|$)/.test(path);
}

const refuseUnknownPath: RequestHandler = (request) => {
  throw nothingAt(request.path);
};
