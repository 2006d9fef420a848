import type { IncomingHttpHeaders } from 'node:http';

/** Returns whether a request is a CORS preflight, which a browser sends before another request. Source: Fetch standard, CORS protocol */
export function isPreflight({ method, headers }: PreflightParts): boolean {
  const { origin, 'access-control-request-method': wanted } = headers;
  return method === 'OPTIONS' && origin !== undefined && wanted !== undefined;
}

interface PreflightParts {
  readonly method?: string | undefined;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'access-control-request-method'>;
}
