/** Headers by lower-case name; several values of a header are joined by a comma. */
export type Headers = Readonly<Record<string, string>>;

/** Headers as they are on the wire: name, value, name, value …, in their order and casing. */
export type RawHeaders = readonly string[];

/** Returns headers by lower-case name; several values of a header are joined by a comma. */
export function toHeaders(raw: RawHeaders): Headers {
  // Without a prototype, whose properties would pass for headers.
  const joined: Record<string, string> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const key = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return joined;
}

/** Returns whether a media type is one of JSON. */
export function isJson(mediaType = ''): boolean {
  return /^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i.test(mediaType);
}

/** Returns whether a body is a stream of events, which may have no end. */
export function isEventStream(headers: { readonly 'content-type'?: string | undefined }): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

type ParsedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
type Request = { readonly method?: string | undefined; readonly headers: ParsedHeaders };

/** Returns whether a request is a CORS preflight, which a browser sends before another request. Source: Fetch standard, CORS protocol */
export function isPreflight({ method, headers }: Request): boolean {
  const { origin, 'access-control-request-method': asked } = headers;
  return method === 'OPTIONS' && origin !== undefined && asked !== undefined;
}

/** Returns whether a request has a body. Source: RFC 9112 section 6.3 */
export function hasBody(headers: ParsedHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
