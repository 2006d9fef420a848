import { printCurl, quoteForShell, type ShellExpression } from '../common/print-curl.ts';
import { type BodyState, baseUrl, noKey, type Row, root, usualKey } from './data.ts';
import { recall } from './memory.ts';

/** What a client sets by itself. */
const own =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|origin|referer|expect|cookie|user-agent|accept-language|priority|pragma|cache-control|dnt|upgrade-insecure-requests|sec-.*)$/;

/** In a line for a shell, a key that nobody has typed is a variable. */
const keyOfShell: readonly ShellExpression[] = [[noKey, '$ANIMAL_STORE_API_KEY']];

/** The line for a shell that asks the mock for this path beneath the base URL. */
export function printGet(path: string): string {
  const header = quoteForShell(`Authorization: Bearer ${recall('key', usualKey)}`, keyOfShell);
  return printCurl({ method: 'GET', url: `${baseUrl}${path}`, headers: [header] });
}

/** How a body is not the one that was sent. */
const states: Readonly<Record<BodyState, string>> = {
  cut: 'the body is cut',
  'not kept': 'the body was not kept',
  decoded: 'the body was packed',
  'not text': 'the body is not text',
};

/** What of a request is not known, so that it cannot be sent again as it was. */
export function findHidden({ url, headers, body = '', bodyState }: Row): string | undefined {
  if (bodyState !== undefined) return states[bodyState];
  if (/[?&][^=&?]*=\*{3}(?:&|$)/.test(url) || url.includes('[key]')) return 'a key in its URL is hidden';
  const isHidden = ([name, value]: [string, string]) =>
    name !== 'authorization' && !own.test(name) && /\[key\]|=\*{3}/.test(value);
  const [hidden] = Object.entries(headers).find(isHidden) ?? [];
  if (hidden !== undefined) return `a key in its header ${hidden} is hidden`;
  return body.includes('[key]') ? 'a key in its body is hidden' : undefined;
}

/** Why a browser would send something else. */
export function findObstacle(row: Row): string | undefined {
  const { method, url, body } = toRequest(row, '');
  if (body !== undefined && /^(?:GET|HEAD)$/.test(method)) return `a browser sends no body with ${method}`;
  return URL.parse(url)?.href === url ? undefined : 'a browser would change its path';
}

/** A request as it can be sent again: at this mock, with this key in the place of the one that is hidden. */
export function toRequest({ method, url, headers, body }: Row, key: string) {
  const kept = Object.entries(headers).filter(
    ([name, value]) => !own.test(name) && !(name === 'accept' && value === '*/*'),
  );
  const show = (name: string, value: string) => (name === 'authorization' ? `Bearer ${key}` : value);
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
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // By itself curl says that a body is a form.
  if (row.bodyState !== undefined || body !== undefined)
    if (headers['content-type'] === undefined) lines.push('Content-Type:');
  return printCurl({
    ...{ method, url, headers: lines.map((line) => quoteForShell(line, keyOfShell)) },
    body: row.bodyState === undefined ? body : { file: 'body' },
  });
}

/** The request as JavaScript. */
export function printAsFetch(row: Row, key: string): string {
  const { url, method, headers, body } = toRequest(row, key);
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [`headers: ${JSON.stringify(headers, undefined, 2).replaceAll('\n', '\n  ')}`]),
    ...(body === undefined ? [] : [`body: ${printBody(body, headers['content-type'])}`]),
  ];
  const init = lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line},\n`).join('')}}`;
  return `const response = await fetch(${JSON.stringify(url)}${init});`;
}

/** A text gets a Content-Type by itself, and a blob none. */
function printBody(body: string, type: string | undefined): string {
  return type === undefined ? `new Blob([${JSON.stringify(body)}])` : JSON.stringify(body);
}
