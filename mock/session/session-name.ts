import { type ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { SESSION_HEADER, type SessionName } from '../../common/http/session-names.ts';

/** The path of a session, at the beginning of a path. */
export const SESSION_PATH = /^\/sessions\/[^/]+/;

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
  return invalidRequest(`${what}'s name must be ${expected}, not ${describeValue(name)}.`);
}

/** Returns a name that differs from the first one, if there is any. */
function findOther([first, ...others]: readonly SessionName[]): SessionName | undefined {
  return others.find(({ name }) => name !== first?.name);
}

export function hasSeveralSessions(names: readonly SessionName[]): boolean {
  return findOther(names) !== undefined;
}

/** @throws ApiError `invalid_request` if a request gives its session different names */
export function expectOneSession(names: readonly SessionName[]): void {
  const [first] = names;
  const other = findOther(names);
  if (first === undefined || other === undefined) return;
  const both = [first, other].map(({ name, place }) => `${describeValue(name)} in ${place}`);
  throw invalidRequest(`The request names two sessions: ${both.join(' and ')}. Name one.`);
}

/** Returns the headers that let a request reach the session with this name; none for the mock itself. */
export function createSessionHeaders(name: string | undefined): Readonly<Record<string, string>> {
  return name === undefined ? {} : { [SESSION_HEADER]: name };
}
