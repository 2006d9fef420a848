import type { ErrorKind } from '../../common/http/error-kinds.ts';
import type { ReplyError } from '../../common/http/reply.ts';
import type { KeyName } from '../../common/journal/journal-entry.ts';

/** The scheme is matched in any case. Source: RFC 9110 section 11.4; RFC 6750 section 3 */
const BEARER = /^bearer +(\S.*)$/i;

/** Names the key of an Authorization header, so that nobody has to see the key. */
export function nameKey(authorization: string | undefined, apiKeys: readonly string[]): KeyName {
  if (authorization === undefined) return 'none';
  const token = BEARER.exec(authorization)?.[1];
  const index = token === undefined ? -1 : apiKeys.indexOf(token);
  return index === -1 ? 'unknown' : `key ${index + 1}`;
}

interface KeyWording {
  /** @default API key */
  readonly name?: string;
  /** A key. @default <API_KEY> */
  readonly example?: string;
}

/** Returns the error of an Authorization header without one of the keys. */
export function findKeyError(
  authorization: string | undefined,
  apiKeys: readonly string[],
  { name = 'API key', example = '<API_KEY>' }: KeyWording = {},
): ReplyError | undefined {
  const refuse = (what: string, kind: ErrorKind): ReplyError => {
    const message = `${what}. Send it as "Authorization: Bearer ${example}".`;
    return { code: 'unauthorized', message, kind };
  };
  if (authorization === undefined) return refuse(`The ${name} is missing`, 'missing');
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return refuse('The Authorization header does not hold a bearer token', 'scheme');
  return apiKeys.includes(token) ? undefined : refuse(`The ${name} is invalid`, 'invalid');
}
