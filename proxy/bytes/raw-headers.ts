import type { Headers, RawHeaders } from '../../common/http/headers.ts';

/** Source: RFC 9110 section 7.6.1 */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
]);

/** Headers that Connection cannot remove: the upstream would read the body as another request. */
const framing = ['content-length', 'host'];

/** Returns the headers without hop-by-hop headers and without `replaced` ones, which are names in lower case. */
export function toEndToEnd(raw: RawHeaders, headers: Headers, replaced: readonly string[]): string[] {
  const named = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const key = name.toLowerCase();
    const isOfConnection = hopByHop.has(key) || (named.has(key) && !framing.includes(key));
    if (!isOfConnection && !replaced.includes(key)) kept.push(name, raw[index + 1] ?? '');
  }
  return kept;
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
