import { ApiError } from './api-error.ts';

/**
 * Creates the check of an Authorization header; it returns the error of a header without one of the keys. The scheme is
 * matched in any case. Source: RFC 9110 section 11.4; RFC 6750 section 3
 * @param name of a key, in the message. @param example of a key, in the message.
 */
export function createRefuseKey(apiKeys: readonly string[], name = 'API key', example = '<API_KEY>') {
  return (authorization: string | undefined): ApiError | undefined => {
    if (authorization === undefined) return unauthorized(`The ${name} is missing`, example);
    const token = /^bearer +(\S.*)$/i.exec(authorization)?.[1];
    if (token === undefined)
      return unauthorized('The Authorization header does not hold a bearer token', example);
    return apiKeys.includes(token) ? undefined : unauthorized(`The ${name} is invalid`, example);
  };
}

function unauthorized(what: string, example: string): ApiError {
  const message = `${what}. Send it as "Authorization: Bearer ${example}".`;
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
}
