import express, { type Express, type Request, type Response } from 'express';
import type { HostCheck } from '../../common/host-check.ts';
import type { OperationContext } from '../api/operations.ts';
import { createAuthenticate } from './authenticate.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { createWriters, nothingAt } from './create-writers.ts';
import { mountContract } from './mount-contract.ts';
import { mountRoutes } from './mount-routes.ts';
import type { RequestLog } from './request-log.ts';

/** What the app is made of. */
export interface AppDependencies extends OperationContext {
  readonly apiKeys: readonly string[];
  readonly isHostAllowed: HostCheck;
  /** Logs each request, unless requests are not logged. */
  readonly requestLog?: RequestLog | undefined;
  /** Whether browsers on other origins may call. */
  readonly cors: boolean;
  /** Told of each failure that is the mock's own fault. */
  readonly reportFault: (error: unknown) => void;
}

/** What answers every request: the routes in Express, and what comes before and after them. */
export interface App {
  readonly routes: Express;
  handle(request: Request, response: Response): void;
}

/**
 * Creates the app; this is the one place that says in which order a request meets what. What every request meets is called
 * here and not by Express, which takes longer to call a function than these take.
 */
export function createApp(dependencies: AppDependencies): App {
  const { apiKeys, cors, isHostAllowed, reportFault, requestLog } = dependencies;
  const { writeReply, writeError } = createWriters(cors ? corsHeaders : {}, reportFault);
  const authenticate = createAuthenticate(apiKeys, isHostAllowed);
  const routes = express();
  routes.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  mountRoutes(routes, dependencies, writeReply);
  mountContract(routes, writeReply);
  const handle = (request: Request, response: Response) => {
    response.locals = {};
    const fail = (error: unknown) => writeError(error ?? nothingAt(request.path), request, response);
    try {
      requestLog?.(request, response);
      if (cors && answerPreflight(request, response)) return;
      const refusal = authenticate(request);
      if (refusal === undefined) routes(request, response, fail);
      else fail(refusal);
    } catch (error) {
      fail(error);
    }
  };
  return { routes, handle };
}
