import { toOriginForm } from '../../common/answer-client-error.ts';

/** The parts of a recorded URL. */
export interface Address {
  /** Such as `https://api.example.com`. */
  readonly origin: string;
  /** Path and query as they were recorded. */
  readonly target: string;
  /** Relative to the base path, without the query; empty when it is the base path itself. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Whether it is the service's. */
  readonly isBeneath: boolean;
}

/** The path beneath which the contract begins; that of every base URL ends with /v1. Source: openapi.yaml#/servers */
export function basePathOf(baseUrl: URL | undefined): string {
  return (baseUrl?.pathname ?? '/v1').replace(/\/+$/, '');
}

/** Takes a recorded URL apart. @returns undefined when it is not of HTTP */
export function findAddress(url: string, baseUrl: URL | undefined): Address | undefined {
  const { protocol, host, origin } = URL.parse(url) ?? {};
  if (host === undefined || (protocol !== 'http:' && protocol !== 'https:')) return undefined;
  const basePath = basePathOf(baseUrl);
  const target = toOriginForm(url.replace(/#.*$/s, ''));
  const [, whole = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const isBeneath =
    (baseUrl === undefined || baseUrl.origin === origin) &&
    (whole === basePath || whole.startsWith(`${basePath}/`));
  return { origin: `${protocol}//${host}`, target, path: whole.slice(basePath.length), query, isBeneath };
}
