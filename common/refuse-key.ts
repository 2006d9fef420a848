import { timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';

/**
 * Creates what refuses an Authorization header without one of the keys: the scheme is matched in any case, the key in
 * constant time. Source: RFC 9110 section 11.4; RFC 6750 section 3
 * @param name what a key is called. @param example what stands for one.
 */
export function createRefuseKey(
  apiKeys: readonly string[],
  name = 'API key',
  example = '<API_KEY>',
): (authorization: string | undefined) => ApiError | undefined {
  // Made once, because a stack trace, which nobody reads, is what takes longest in refusing a request.
  const missing = unauthorized(`The ${name} is missing`, example);
  const noBearerToken = unauthorized('The Authorization header does not hold a bearer token', example);
  const invalid = unauthorized(`The ${name} is invalid`, example);
  // One byte longer than the longest key: what does not fit differs from each of them in the last byte already.
  const size = Math.max(...apiKeys.map((key) => key.length)) + 1;
  const known = apiKeys.map((key) => pad(key, Buffer.alloc(size)));
  const candidate = Buffer.alloc(size);
  return (authorization) => {
    if (authorization === undefined) return missing;
    const token = /^bearer +(\S.*)$/i.exec(authorization)?.[1];
    if (token === undefined) return noBearerToken;
    pad(token, candidate);
    // Every key is compared, whatever the ones before it gave.
    const matches = known.filter((key) => timingSafeEqual(key, candidate));
    return matches.length === 0 ? invalid : undefined;
  };
}

/** Fills the buffer with the key, as the bytes of a header, and zeros, which no header holds. */
function pad(key: string, buffer: Buffer): Buffer {
  buffer.fill(0).write(key, 'latin1');
  return buffer;
}

function unauthorized(what: string, example: string): ApiError {
  const message = `${what}. Send it as "Authorization: Bearer ${example}".`;
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
}
