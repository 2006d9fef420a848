import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { createConsole, pageHeaders } from '../../common/http/create-console.ts';
import { describeHost, hasSeveralHosts } from '../../common/http/host-check.ts';
import type { Reply } from '../../common/http/reply.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { isSessionName } from '../../common/http/session-path.ts';
import { createDocs, serveContract } from '../docs/create-docs.ts';
import { applyFault } from '../pipeline/apply-fault.ts';
import type { Outcome, Step } from '../pipeline/context.ts';
import { createPipeline, toErrorReply } from '../pipeline/pipeline.ts';
import { route } from '../pipeline/route.ts';
import { checkKey, createEnterSession, limitRate } from '../pipeline/session-steps.ts';
import { type AdminDependencies, createAdmin } from './admin/create-admin.ts';
import { HttpContext } from './http-context.ts';
import type { RequestLog } from './request-log.ts';

interface AppDependencies extends AdminDependencies {
  readonly requestLog: RequestLog;
  readonly cors: boolean;
  /** Origins that may send cookies. */
  readonly corsOrigins: readonly string[];
  readonly hasConsole: boolean;
  readonly reportFault: (error: unknown) => void;
}

/** Let a browser app of any origin read the response and its headers. Source: Fetch standard, CORS protocol */
const corsHeaders = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' };

const exposed =
  'Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate, X-Fault';

/** Returns the headers for a page of an origin. A browser ignores `*` in a response to a request with cookies. */
function toCorsHeaders(origin: string | undefined, corsOrigins: readonly string[]): Reply['headers'] {
  if (origin === undefined || !corsOrigins.includes(origin)) return corsHeaders;
  const allowed = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' };
  return { ...allowed, 'Access-Control-Expose-Headers': exposed, Vary: 'Origin' };
}

/** Creates the handler of all requests: pages, control API and preflights first, then the pipeline. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { cors, corsOrigins, isHostAllowed, reportFault, requestLog, sessions, hasConsole } = dependencies;
  const answerAdmin = createAdmin(dependencies);
  const answerDocs = createDocs(isHostAllowed, hasConsole);
  const sendConsole = createConsole(true);
  const checkHost: Step = ({ headers: { host } }) =>
    isHostAllowed(host) ? undefined : new ApiError('host_not_allowed', describeHost(host)).reply;
  const enterSession = createEnterSession(sessions);
  const steps = [checkHost, enterSession, limitRate, applyFault, checkKey, route, serveContract];
  const answer = createPipeline(steps, reportFault);
  const answerPage = ({ request, response, sessionName = 'mock', url, headers }: HttpContext) =>
    hasConsole &&
    isSessionName(sessionName) &&
    isHostAllowed(headers.host) &&
    sendConsole(request, response, url);
  const send = async (context: HttpContext, reply: Promise<Reply | undefined>, headers: Reply['headers']) => {
    const sent = await reply.catch((error) => toErrorReply(error, reportFault));
    if (sent !== undefined) context.send(sent, headers);
  };
  return (request, response) => {
    const context = new HttpContext(request, response, sessions.mock);
    const usualHeaders = cors ? toCorsHeaders(request.headers.origin, corsOrigins) : {};
    const malformed = findHostProblem(request);
    // Most requests are for none of them.
    const mayBePage = malformed === undefined && !context.originalUrl.startsWith('/v1/');
    const page = mayBePage ? answerDocs(context) : undefined;
    if (page !== undefined) return void send(context, page, pageHeaders('index.html'));
    if (mayBePage && answerPage(context)) return;
    requestLog?.(context);
    if (malformed !== undefined) return context.send(invalidRequest(malformed).reply, usualHeaders);
    const reply = mayBePage ? answerAdmin(context) : undefined;
    if (reply !== undefined) return void send(context, reply, { 'Cache-Control': 'no-store' });
    if (cors && isPreflight(request))
      return context.send(toPreflightReply(request.headers, usualHeaders), {});
    const outcome = answer(context);
    if (outcome instanceof Promise) outcome.then((later) => sendOutcome(context, later, usualHeaders));
    else sendOutcome(context, outcome, usualHeaders);
  };
}

/** Source: RFC 9112 section 3.2 */
function findHostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined;
  return hasSeveralHosts(rawHeaders) ? 'There is more than one Host header.' : undefined;
}

/** Allows the method and the headers that are asked for, since `*` would not cover Authorization. */
function toPreflightReply(asked: IncomingHttpHeaders, usualHeaders: Reply['headers']): Reply {
  const headers = asked['access-control-request-headers'];
  const { 'Access-Control-Expose-Headers': _, ...allowed } = usualHeaders;
  const vary = 'Access-Control-Request-Method, Access-Control-Request-Headers';
  return {
    status: 204,
    headers: {
      ...allowed,
      'Access-Control-Allow-Methods': asked['access-control-request-method'] ?? '',
      ...(headers === undefined ? {} : { 'Access-Control-Allow-Headers': headers }),
      'Access-Control-Max-Age': 600,
      Vary: allowed.Vary === undefined ? vary : `${allowed.Vary}, ${vary}`,
    },
    body: '',
  };
}

function sendOutcome(context: HttpContext, outcome: Outcome, usualHeaders: Reply['headers']): void {
  const { session, preferenceApplied, response } = context;
  if (outcome === 'drop') {
    if (context.isAborted) return;
    context.drop = true;
    resetConnection(response);
    return;
  }
  const headers: Record<string, string | number> = { ...usualHeaders };
  if (session.settings.now !== null) headers.Date = session.now().toUTCString();
  if (preferenceApplied !== undefined) headers['Preference-Applied'] = preferenceApplied;
  context.send(outcome, headers);
}
