import { printCurl, quoteForShell } from '../../common/print-curl.ts';
import type { ExchangeRequest, Headers } from '../exchange.ts';
import type { Hide } from './create-redaction.ts';

/** The longest body that is shown, in bytes. */
const LONGEST_BODY = 2_000;

/**
 * Prints a request as a command for bash or zsh that sends it to the upstream again. The key is
 * `$ANIMAL_STORE_API_KEY`; a body that cannot be shown is the file `body`.
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
    options: options.map(hide),
  });
}

function showHeaders(headers: Headers, hasBody: boolean, hide: Hide): string[] {
  const { authorization, 'content-type': mediaType, 'transfer-encoding': coding } = headers;
  const lines: string[] = [];
  if (authorization !== undefined) {
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

function showBody({ headers, body }: ExchangeRequest, hide: Hide) {
  if (body?.length === 0) return headers['transfer-encoding'] === undefined ? undefined : '';
  const text = body === undefined || body.length > LONGEST_BODY ? undefined : decodeText(body);
  return text === undefined || hide(text) !== text ? { file: 'body' } : text;
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
