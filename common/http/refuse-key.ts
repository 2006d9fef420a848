import { createErrorReply } from './errors.ts';
import type { Reply } from './reply.ts';

/**
 * Creates the check of an Authorization header; it returns the reply to a header without one of the keys. It does not throw:
 * the stack trace of an Error takes a third of the time of a 401. The scheme is
 * matched in any case. Source: RFC 9110 section 11.4; RFC 6750 section 3
 * @param name of a key, in the message. @param example of a key, in the message.
 */
export function createRefuseKey(apiKeys: readonly string[], name = 'API key', example = '<API_KEY>') {
  const refuse = (what: string): Reply => {
    const message = `${what}. Send it as "Authorization: Bearer ${example}".`;
    return createErrorReply('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
  };
  return (authorization: string | undefined): Reply | undefined => {
    if (authorization === undefined) return refuse(`The ${name} is missing`);
    const token = /^bearer +(\S.*)$/i.exec(authorization)?.[1];
    if (token === undefined) return refuse('The Authorization header does not hold a bearer token');
    return apiKeys.includes(token) ? undefined : refuse(`The ${name} is invalid`);
  };
}
