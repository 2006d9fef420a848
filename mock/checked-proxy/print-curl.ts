import { HIDDEN, hideKeys, holdsKey } from '../hide-keys.ts';
import type { JudgedRequest } from './exchange.ts';

/** The longest body that is shown, in bytes. */
const LONGEST_BODY = 2_000;

/**
 * Prints a request as a command for bash or zsh that sends it to the upstream again. The key is `$API_KEY`; a body that
 * cannot be shown is the file `body`.
 */
export function printCurl(request: JudgedRequest, upstream: URL): string {
  const key = keyOf(request);
  const parts = [
    'curl',
    ...printMethod(request),
    ...printHeaders(request, key),
    ...printBody(request, key),
    ...printTarget(request, key, upstream),
  ];
  return parts.join(' ');
}

/** The key of a request: what follows the scheme, or all of Authorization when it has none. Shorter ones are no secret. */
export function keyOf({ headers: { authorization = '' } }: JudgedRequest): string {
  const key = authorization.slice(authorization.indexOf(' ') + 1).trim();
  return key.length < 4 ? '' : key;
}

function printMethod({ method, body }: JudgedRequest): string[] {
  if (method === 'HEAD') return ['--head'];
  const implied = hasNothing(body) ? 'GET' : 'POST';
  return method === implied ? [] : ['-X', quote(method)];
}

function printHeaders({ headers, body }: JudgedRequest, key: string): string[] {
  const { authorization, 'content-type': mediaType, 'transfer-encoding': coding } = headers;
  const lines: string[] = [];
  if (authorization !== undefined) {
    const scheme = authorization.includes(' ') ? authorization.slice(0, authorization.indexOf(' ')) : '';
    // A scheme is a word; anything else may be a part of the key.
    const shown = /^[a-z]{1,10}$/i.test(scheme) && !holdsKey(scheme, [key]) ? `${scheme} ` : '';
    lines.push(`-H "Authorization: ${shown}$API_KEY"`);
  }
  if (mediaType !== undefined)
    lines.push(`-H ${quote(`Content-Type: ${holdsKey(mediaType, [key]) ? HIDDEN : mediaType}`)}`);
  // Without this curl would name a media type of its own.
  else if (!hasNothing(body)) lines.push("-H 'Content-Type:'");
  if (coding !== undefined) lines.push("-H 'Transfer-Encoding: chunked'");
  return lines;
}

function printBody({ body }: JudgedRequest, key: string): string[] {
  if (hasNothing(body)) return [];
  const text = body === undefined || body.length > LONGEST_BODY ? undefined : decodeText(body);
  if (text === undefined || holdsKey(text, [key])) return ['--data-binary @body'];
  return [`--data-raw ${quote(text)}`];
}

function printTarget({ target }: JudgedRequest, key: string, upstream: URL): string[] {
  const url = `${upstream.origin}${hideSecrets(hideKeys(target, [key]))}`;
  const flags = [
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
  ];
  return [...flags, quote(url)];
}

/** Some send a key in a parameter, where it does not belong. */
export function hideSecrets(target: string): string {
  return target.replaceAll(/([?&][^=&]*(?:key|token|secret|passw|auth)[^=&]*=)[^&]+/gi, '$1***');
}

function hasNothing(body: Uint8Array | undefined): boolean {
  return body !== undefined && body.length === 0;
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Quotes a text for bash and zsh, on one line. */
function quote(text: string): string {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${escaped}'`;
}
