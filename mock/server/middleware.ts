import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { HttpCall } from './http-call.ts';

type Params = Readonly<Record<string, string>>;

interface Locals extends Record<string, unknown> {
  call: HttpCall;
  /** True for pages, calls of the console and health checks, which the log leaves out. */
  isUnlogged?: boolean;
}

/** Middleware of the mock: `response.locals` has the call of the request. */
export type Middleware = RequestHandler<Params, unknown, unknown, unknown, Locals>;
export type ErrorMiddleware = ErrorRequestHandler<Params, unknown, unknown, unknown, Locals>;
