import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../api-error.ts';
import { expectJsonType } from '../expect-json-type.ts';
import { describeHost, type HostCheck } from '../host-check.ts';

/** Refuses a request to a control API that a page of another site may have sent. */
export function refuseForeign(
  { host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  isHostAllowed: HostCheck,
): ApiError | undefined {
  if (!isHostAllowed(host)) return new ApiError('host_not_allowed', describeHost(host));
  if (site !== 'cross-site') return undefined;
  return new ApiError('forbidden', 'The control API takes no request from a page of another site.');
}

/**
 * Refuses a request that a page may send to any origin without asking: a form, or, from a page of another origin, nothing.
 * JSON it may not send. Source: Fetch standard, CORS protocol
 */
export function refuseForm({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): ApiError | undefined {
  const { 'content-type': type } = headers;
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (isRead || (!hasBody(headers) && isOfOwnOrigin(headers))) return undefined;
  try {
    expectJsonType(type);
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
}

/** No browser leaves Origin out of such a request. Behind a proxy of a development server, Host may be another. */
function isOfOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin === undefined || site === 'same-origin' || URL.parse(origin)?.host === host;
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
