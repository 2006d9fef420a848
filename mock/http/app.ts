import express, { type Express, type Request, type Response } from 'express';
import type { OperationContext } from '../api/operations.ts';
import type { FaultSource, Outcome } from '../control/create-faults.ts';
import { type JournalSource, keepBody } from '../control/create-journal.ts';
import type { SettingSource } from '../control/create-settings.ts';
import { applyFault } from './apply-fault.ts';
import { createAuthenticate } from './authenticate.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { type AdminDependencies, createAdmin } from './create-admin.ts';
import { createWriters, nothingAt } from './create-writers.ts';
import { mountContract } from './mount-contract.ts';
import { mountRoutes } from './mount-routes.ts';
import type { RequestLog } from './request-log.ts';

/** What the app is made of. */
export interface AppDependencies extends AdminDependencies {
  /** What the operations work with. */
  readonly operations: OperationContext;
  readonly settings: SettingSource;
  readonly faults: FaultSource;
  /** Keeps each request, unless there is none. */
  readonly journal: JournalSource | undefined;
  /** Logs each request, unless requests are not logged. */
  readonly requestLog?: RequestLog | undefined;
  /** Whether browsers on other origins may call. */
  readonly cors: boolean;
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
  const { cors, faults, isHostAllowed, journal, operations, reportFault, requestLog, settings } =
    dependencies;
  const onAnswer = createRecord(dependencies);
  const { writeReply, writeError } = createWriters(cors ? corsHeaders : {}, reportFault, onAnswer);
  let { apiKeys } = settings;
  let authenticate = createAuthenticate(apiKeys, isHostAllowed);
  const answerAdmin = createAdmin(dependencies);
  const routes = express();
  routes.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  mountRoutes(routes, operations, writeReply);
  mountContract(routes, writeReply);
  const serve = (request: Request, response: Response, fail: (error: unknown) => void) => {
    try {
      if (settings.apiKeys !== apiKeys) {
        apiKeys = settings.apiKeys;
        authenticate = createAuthenticate(apiKeys, isHostAllowed);
      }
      const refusal = authenticate(request);
      if (refusal === undefined) routes(request, response, fail);
      else fail(refusal);
    } catch (error) {
      fail(error);
    }
  };
  const handle = (request: Request, response: Response) => {
    response.locals = journal === undefined ? {} : { time: Date.now(), period: journal.period };
    const fail = (error: unknown) => writeError(error ?? nothingAt(request.path), request, response);
    try {
      requestLog?.(request, response);
      if (answerAdmin(request, response)) return;
      if (settings.isClockMoved) response.setHeader('Date', settings.now().toUTCString());
      if (cors && answerPreflight(request, response)) return;
      if (!faults.isActive && request.headers.prefer === undefined) {
        serve(request, response, fail);
        return;
      }
      const goOn = () => serve(request, response, fail);
      applyFault(chooseFault(faults, request), request, response, { writeReply, onAnswer, goOn });
    } catch (error) {
      fail(error);
    }
  };
  return { routes, handle };
}

function chooseFault(faults: FaultSource, { method, path, headers: { prefer } }: Request): Outcome {
  return faults.choose({ method, path, prefer: prefer?.toString() });
}

/** Creates what tells the journal of a request when it has been answered. */
function createRecord({ journal }: AppDependencies): ((response: Response) => void) | undefined {
  if (journal === undefined) return undefined;
  return ({ req, locals, statusCode, destroyed }) => {
    const { time, period, errorCode, drop } = locals;
    journal.record(
      {
        id: 0,
        time,
        ms: Date.now() - time,
        method: req.method,
        url: req.url,
        rawHeaders: req.rawHeaders,
        body: req.body?.length > 0 ? keepBody(req.body) : undefined,
        status: destroyed || drop !== undefined ? undefined : statusCode,
        error: errorCode ?? drop,
      },
      period,
    );
  };
}
