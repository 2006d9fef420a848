import type { Headers } from './exchange.ts';

/** Headers as they were on the wire: name, value, name, value …, in their order and casing. */
export type RawHeaders = readonly string[];

/** What concerns one connection and not the message. Source: RFC 9110 section 7.6.1 */
const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
]);

/** Leaves out the headers that concern one connection, those that Connection names among them. */
export function withoutHopByHop(headers: RawHeaders): string[] {
  const named = valuesOf(headers, 'connection').flatMap((value) => value.split(','));
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim().toLowerCase())]);
  return toPairs(headers)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
}

/** Puts one value in the place of a header's, or at the end when it is not there. */
export function withHeader(headers: RawHeaders, name: string, value: string): string[] {
  const others = toPairs(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return [...others, [name, value]].flat();
}

/** Every value of a header. */
export function valuesOf(headers: RawHeaders, name: string): string[] {
  return toPairs(headers)
    .filter(([other]) => other.toLowerCase() === name)
    .map(([, value]) => value);
}

/** Headers by lower-case name, several values of one joined by a comma. */
export function toHeaders(headers: RawHeaders): Headers {
  const joined: Record<string, string> = {};
  for (const [name, value] of toPairs(headers)) {
    const key = name.toLowerCase();
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return joined;
}

function toPairs(headers: RawHeaders): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[index * 2] ?? '',
    headers[index * 2 + 1] ?? '',
  ]);
}
