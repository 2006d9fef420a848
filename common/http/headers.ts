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

/** Returns whether a body is a stream of events, which may have no end. */
export function isEventStream(headers: { readonly 'content-type'?: string | undefined }): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
