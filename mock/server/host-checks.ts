import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { describeHost, type HostCheck, hasSeveralHosts } from '../../common/http/host-check.ts';
import { hasSeveralSessions, isSessionName } from '../session/session-name.ts';
import type { Middleware } from './middleware.ts';

/** Refuses a request of HTTP/1.1 without exactly one Host. Source: RFC 9112 section 3.2 */
export const expectOneHost: Middleware = (request, { locals: { call } }, next) => {
  const problem = findHostProblem(request);
  if (problem === undefined) return next();
  // It may be for a page, which is not in the journal.
  call.isRecorded = false;
  throw invalidRequest(problem);
};

function findHostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined;
  return hasSeveralHosts(rawHeaders) ? 'There is more than one Host header.' : undefined;
}

export function createExpectHost(isHostAllowed: HostCheck): Middleware {
  return ({ headers: { host } }, _response, next) => {
    if (!isHostAllowed(host)) throw new ApiError('host_not_allowed', describeHost(host));
    next();
  };
}

/** Creates the middleware that leaves the router of a page if the Host is not allowed or the session has a wrong name or two. */
export function createSkipPage(isHostAllowed: HostCheck): Middleware {
  return ({ headers: { host } }, { locals: { call } }, next) => {
    const { sessionName, sessionNames } = call;
    const hasName = sessionName === undefined || isSessionName(sessionName);
    const isSession = hasName && !hasSeveralSessions(sessionNames);
    next(isHostAllowed(host) && isSession ? undefined : 'router');
  };
}
