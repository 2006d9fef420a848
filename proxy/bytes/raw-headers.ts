import type { Headers } from '../exchange.ts';

/** Headers as they are on the wire: name, value, name, value …, in their order and casing. */
export type RawHeaders = readonly string[];

/** Source: RFC 9110 section 7.6.1 */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
]);

/** Headers that Connection cannot remove: the upstream would read the body as another request. */
const framing = ['content-length', 'host'];

/** Returns the headers without hop-by-hop headers and without `replaced` ones, which are names in lower case. */
export function toEndToEnd(raw: RawHeaders, headers: Headers, replaced: readonly string[]): string[] {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const key = name.toLowerCase();
    const isOfConnection = hopByHop.has(key) || (named.includes(key) && !framing.includes(key));
    if (!isOfConnection && !replaced.includes(key)) kept.push(name, raw[index + 1] ?? '');
  }
  return kept;
}

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

export function pairsOf(raw: RawHeaders): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}

/**
 * Returns the value of Transfer-Encoding if it has another coding than one `chunked`. Node reads and writes the chunks, so
 * that only this coding can be forwarded. Source: RFC 9112 section 6.1
 */
export function findOtherCoding({ 'transfer-encoding': codings }: Headers): string | undefined {
  return codings === undefined || /^(?:chunked|identity)$/i.test(codings) ? undefined : codings;
}

/** Returns whether a body is a stream of events, which may have no end. */
export function isEventStream(headers: { readonly 'content-type'?: string | undefined }): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
