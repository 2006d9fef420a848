import { type ApiError, describeValue, invalidRequest } from './api-error.ts';

/** The path of a session, at the beginning of a path. */
export const SESSION_PATH = /^\/sessions\/[^/]+/;

/**
 * Splits `/sessions/w1/v1/pets` into the prefix `/sessions/w1`, the session `w1` and the path `/v1/pets`. In a URL of the mock
 * itself the prefix is empty and the session is undefined. Any string can be a session here.
 */
export function parseSessionPath(url: string): { session: string | undefined; prefix: string; path: string } {
  const [, prefix = '', session, path = url] = /^(\/sessions\/([^/?]*))(.*)$/s.exec(url) ?? [];
  return { session, prefix, path };
}

export const NAME_PATTERN = /^(?!\.+$)[\w.-]{1,64}$/;

export function isSessionName(name: unknown): name is string {
  return typeof name === 'string' && NAME_PATTERN.test(name);
}

/** @param what as in "A snapshot". @throws ApiError `invalid_request` */
export function expectName(what: string, name: unknown): asserts name is string {
  if (!isSessionName(name)) throw wrongName(what, name);
}

/** Returns the error of a name that is not like one of a session. @param what as in "A snapshot". */
export function wrongName(what: string, name: unknown): ApiError {
  const expected = 'up to 64 letters, digits, ".", "_" and "-"';
  return invalidRequest(`${what}'s name must be ${expected}, not ${describeValue(name as string)}.`);
}
