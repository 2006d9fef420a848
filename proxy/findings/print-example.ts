import { HIDDEN } from '../../common/hide-keys.ts';
import { printCurl, quoteForShell } from '../../common/print-curl.ts';
import type { ExchangeRequest, Headers } from '../exchange.ts';
import type { Hide } from './create-redaction.ts';

/** The longest body that is shown, in bytes. */
const LONGEST_BODY = 2_000;

/**
 * Prints a request as a command for bash or zsh that sends it to the upstream again. The key is
 * `$ANIMAL_STORE_API_KEY`, also in the body; a body that cannot be shown is the file `body`.
 *
 * @param url that of the request at the upstream, without keys.
 * @param options of curl
 */
export function printExample(
  request: ExchangeRequest,
  url: string,
  hide: Hide,
  options: readonly string[],
): string {
  const body = showBody(request, hide);
  return printCurl({
    method: request.method,
    headers: showHeaders(request.headers, body !== undefined, hide),
    body,
    url,
    options: [...options.map(hide), ...showUser(request.headers)],
  });
}

function showHeaders(headers: Headers, hasBody: boolean, hide: Hide): string[] {
  const { authorization, 'content-type': mediaType, 'transfer-encoding': coding } = headers;
  const lines: string[] = [];
  if (authorization !== undefined && readUser(authorization) === undefined) {
    const scheme = authorization.includes(' ') ? authorization.slice(0, authorization.indexOf(' ')) : '';
    // A scheme is a word; anything else may be a part of the key.
    const shown = /^[a-z]{1,10}$/i.test(scheme) && hide(scheme) === scheme ? `${scheme} ` : '';
    lines.push(`"Authorization: ${shown}$ANIMAL_STORE_API_KEY"`);
  }
  if (mediaType !== undefined) lines.push(quoteForShell(`Content-Type: ${hide(mediaType)}`));
  // Without this curl would name a media type of its own.
  else if (hasBody) lines.push("'Content-Type:'");
  if (coding !== undefined) lines.push("'Transfer-Encoding: chunked'");
  return lines;
}

/** The key as a variable of the shell, within double quotes. */
const variable = `\${ANIMAL_STORE_API_KEY}`;

/** Prints Basic credentials as an option of curl, which encodes them. */
function showUser({ authorization = '' }: Headers): string[] {
  const password = readUser(authorization);
  if (password === undefined) return [];
  return ['-u', password === '' ? `"${variable}:"` : `":${variable}"`];
}

/** @returns the password of Basic credentials; undefined if the header has none. Source: RFC 7617 section 2 */
function readUser(authorization: string): string | undefined {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  return /^[^:]+:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

function showBody({ headers, body }: ExchangeRequest, hide: Hide) {
  if (body?.length === 0) return headers['transfer-encoding'] === undefined ? undefined : '';
  const text = body === undefined || body.length > LONGEST_BODY ? undefined : decodeText(body);
  if (text === undefined || text.includes('\0')) return { file: 'body' };
  const hidden = hide(text);
  if (hidden === text) return text;
  const parts = hidden.split(HIDDEN).map((part) => quoteForShell(part));
  return { quoted: parts.join(`"${variable}"`) };
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
