import { timingSafeEqual } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { describeHost, type HostCheck } from '../../common/host-check.ts';
import { ApiError } from '../api/errors.ts';

// Made once, because a stack trace, which nobody reads, is what takes longest in refusing a request.
const missing = unauthorized('The API key is missing');
const noBearerToken = unauthorized('The Authorization header does not hold a bearer token');
const invalid = unauthorized('The API key is invalid');

/**
 * Lets requests pass that have an allowed Host and, where one is needed, a valid key. It writes a refusal at once: Express would
 * look for the error handler among all the routes.
 */
export function createAuthenticate(
  apiKeys: readonly string[],
  writeError: ErrorRequestHandler,
  isHostAllowed: HostCheck = () => true,
): RequestHandler {
  const expectKey = createExpectKey(apiKeys);
  return (request, response, next) => {
    try {
      expectHost(request, isHostAllowed);
      if (/^\/(?:v1|messages)(?:\/|$)/.test(request.path)) expectKey(request.headers.authorization);
    } catch (error) {
      writeError(error, request, response, next);
      return;
    }
    next();
  };
}

/** Source: RFC 9112 section 3.2 */
function expectHost({ headers, httpVersion }: Request, isAllowed: HostCheck): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ApiError('invalid_request', 'The Host header is missing.');
  }
  if (!isAllowed(headers.host)) throw new ApiError('host_not_allowed', describeHost(headers.host));
}

/** The scheme is matched in any case, the key in constant time. Source: RFC 9110 section 11.4; RFC 6750 section 3 */
function createExpectKey(apiKeys: readonly string[]): (authorization: string | undefined) => void {
  // One byte longer than the longest key: what does not fit differs from each of them in the last byte already.
  const size = Math.max(...apiKeys.map((key) => key.length)) + 1;
  const known = apiKeys.map((key) => pad(key, Buffer.alloc(size)));
  const candidate = Buffer.alloc(size);
  return (authorization) => {
    if (authorization === undefined) throw missing;
    const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
    if (token === undefined) throw noBearerToken;
    pad(token, candidate);
    // Every key is compared, whatever the ones before it gave.
    const matches = known.filter((key) => timingSafeEqual(key, candidate));
    if (matches.length === 0) throw invalid;
  };
}

/** Fills the buffer with the key, as the bytes of a header, and zeros, which no header holds. */
function pad(key: string, buffer: Buffer): Buffer {
  buffer.fill(0).write(key, 'latin1');
  return buffer;
}

function unauthorized(what: string): ApiError {
  const message = `${what}. Send it as "Authorization: Bearer <API_KEY>".`;
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
}
