type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
type Request = { readonly method?: string | undefined; readonly headers: Headers };

/** Returns whether a request is a CORS preflight, which a browser sends before another request. Source: Fetch standard, CORS protocol */
export function isPreflight({ method, headers }: Request): boolean {
  const { origin, 'access-control-request-method': asked } = headers;
  return method === 'OPTIONS' && origin !== undefined && asked !== undefined;
}

/** Returns whether a request has a body. Source: RFC 9112 section 6.3 */
export function hasBody(headers: Headers): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
