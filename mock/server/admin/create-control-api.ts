import type { IRouter } from 'express';
import { ApiError, describeValue, invalidRequest } from '../../../common/http/api-error.ts';
import { CONSOLE_HEADER } from '../../../common/http/console-header.ts';
import { createRouter } from '../../../common/http/create-router.ts';
import type { HostCheck } from '../../../common/http/host-check.ts';
import { createReply } from '../../../common/http/reply.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import { printSuggestion } from '../../../common/text/suggest.ts';
import { parseBody } from '../../service/read-request.ts';
import { findKeyError } from '../../service/refuse-key.ts';
import type { Query } from '../../service/types.ts';
import type { ControlMethod } from '../../session/control-operation.ts';
import { expectOneSession } from '../../session/session-name.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { ErrorMiddleware, Middleware } from '../middleware.ts';
import { createReadBody } from '../read-body.ts';
import { refuseMethod } from '../refusals.ts';
import { sendReply, toCheck } from '../send-outcome.ts';
import { type ControlRoute, controlRoutes } from './control-routes.ts';
import { refuseForeign, refuseForm } from './refuse-foreign.ts';

/** Maximum size of a body that the control API reads, in bytes: 64 MiB. It may contain all animals. */
export const LARGEST_ADMIN_BODY = 64 * 1024 * 1024;

const readBody = createReadBody(LARGEST_ADMIN_BODY);

export interface ControlApiDependencies {
  readonly sessions: Sessions;
  readonly admin: boolean;
  readonly adminToken?: string | undefined;
  /** True if only this machine reaches the mock. */
  readonly isLoopback: boolean;
  readonly isHostAllowed: HostCheck;
}

/** Creates the routes of the control API, under `/__admin`, and of `/health`. */
export function createControlApi(dependencies: ControlApiDependencies): IRouter {
  const router = createRouter();
  const health = ['/health', '/__admin/health'];
  router.all(health, enter);
  router.get(health, answerHealth);
  router.all(health, toCheck(refuseMethod('GET, HEAD')));
  router.use('/__admin', enter, dependencies.admin ? createCalls(dependencies) : refuseAll);
  return router;
}

/** The code tells the client of another process that this is a mock. */
const refuseAll = toCheck(({ path }) => {
  const message = `There is nothing at ${path}. The control API is off, because the mock was started with --no-admin.`;
  return new ApiError('control_api_off', message).reply;
});

/** Keeps the requests out of the journal, those of the console also out of the log, and their responses out of caches. */
const enter: Middleware = ({ headers }, { locals }, next) => {
  const { call } = locals;
  locals.isUnlogged = headers[CONSOLE_HEADER] !== undefined;
  call.isRecorded = false;
  call.responseHeaders['Cache-Control'] = 'no-store';
  next();
};

const answerHealth: Middleware = ({ originalUrl }, { locals }) => {
  locals.isUnlogged = originalUrl === '/health';
  sendReply(locals.call, createReply(200, '{"status":"ok"}'));
};

function createCalls(dependencies: ControlApiDependencies): IRouter {
  const calls = createRouter();
  calls.use(createRefuse(dependencies));
  for (const route of controlRoutes) {
    const verb = route.method.toLowerCase() as Lowercase<ControlMethod>;
    calls[verb](toExpressPath(route.path), createCall(route, dependencies.sessions));
  }
  for (const [path, routes = []] of Object.entries(Object.groupBy(controlRoutes, ({ path }) => path))) {
    const allowed = routes.map(({ method }) => method).join(', ');
    calls.all(toExpressPath(path), toCheck(refuseMethod(allowed)));
  }
  calls.use(refuseUnknown);
  calls.use(answerProblems);
  return calls;
}

/** Writes `/animals/{id}` of the control API's document as `/animals/:id`. */
function toExpressPath(path: string): string {
  return path.replace(/\{(\w+)\}/, ':$1');
}

function createCall({ path, method, isForExisting, handle }: ControlRoute, sessions: Sessions): Middleware {
  const [, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  return async (request, response) => {
    const { call } = response.locals;
    const bytes = await readBody(request);
    const body = bytes.length === 0 ? undefined : parseBody(bytes);
    const { sessionName, sessionNames } = call;
    expectOneSession(sessionNames);
    const session = isForExisting
      ? sessions.expect(sessionName)
      : sessions.find(sessionName, request.method !== 'GET');
    const query = readQuery(call.query);
    const param = request.params[name] ?? '';
    const result = await handle({ session, sessions, query, param, body: body as never, call });
    if (response.headersSent) return;
    if (result === undefined) sendReply(call, { status: 204, headers: {}, body: '' });
    else sendReply(call, createReply(method === 'POST' ? 201 : 200, printExactJson(result as ExactJson)));
  };
}

/** @throws ApiError `invalid_request` for a parameter that is given more than once */
function readQuery(given: Query): Readonly<Record<string, string>> {
  const [twice] = [...given].find(([name]) => given.getAll(name).length > 1) ?? [];
  if (twice === undefined) return Object.fromEntries(given);
  const name = /^\w{1,40}$/.test(twice) ? twice : describeValue(twice);
  throw invalidRequest(`The query has ${name} more than once. Give it once.`);
}

const refuseUnknown: Middleware = (_request, { locals: { call } }) => {
  const known = controlRoutes.map(({ path }) => `/__admin${path}`);
  const hint = printSuggestion(call.path, known) || '.';
  const where = 'The operations are in /__admin/openapi.yaml.';
  throw new ApiError('not_found', `There is nothing at ${call.path}${hint} ${where}`);
};

/** Answers with each member that is wrong, so that a form can show the problems at its fields. */
const answerProblems: ErrorMiddleware = (error, _request, { locals: { call } }, next) => {
  if (!(error instanceof ApiError) || error.problems.length === 0) return next(error);
  const { code, message, problems, reply } = error;
  const { status } = reply;
  const body = JSON.stringify({ code, message, status, problems });
  return sendReply(call, { ...createReply(status, body), error: { code, message } });
};

/** Creates the check for requests from pages of other origins, from other machines, and without the token. */
function createRefuse({ adminToken, isLoopback, isHostAllowed }: ControlApiDependencies): Middleware {
  const wording = { name: 'admin token', example: '<ADMIN_TOKEN>' };
  const why = 'The control API is disabled, because other machines can reach this mock';
  const disabled = `${why}. Enable it with --admin-token <token>, or adminToken in code.`;
  return toCheck(({ request }) => {
    const { headers } = request;
    const refusal = refuseForeign(headers, isHostAllowed);
    if (refusal !== undefined) return refusal.reply;
    if (adminToken) {
      const error = findKeyError(headers.authorization, [adminToken], wording);
      return error && new ApiError('unauthorized', error.message, { 'WWW-Authenticate': 'Bearer' }).reply;
    }
    return isLoopback ? refuseForm(request)?.reply : new ApiError('forbidden', disabled).reply;
  });
}
