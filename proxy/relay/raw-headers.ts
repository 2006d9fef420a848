import type { Headers } from '../exchange.ts';

/** Headers as they were on the wire: name, value, name, value …, in their order and casing. */
export type RawHeaders = readonly string[];

/** What concerns one connection and not the message. Source: RFC 9110 section 7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
]);

/** What no Connection takes away: without it, the next one would read the body as another request. */
const framing: ReadonlySet<string> = new Set(['content-length', 'host']);

/** Leaves out the headers that concern one connection, those that Connection names among them. */
export function withoutHopByHop(headers: RawHeaders, connection: string | undefined): string[] {
  const named = connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  return keep(headers, (name) => framing.has(name) || !(hopByHop.has(name) || named.includes(name)));
}

/** Puts one value in the place of a header's, or at the end when it is not there. */
export function withHeader(headers: RawHeaders, name: string, value: string): string[] {
  const key = name.toLowerCase();
  return [...keep(headers, (other) => other !== key), name, value];
}

/** Leaves out headers, which are named in lower case. */
export function withoutHeaders(headers: RawHeaders, names: readonly string[]): string[] {
  return keep(headers, (name) => !names.includes(name));
}

/** Headers by lower-case name, several values of one joined by a comma. */
export function toHeaders(headers: RawHeaders): Headers {
  // Without a prototype, whose properties would pass for headers.
  const joined: Record<string, string> = Object.create(null);
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    const key = name.toLowerCase();
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return joined;
}

/** Headers as pairs of name and value. */
export function toPairs(headers: RawHeaders): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[index * 2] ?? '',
    headers[index * 2 + 1] ?? '',
  ]);
}

function keep(headers: RawHeaders, isKept: (lowerCaseName: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    if (isKept(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
