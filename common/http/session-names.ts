import { describeValue, invalidRequest } from './api-error.ts';
import { parseSessionPath } from './session-path.ts';

/** Header that names the session of a request, for apps that have one base URL. */
export const SESSION_HEADER = 'X-Animal-Store-Session';

/** The name that a request gives its session, and where it has the name. */
export interface SessionName {
  readonly name: string;
  readonly place: string;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const headerName = SESSION_HEADER.toLowerCase();

/**
 * Returns the names that a request gives its session, in its path first; none if it is for the mock itself. Any string can be a
 * name here.
 * @param headers by lower-case name; several lines of a header are joined by a comma, or an array.
 */
export function readSessionNames(url: string, headers: Headers): readonly SessionName[] {
  const { session } = parseSessionPath(url);
  const ofHeaders = readHeaders(headers);
  return session === undefined ? ofHeaders : [{ name: session, place: 'its path' }, ...ofHeaders];
}

/** Returns the name that a header of a request gives its session; undefined if none does. */
export function readSessionHeader(headers: Headers): string | undefined {
  return readHeaders(headers)[0]?.name;
}

function readHeaders({ [headerName]: own }: Headers): readonly SessionName[] {
  if (own === undefined) return [];
  const values = [own].flat().join(',').split(',');
  return values.map((value) => ({ name: value.trim(), place: SESSION_HEADER }));
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
