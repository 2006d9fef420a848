import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { describeHost, type HostCheck, hasSeveralHosts } from '../../common/http/host-check.ts';
import { isSessionName } from '../../common/http/session-path.ts';
import type { Middleware } from './http-context.ts';

/** Refuses a request of HTTP/1.1 without exactly one Host. Source: RFC 9112 section 3.2 */
export const expectOneHost: Middleware = ({ headers, rawHeaders, httpVersion }, _response, next) => {
  if (headers.host === undefined && httpVersion === '1.1')
    throw invalidRequest('The Host header is missing.');
  if (hasSeveralHosts(rawHeaders)) throw invalidRequest('There is more than one Host header.');
  next();
};

/** Creates the middleware that refuses a Host which is not allowed. */
export function createExpectHost(isHostAllowed: HostCheck): Middleware {
  return ({ headers: { host } }, _response, next) => {
    if (!isHostAllowed(host)) throw new ApiError('host_not_allowed', describeHost(host));
    next();
  };
}

/** Creates the middleware that leaves the router of a page if the Host is not allowed or the session has a wrong name. */
export function createSkipPage(isHostAllowed: HostCheck): Middleware {
  return ({ headers: { host } }, { locals: { context } }, next) => {
    const { sessionName = 'mock' } = context;
    next(isHostAllowed(host) && isSessionName(sessionName) ? undefined : 'router');
  };
}
