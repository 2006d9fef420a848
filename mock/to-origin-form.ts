/** Turns `http://host/path?query` into `/path?query`. Source: RFC 9112 section 3.2.2 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const { pathname, search } = URL.parse(target) ?? { pathname: '', search: '' };
  return `${pathname || '/'}${search}`;
}
