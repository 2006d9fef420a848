import { toOriginForm } from '../../common/http/answer-client-error.ts';

/** The parts of a recorded URL. `path` is under the base path, and `query` has no question mark. */
export type Address = NonNullable<ReturnType<typeof findAddress>>;

/** Returns the base path; every base URL ends with /v1. Source: openapi.yaml#/servers */
export function basePathOf(baseUrl: URL | undefined): string {
  return (baseUrl?.pathname ?? '/v1').replace(/\/+$/, '');
}

/** Splits a recorded URL. @returns undefined if it is not a URL of HTTP */
export function findAddress(url: string, baseUrl: URL | undefined) {
  const { protocol, host, origin } = URL.parse(url) ?? {};
  if (host === undefined || (protocol !== 'http:' && protocol !== 'https:')) return undefined;
  const basePath = basePathOf(baseUrl);
  const target = toOriginForm(url.replace(/#.*$/s, ''));
  const [, whole = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const isOfService =
    (baseUrl === undefined || baseUrl.origin === origin) &&
    (whole === basePath || whole.startsWith(`${basePath}/`));
  return { origin: `${protocol}//${host}`, target, path: whole.slice(basePath.length), query, isOfService };
}
