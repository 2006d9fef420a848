import type { Request } from 'express';
import { ApiError } from '../../common/api-error.ts';
import { describeHost, type HostCheck } from '../../common/host-check.ts';
import { createRefuseKey } from '../../common/refuse-key.ts';

/** What is read of a request. */
type Credentials = Pick<Request, 'headers' | 'httpVersion' | 'path'>;

/**
 * Creates what refuses a request: one without an allowed Host or, where one is needed, without a valid key. It returns the
 * refusal, since to throw it takes a sixth of the mock's own time.
 */
export function createAuthenticate(
  apiKeys: readonly string[],
  isHostAllowed: HostCheck = () => true,
): (request: Credentials) => ApiError | undefined {
  const refuseKey = createRefuseKey(apiKeys);
  return (request) => {
    const refusal = refuseHost(request, isHostAllowed);
    return refusal ?? (needsKey(request) ? refuseKey(request.headers.authorization) : undefined);
  };
}

/** Whether a request wants a key. */
export function needsKey({ path }: Pick<Request, 'path'>): boolean {
  return /^\/(?:v1|messages)(?:\/|$)/.test(path);
}

/** Source: RFC 9112 section 3.2 */
function refuseHost({ headers, httpVersion }: Credentials, isAllowed: HostCheck): ApiError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') {
    return new ApiError('invalid_request', 'The Host header is missing.');
  }
  return isAllowed(headers.host) ? undefined : new ApiError('host_not_allowed', describeHost(headers.host));
}
