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
 * Splits `/sessions/w1/v1/pets` into the prefix `/sessions/w1`, the session `w1` and the path `/v1/pets`. In a URL of the mock
 * itself the prefix is empty and the session is undefined. Any string can be a session here.
 */
export function parseSessionPath(url: string): { session: string | undefined; prefix: string; path: string } {
  const [, prefix = '', session, path = url] = /^(\/sessions\/([^/?]*))(.*)$/s.exec(url) ?? [];
  return { session, prefix, path };
}

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
