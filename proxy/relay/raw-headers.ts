import type { Headers } from '../exchange.ts';

/** Headers as they were on the wire: name, value, name, value …, in their order and casing. */
export type RawHeaders = readonly string[];

/** What concerns one connection and not the message. Source: RFC 9110 section 7.6.1 */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
]);

/** What no Connection takes away: without it, the next one would read the body as another request. */
const framing = ['content-length', 'host'];

/**
 * Leaves out the headers that concern one connection, those that Connection names among them.
 *
 * @param replaced names in lower case of headers to leave out too.
 */
export function toEndToEnd(raw: RawHeaders, headers: Headers, replaced: readonly string[]): string[] {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    const key = name.toLowerCase();
    const isOfConnection = hopByHop.has(key) || (named.includes(key) && !framing.includes(key));
    if (!isOfConnection && !replaced.includes(key)) kept.push(name, value);
  }
  return kept;
}

/** Headers by lower-case name, several values of one joined by a comma. */
export function toHeaders(raw: RawHeaders): Headers {
  // Without a prototype, whose properties would pass for headers.
  const joined: Record<string, string> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const [key = '', value = ''] = [raw[index]?.toLowerCase(), raw[index + 1]];
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return joined;
}

/** Headers as pairs of name and value. */
export function pairsOf(raw: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}
