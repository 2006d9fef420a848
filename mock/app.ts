import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { ExpectKey } from './auth.ts';
import { cors } from './cors.ts';
import { ApiError, createErrorReply } from './errors.ts';
import type { OperationContext } from './operations.ts';
import { mountMessageRoute } from './routes/mount-message-route.ts';
import { mountPetRoutes } from './routes/mount-pet-routes.ts';
import { LARGEST_BODY } from './routes/read-body.ts';
import { writeReply } from './write-reply.ts';

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
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  if (dependencies.requestLog !== undefined) app.use(dependencies.requestLog);
  if (dependencies.cors) app.use(cors);
  app.use(['/v1', '/messages'], createKeyGate(dependencies.expectKey));
  mountPetRoutes(app, dependencies);
  mountMessageRoute(app, dependencies);
  app.use(notFound);
  app.use(createErrorWriter(dependencies.reportFault));
  return app;
}

function createKeyGate(expectKey: ExpectKey): RequestHandler {
  return (request, _response, next) => {
    expectKey(request.headers.authorization);
    next();
  };
}

const notFound: RequestHandler = (request) => {
  throw nothingAt(request.path);
};

function nothingAt(path: string): ApiError {
  const message = `There is nothing at ${path}. The animals are at /v1/pets and /v1/pets/{petId}.`;
  return new ApiError('not_found', message);
}

/** The one error writer: whatever failed, the client gets an `Error` body. */
function createErrorWriter(reportFault: (error: unknown) => void): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error, request, response, _next) => {
    const apiError = toApiError(error, request.path);
    if (apiError.code === 'internal_error') reportFault(error);
    response.locals.error = apiError.message;
    writeReply(response, createErrorReply(apiError));
  };
}

/** Express and its body reader give what a client did wrong a 4xx status; all else is our fault. */
function toApiError(error: unknown, path: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError) return nothingAt(path);
  const { status = 500, message } = error as { status?: number; message?: string };
  if (status === 413) {
    return new ApiError('payload_too_large', `The body is larger than ${LARGEST_BODY} bytes (1 MiB).`);
  }
  if (status >= 400 && status < 500) {
    return new ApiError('invalid_request', `The request could not be read: ${message}.`);
  }
  return new ApiError('internal_error', 'The mock failed. Its log says how; please report it.');
}
