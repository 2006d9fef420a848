import { isUtf8 } from 'node:buffer';
import { HIDDEN } from '../../common/text/hide-keys.ts';
import { printCurl, quoteForShell } from '../../common/text/print-curl.ts';
import type { ExchangeRequest, Headers } from '../exchange.ts';
import type { Hide } from './redact-check.ts';

/** Maximum length of a body that is printed, in bytes. */
const MAX_BODY = 2_000;

/**
 * Prints a request as a curl command for bash or zsh. The key is `$ANIMAL_STORE_API_KEY`, also in the body. A body that
 * cannot be printed is the file `body`.
 *
 * @param url URL of the request at the upstream, without keys.
 * @param options options of curl.
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
    // Anything but a word may be a part of the key.
    const shown = /^[a-z]{1,10}$/i.test(scheme) && hide(scheme) === scheme ? `${scheme} ` : '';
    lines.push(`"Authorization: ${shown}$ANIMAL_STORE_API_KEY"`);
  }
  if (mediaType !== undefined) lines.push(quoteForShell(`Content-Type: ${hide(mediaType)}`));
  // Otherwise curl would send a media type.
  else if (hasBody) lines.push("'Content-Type:'");
  if (coding !== undefined) lines.push("'Transfer-Encoding: chunked'");
  return lines;
}

const variable = `\${ANIMAL_STORE_API_KEY}`;

/** curl encodes Basic credentials. */
function showUser({ authorization = '' }: Headers): string[] {
  const password = readUser(authorization);
  if (password === undefined) return [];
  return ['-u', password === '' ? `"${variable}:"` : `":${variable}"`];
}

/** Returns the password of Basic credentials; undefined if there are none. Source: RFC 7617 section 2 */
function readUser(authorization: string): string | undefined {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  return /^[^:]+:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

function showBody({ headers, body }: ExchangeRequest, hide: Hide) {
  if (body?.length === 0) return headers['transfer-encoding'] === undefined ? undefined : '';
  const isText = body !== undefined && body.length <= MAX_BODY && isUtf8(body) && !body.includes(0);
  if (!isText) return { file: 'body' };
  const text = Buffer.from(body).toString();
  const hidden = hide(text);
  if (hidden === text) return text;
  const parts = hidden.split(HIDDEN).map((part) => quoteForShell(part));
  return { quoted: parts.join(`"${variable}"`) };
}
