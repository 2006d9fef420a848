import express, { type Express } from 'express';
import { ApiError } from '../../common/http/api-error.ts';
import { createConsoleRouter } from '../../common/http/console-router.ts';
import { createRouter } from '../../common/http/create-router.ts';
import { SESSION_PATH } from '../session/session-name.ts';
import { type ControlApiDependencies, createControlApi } from './admin/create-control-api.ts';
import { createAnswerError } from './answer-error.ts';
import { createCors } from './cors.ts';
import { createContractRouter, createDocs } from './docs/create-docs.ts';
import { createEnterSession } from './enter-session.ts';
import { createExpectHost, createSkipPage, expectOneHost } from './host-checks.ts';
import { HttpCall } from './http-call.ts';
import type { Middleware } from './middleware.ts';
import { refuseControlPath, refusePath } from './refusals.ts';
import { sendOutcome, toCheck } from './send-outcome.ts';
import { createQuickstart, createService } from './service.ts';

interface AppDependencies extends ControlApiDependencies {
  /** Undefined without a log. */
  readonly requestLog: Middleware | undefined;
  /** Origins that may send cookies. */
  readonly corsOrigins: readonly string[];
  /** Whether a request of the service has to name a session. */
  readonly requireSession: boolean;
  /** Why the console is off; undefined if it is on. */
  readonly consoleOff: string | undefined;
  readonly reportFault: (error: unknown) => void;
}

/** Creates the Express application. The mock itself is at `/`, and each session under `/sessions/:session`. */
export function createApp(dependencies: AppDependencies): Express {
  const { sessions, requestLog, reportFault } = dependencies;
  const createCall: Middleware = (request, response, next) => {
    response.locals.call = new HttpCall(request, response, sessions.mock);
    next();
  };
  const routes = createRoutes(dependencies);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(createCall);
  if (requestLog !== undefined) app.use(requestLog);
  app.use(expectOneHost);
  // Express would decode a parameter here, and refuse `%ff` before the checks and without CORS.
  app.use(SESSION_PATH, routes);
  app.use(routes);
  app.use(toCheck(refusePath));
  app.use(createAnswerError(reportFault));
  return app;
}

function createRoutes(dependencies: AppDependencies) {
  const { sessions, isHostAllowed, requireSession, consoleOff, corsOrigins } = dependencies;
  const enter = [
    createCors(corsOrigins, sessions),
    createExpectHost(isHostAllowed),
    toCheck(createEnterSession(sessions, requireSession)),
  ];
  const pages = createRouter();
  pages.use(createSkipPage(isHostAllowed));
  pages.use(createDocs());
  if (consoleOff === undefined) pages.use(createConsoleRouter({ isShared: true }));

  const routes = createRouter();
  routes.use('/v1/__admin', toCheck(refuseControlPath));
  routes.use('/v1', createService(enter));
  routes.use(createQuickstart(enter));
  routes.use(pages);
  routes.use(createControlApi(dependencies));
  // Faults apply to all other paths too, and the journal has them.
  routes.use(...enter, failByFault, createContractRouter());
  if (consoleOff !== undefined)
    routes.all(
      '/',
      toCheck(() => new ApiError('not_found', consoleOff).reply),
    );
  return routes;
}

/** Applies faults to a request that is not for the service. */
const failByFault: Middleware = async (_request, { locals: { call } }, next) => {
  // A session that does not exist has no faults.
  const outcome = call.isRecorded ? await call.session.enter(call) : undefined;
  if (outcome === undefined) next();
  else sendOutcome(call, outcome);
};
