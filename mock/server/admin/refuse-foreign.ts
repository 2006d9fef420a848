import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../../../common/http/api-error.ts';
import { hasBody } from '../../../common/http/headers.ts';
import { describeHost, type HostCheck } from '../../../common/http/host-check.ts';
import { checkJsonType } from '../../service/refusals.ts';

/** Returns the error of a request to a control API that a page of another site may have sent. */
export function refuseForeign({ host, 'sec-fetch-site': site }: IncomingHttpHeaders, isAllowed: HostCheck) {
  if (!isAllowed(host)) return new ApiError('host_not_allowed', describeHost(host));
  if (site !== 'cross-site') return undefined;
  return new ApiError('forbidden', 'The control API refuses requests from pages of other sites.');
}

/**
 * Returns the error of a request that a page of another origin may send without a preflight: with a form as its body, or
 * without a body. Source: Fetch standard, CORS protocol
 */
export function refuseForm({ method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>) {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (isRead || (!hasBody(headers) && isSameOrigin(headers))) return undefined;
  return checkJsonType(headers['content-type']);
}

/** Browsers send Origin with such a request. If a development server forwards the request, Host may differ from Origin. */
function isSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin === undefined || site === 'same-origin' || URL.parse(origin)?.host === host;
}
