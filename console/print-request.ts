import { printCurl, quoteForShell } from '../common/print-curl.ts';
import { baseUrl, type Row, recall, root, usualKey } from './data.ts';

/** What a client sets by itself. */
const own =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|origin|referer|expect|cookie|user-agent|accept-language|priority|pragma|cache-control|dnt|upgrade-insecure-requests|sec-.*)$/;

/** The line for a shell that asks the mock for this path beneath the base URL. */
export function printGet(path: string): string {
  const header = quoteForShell(`Authorization: Bearer ${recall('key', usualKey)}`);
  return printCurl({ method: 'GET', url: `${baseUrl}${path}`, headers: [header] });
}

/** What the journal keeps of a body, in characters. */
const MOST_KEPT = 65_536;

/** Whether the journal has only the beginning of a body. @param length its Content-Length */
export function isCut(body: string, length: string | undefined): boolean {
  const kept = new Blob([body]).size;
  return kept >= MOST_KEPT ? kept !== Number(length) : Number(length) > MOST_KEPT && kept < Number(length);
}

/** A request as it can be sent again: at this mock, with this key in the place of the one that is hidden. */
export function toRequest({ method, url, headers, body }: Row, key: string) {
  const kept = Object.entries(headers).filter(([name, value]) => !own.test(name) && value !== '*/*');
  const show = (name: string, value: string) =>
    name === 'authorization' ? `Bearer ${key}` : value.replaceAll('[key]', key);
  return {
    method,
    // A target without a slash, such as `@example.com`, would lead to another host.
    url: root + url.replace(/^\//, ''),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, show(name, value)])),
    body,
  };
}

/** The request as a line for a shell. */
export function printAsCurl(row: Row, key: string): string {
  const { method, url, headers, body } = toRequest(row, key);
  const lines = Object.entries(headers).map(([name, value]) => quoteForShell(`${name}: ${value}`));
  return printCurl({ method, url, headers: lines, body });
}

/** The request as JavaScript. */
export function printAsFetch(row: Row, key: string): string {
  const { url, method, headers, body } = toRequest(row, key);
  const init = {
    ...(method === 'GET' ? {} : { method }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    body,
  };
  const printed = JSON.stringify(init, undefined, 2);
  return `const response = await fetch(${JSON.stringify(url)}${printed === '{}' ? '' : `, ${printed}`});`;
}
