import type { ErrorKind } from './error-kinds.ts';
import { addKind, createErrorReply } from './errors.ts';
import type { Reply } from './reply.ts';

/** The scheme is matched in any case. Source: RFC 9110 section 11.4; RFC 6750 section 3 */
const BEARER = /^bearer +(\S.*)$/i;

const EXACT_BEARER = /^Bearer +(\S.*)$/;

/** Which of the known keys a request has, by their order; `unknown` for another one, `none` without an Authorization header. */
export type KeyName = `key ${number}` | 'unknown' | 'none';

/** Names the key of an Authorization header, so that nobody has to see the key. */
export function nameKey(authorization: string | undefined, apiKeys: readonly string[]): KeyName {
  if (authorization === undefined) return 'none';
  const token = BEARER.exec(authorization)?.[1];
  const index = token === undefined ? -1 : apiKeys.indexOf(token);
  return index === -1 ? 'unknown' : `key ${index + 1}`;
}

export interface KeyCheckOptions {
  /** Name of a key, in messages. @default API key */
  readonly name?: string;
  /** A key, in messages. @default <API_KEY> */
  readonly example?: string;
  /** Refuses the scheme in another case than `Bearer`. @default false */
  readonly isSchemeExact?: boolean;
}

/**
 * Creates the check of an Authorization header; it returns the reply to a header without one of the keys. It does not throw:
 * the stack trace of an Error takes a third of the time of a 401.
 */
export function createRefuseKey(apiKeys: readonly string[], options: KeyCheckOptions = {}) {
  const { name = 'API key', example = '<API_KEY>', isSchemeExact = false } = options;
  const pattern = isSchemeExact ? EXACT_BEARER : BEARER;
  const refuse = (what: string, kind: ErrorKind): Reply => {
    const message = `${what}. Send it as "Authorization: Bearer ${example}".`;
    return addKind(createErrorReply('unauthorized', message, { 'WWW-Authenticate': 'Bearer' }), kind);
  };
  return (authorization: string | undefined): Reply | undefined => {
    if (authorization === undefined) return refuse(`The ${name} is missing`, 'missing');
    const token = pattern.exec(authorization)?.[1];
    if (token === undefined) {
      return refuse('The Authorization header does not hold a bearer token', 'scheme');
    }
    return apiKeys.includes(token) ? undefined : refuse(`The ${name} is invalid`, 'invalid');
  };
}
