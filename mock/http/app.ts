import express, { type Express, type RequestHandler } from 'express';
import type { HostCheck } from '../../common/host-check.ts';
import type { OperationContext } from '../api/operations.ts';
import { createAuthenticate } from './authenticate.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { createWriters, nothingAt } from './create-writers.ts';
import { mountRoutes } from './mount-routes.ts';

/** What the app is made of. */
export interface AppDependencies extends OperationContext {
  readonly apiKeys: readonly string[];
  readonly isHostAllowed: HostCheck;
  /** Logs each request, unless requests are not logged. */
  readonly requestLog?: RequestHandler | undefined;
  /** Whether browsers on other origins may call. */
  readonly cors: boolean;
  /** Told of each failure that is the mock's own fault. */
  readonly reportFault: (error: unknown) => void;
}

/** Creates the Express app; this is the one place that says in which order a request meets what. */
export function createApp(dependencies: AppDependencies): Express {
  const { apiKeys, cors, isHostAllowed, reportFault, requestLog } = dependencies;
  const app = express();
  const { writeReply, writeError } = createWriters(cors ? corsHeaders : {}, reportFault);
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  if (requestLog !== undefined) app.use(requestLog);
  if (cors) app.use(answerPreflight);
  app.use(createAuthenticate(apiKeys, writeError, isHostAllowed));
  mountRoutes(app, dependencies, writeReply);
  app.use(({ path }) => {
    throw nothingAt(path);
  });
  app.use(writeError);
  return app;
}
