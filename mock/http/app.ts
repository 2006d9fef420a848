import express, { type Express, type Request, type Response } from 'express';
import { ApiError } from '../../common/api-error.ts';
import { createConsole } from '../../common/control/create-console.ts';
import { keepBody } from '../../common/control/journal-entry.ts';
import { readTime } from '../../common/real-time.ts';
import type { Reply } from '../../common/reply.ts';
import type { OperationContext } from '../api/operations.ts';
import type { FaultSource, Outcome } from '../control/create-faults.ts';
import type { Service } from '../control/create-service.ts';
import type { Sessions } from '../control/create-sessions.ts';
import { applyFault } from './apply-fault.ts';
import { createAuthenticate, needsKey } from './authenticate.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { type AdminDependencies, createAdmin } from './create-admin.ts';
import { createDocs } from './create-docs.ts';
import { createWriters, nothingAt } from './create-writers.ts';
import { mountContract } from './mount-contract.ts';
import { mountRoutes } from './mount-routes.ts';
import type { RequestLog } from './request-log.ts';

/** What the app is made of. */
export interface AppDependencies extends AdminDependencies {
  /** What serves all requests but those of sessions. */
  readonly service: Service;
  /** Logs each request, unless requests are not logged. */
  readonly requestLog?: RequestLog | undefined;
  /** Whether browsers on other origins may call. */
  readonly cors: boolean;
}

/** What answers every request: the routes in Express, and what comes before and after them. */
export interface App {
  readonly routes: Express;
  handle(request: Request, response: Response): void;
  /** Ends the answers that have no end of their own. */
  close(): void;
}

/**
 * Creates the app; this is the one place that says in which order a request meets what. What every request meets is called
 * here and not by Express, which takes longer to call a function than these take.
 */
export function createApp(dependencies: AppDependencies): App {
  const { cors, isHostAllowed, reportFault, requestLog, service: root, sessions } = dependencies;
  const usualHeaders = cors ? corsHeaders : {};
  const record = (response: Response, answer?: Reply) => {
    // A session whose requests are all refused does not exist.
    if (sessions.isKept(localsOf(response).service)) recordRequest(response, answer);
  };
  const { writeReply, writeError } = createWriters(usualHeaders, reportFault, record);
  // By the array of keys, which sessions share until they change theirs.
  const authenticates = new WeakMap<readonly string[], ReturnType<typeof createAuthenticate>>();
  const toAuthenticate = (apiKeys: readonly string[]) => {
    const authenticate = createAuthenticate(apiKeys, isHostAllowed);
    authenticates.set(apiKeys, authenticate);
    return authenticate;
  };
  const admin = createAdmin(dependencies);
  const { admin: hasAdmin, adminToken, isLoopback } = dependencies;
  const hasConsole = hasAdmin && (isLoopback || adminToken !== undefined);
  const answerDocs = createDocs(dependencies, hasConsole);
  const answerConsole = createConsole({ pattern: consolePattern, isShared: true, isHostAllowed });
  const routes = express();
  routes.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  mountRoutes(routes, writeReply);
  mountContract(routes, writeReply);
  const serve = (request: Request, response: Response, fail: (error: unknown) => void) => {
    try {
      const { apiKeys } = localsOf(response).service.settings;
      const authenticate = authenticates.get(apiKeys) ?? toAuthenticate(apiKeys);
      const refusal = authenticate(request);
      if (refusal !== undefined) {
        fail(refusal);
        return;
      }
      if (needsKey(request)) keepSession(sessions, response);
      routes(request, response, fail);
    } catch (error) {
      fail(error);
    }
  };
  const handle = (request: Request, response: Response) => {
    response.locals = createLocals(root);
    const fail = (error: unknown) => writeError(error ?? nothingAt(request.path), request, response);
    try {
      // Source: RFC 9112 section 3.2
      if (request.rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1) {
        requestLog?.(request, response);
        throw new ApiError('invalid_request', 'There is more than one Host header.');
      }
      if (answerDocs(request, response)) return;
      // Most requests are seen sooner.
      const mayBePage = hasConsole && !request.url.startsWith('/v1/');
      if (mayBePage && answerConsole(request, response)) return;
      requestLog?.(request, response);
      if (request.url.startsWith('/sessions/')) enterSession(sessions, request, response);
      const { service } = localsOf(response);
      const { faults, settings } = service;
      if (admin.answer(service, request, response)) return;
      if (settings.isClockMoved) response.setHeader('Date', settings.now().toUTCString());
      if (cors && answerPreflight(request, response)) return;
      if (!faults.isActive && request.headers.prefer === undefined) {
        serve(request, response, fail);
        return;
      }
      const goOn = () => serve(request, response, fail);
      const hold = sessions.hold.bind(undefined, service);
      const ends = { writeReply, onAnswer: record, goOn, usualHeaders, hold };
      applyFault(chooseFault(faults, request), request, response, ends);
    } catch (error) {
      fail(error);
    }
  };
  return { routes, handle, close: admin.close };
}

/** To a browser at `/` and at `/sessions/{name}/`, its files beneath `__console/` there. */
const consolePattern = /^(?=\/)(?:\/sessions\/[\w.-]{1,64})?(\/(?:__console\/([\w./-]+))?)?(?:\?.*)?$/;

/** What is known of a request while it is answered. */
interface Locals {
  readonly service: Service;
  /** Those of the service when it arrived. */
  readonly operations: OperationContext;
  /** When it arrived, in milliseconds since 1970. */
  readonly time: number;
  /** That of the journal then. */
  readonly period: number;
  readonly errorCode?: string;
  readonly drop?: string;
}

function createLocals(service: Service): Locals {
  const { journal, operations } = service;
  const time = journal === undefined ? 0 : readTime();
  return { service, operations, time, period: journal?.period ?? 0 };
}

function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}

/** Gives a request for `/sessions/w1/…` to that session, beneath which all is as in the mock itself. */
function enterSession(sessions: Sessions, request: Request, response: Response): void {
  const { url } = request;
  const [, name = '', path = ''] = /^\/sessions\/([^/?]*)(\/.*)?$/s.exec(url) ?? [];
  if (path === '') throw nothingAt(request.path);
  response.locals = createLocals(sessions.find(name));
  // For the log, which tells what was sent.
  request.originalUrl = url;
  request.url = path;
}

/** Keeps the session of a request whose key was accepted; another may have made it meanwhile. */
function keepSession(sessions: Sessions, response: Response): void {
  const { service } = localsOf(response);
  const kept = sessions.keep(service);
  if (kept !== service) Object.assign(response.locals, createLocals(kept));
}

function chooseFault(faults: FaultSource, { method, path, headers: { prefer } }: Request): Outcome {
  return faults.choose({ method, path, prefer: prefer?.toString() });
}

/** Tells the journal of a request that has been answered, or broken off. */
function recordRequest(response: Response, answer?: Reply): void {
  const { service, time, period, errorCode, drop } = localsOf(response);
  const { req, statusCode, destroyed } = response;
  service.journal?.record(
    {
      id: 0,
      time,
      ms: readTime() - time,
      method: req.method,
      url: req.url,
      rawHeaders: req.rawHeaders,
      body: req.body?.length > 0 ? keepBody(req.body) : undefined,
      status: destroyed || drop !== undefined ? undefined : statusCode,
      error: errorCode ?? drop,
      answer: destroyed ? undefined : answer,
      port: service.isChecked ? req.socket.remotePort : undefined,
    },
    period,
  );
}
