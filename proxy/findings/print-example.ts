import { isUtf8 } from 'node:buffer';
import type { Headers } from '../../common/http/headers.ts';
import { readSessionHeader, SESSION_HEADER } from '../../common/http/session-names.ts';
import { printCurl, quoteForShell } from '../../common/text/print-curl.ts';
import { type ExchangeRequest, findEmptyKey, type Hide } from '../exchange.ts';

/** Maximum length of a body that is printed, in bytes. */
const MAX_BODY = 2_000;

/** Prints a request as a curl command for bash or zsh. The key is `$ANIMAL_STORE_API_KEY`, unless none was sent. @param url without keys */
export function printExample(request: ExchangeRequest, url: string, hide: Hide, options: readonly string[]) {
  const { method } = request;
  const body = showBody(request, hide);
  const headers = showHeaders(request.headers, body !== undefined, hide);
  return printCurl({ method, headers, body, url, options: options.map(hide) });
}

function showHeaders(headers: Headers, hasBody: boolean, hide: Hide): string[] {
  const session = readSessionHeader(headers);
  const { authorization, 'content-type': mediaType, 'transfer-encoding': coding } = headers;
  const lines: string[] = [];
  if (findEmptyKey(authorization) !== undefined) {
    lines.push(quoteForShell(`Authorization: ${authorization}`));
  } else if (authorization !== undefined) {
    // Anything but a word may be a part of the key.
    const [scheme = ''] = /^[a-z]{1,10} /i.exec(authorization) ?? [];
    lines.push(`"Authorization: ${hide(scheme)}$ANIMAL_STORE_API_KEY"`);
  }
  if (mediaType !== undefined) lines.push(quoteForShell(`Content-Type: ${hide(mediaType)}`));
  // Otherwise curl would send a media type.
  else if (hasBody) lines.push("'Content-Type:'");
  if (session !== undefined) lines.push(quoteForShell(`${SESSION_HEADER}: ${hide(session)}`));
  if (coding !== undefined) lines.push("'Transfer-Encoding: chunked'");
  return lines;
}

/** Returns the body, or the file `body` for one that cannot be printed. */
function showBody({ headers, body }: ExchangeRequest, hide: Hide) {
  if (body?.length === 0) return headers['transfer-encoding'] === undefined ? undefined : '';
  const isText = body !== undefined && body.length <= MAX_BODY && isUtf8(body) && !body.includes(0);
  return isText ? hide(Buffer.from(body).toString()) : { file: 'body' };
}
