/** Converts `http://host/path?query` to `/path?query`, without any other change. Source: RFC 9112 section 3.2.2 */
export function toOriginForm(target: string): string {
  const [, rest] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
