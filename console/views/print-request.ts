import { printCurl, quoteForShell, type ShellExpression } from '../../common/text/print-curl.ts';
import { appUrl, noKey, type Row, recall, rootOf, usualKey } from '../app/store.ts';

/** Headers that a client sets itself, and those that begin with `sec-`. */
const ownHeaders: readonly string[] = [
  ...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect'],
  ...['accept-encoding', 'accept-language', 'cache-control', 'pragma', 'priority'],
  ...['origin', 'referer', 'cookie', 'user-agent', 'dnt', 'upgrade-insecure-requests'],
];

const isOwnHeader = (name: string) => ownHeaders.includes(name) || name.startsWith('sec-');

/** In a line for a shell, a key that nobody has typed is a variable. */
const keyInShell: readonly ShellExpression[] = [[noKey, '$ANIMAL_STORE_API_KEY']];

export const readKey = (): string => recall('key', usualKey.value);

export function printGet(path: string): string {
  const header = quoteForShell(`Authorization: Bearer ${readKey()}`, keyInShell);
  return printCurl({ method: 'GET', url: `${appUrl.value}${path}`, headers: [header] });
}

/** Lists the headers of a request that its client does not set itself, with a key instead of the hidden one. */
export function listSentHeaders({ headers, bodyState }: Row, key: string): [name: string, value: string][] {
  return Object.entries(headers)
    .filter(([name, value]) => !isOwnHeader(name) && !(name === 'accept' && value === '*/*'))
    .filter(([name]) => !(name === 'content-encoding' && bodyState === 'decoded'))
    .map(([name, value]) => [name, name === 'authorization' ? `Bearer ${key}` : value]);
}

export function printAsCurl(row: Row): string {
  const { method, url, body, bodyState, headers } = row;
  const lines = listSentHeaders(row, readKey()).map((header) => header.join(': '));
  const hasBody = bodyState !== undefined || body !== undefined;
  // Without this line curl sends the type of a form.
  if (hasBody && headers['content-type'] === undefined) lines.push('Content-Type:');
  return printCurl({
    method,
    // A target without a slash, such as `@example.com`, would lead to another host.
    url: rootOf(row) + url.replace(/^\//, ''),
    headers: lines.map((line) => quoteForShell(line, keyInShell)),
    body: bodyState === undefined ? body : { file: 'body' },
  });
}
