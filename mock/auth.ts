import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError } from './errors.ts';

/** Throws unless the value of an Authorization header carries a valid key. */
export type ExpectKey = (authorization: string | undefined) => void;

/**
 * Returns the check of a request's API key. The scheme is matched in any case, the key in constant time.
 * Source: specification, Authentication; RFC 9110 section 11.4; RFC 6750 section 3.
 *
 * @throws ApiError `unauthorized`, from the check.
 */
export function createExpectKey(apiKeys: readonly string[]): ExpectKey {
  const digests = apiKeys.map(digest);
  return (authorization) => {
    if (authorization === undefined) throw unauthorized('The API key is missing');
    const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
    if (token === undefined) throw unauthorized('The Authorization header does not hold a bearer token');
    const candidate = digest(token);
    // Every key is compared, whatever the ones before it gave.
    const matches = digests.map((known) => timingSafeEqual(known, candidate));
    if (!matches.includes(true)) throw unauthorized('The API key is invalid');
  };
}

/** Digests have one length, which timingSafeEqual wants, and tell nothing of the key's. */
function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function unauthorized(what: string): ApiError {
  const message = `${what}. Send it as "Authorization: Bearer <API_KEY>".`;
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
}
