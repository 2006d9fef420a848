/**
 * Turns `http://host/path?query` into `/path?query`, and changes no character of either. Source: RFC 9112 section 3.2.2
 */
export function toOriginForm(target: string): string {
  const [, rest] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
