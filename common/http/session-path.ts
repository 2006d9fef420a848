/**
 * Splits `/sessions/w1/v1/pets` into the prefix `/sessions/w1`, the session `w1` and the path `/v1/pets`. In a URL of the mock
 * itself the prefix is empty and the session is undefined. Any string can be a session here.
 */
export function parseSessionPath(url: string): { session: string | undefined; prefix: string; path: string } {
  const [, prefix = '', session, path = url] = /^(\/sessions\/([^/?]*))(.*)$/s.exec(url) ?? [];
  return { session, prefix, path };
}

export function isSessionName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!\.+$)[\w.-]{1,64}$/.test(name);
}
