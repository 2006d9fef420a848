import { HIDDEN, hideKeys, holdsKey } from '../../common/hide-keys.ts';
import type { JudgedRequest } from '../exchange.ts';

/** The longest body that is shown, in bytes. */
const LONGEST_BODY = 2_000;

/**
 * Prints a request as a command for bash or zsh that sends it to the upstream again. The key is `$API_KEY`; a body that
 * cannot be shown is the file `body`.
 */
export function printCurl(request: JudgedRequest, upstream: URL, apiKeys: readonly string[]): string {
  const keys = [...keysOf(request), ...apiKeys];
  const parts = [
    'curl',
    ...printMethod(request),
    ...printHeaders(request, keys),
    ...printBody(request, keys),
    ...printTarget(request, keys, upstream),
  ];
  return parts.join(' ');
}

/** The shortest key that is looked for: a shorter one is a part of many words. */
const SHORTEST_KEY = 4;

/** The keys of a request: what follows the scheme, or all of Authorization when it has none; it may be there twice. */
export function keysOf({ headers: { authorization = '' } }: JudgedRequest): string[] {
  return authorization
    .split(',')
    .map((value) => value.trim())
    .map((value) => value.slice(value.indexOf(' ') + 1).trim())
    .filter((key) => key.length >= SHORTEST_KEY);
}

function printMethod({ method, body }: JudgedRequest): string[] {
  if (method === 'HEAD' && hasNothing(body)) return ['--head'];
  const implied = hasNothing(body) ? 'GET' : 'POST';
  return method === implied ? [] : ['-X', quote(method)];
}

function printHeaders({ headers, body }: JudgedRequest, keys: readonly string[]): string[] {
  const { authorization, 'content-type': mediaType, 'transfer-encoding': coding } = headers;
  const lines: string[] = [];
  if (authorization !== undefined) {
    const scheme = authorization.includes(' ') ? authorization.slice(0, authorization.indexOf(' ')) : '';
    // A scheme is a word; anything else may be a part of the key.
    const shown = /^[a-z]{1,10}$/i.test(scheme) && !holdsKey(scheme, keys) ? `${scheme} ` : '';
    lines.push(`-H "Authorization: ${shown}$API_KEY"`);
  }
  if (mediaType !== undefined)
    lines.push(`-H ${quote(`Content-Type: ${holdsKey(mediaType, keys) ? HIDDEN : mediaType}`)}`);
  // Without this curl would name a media type of its own.
  else if (!hasNothing(body)) lines.push("-H 'Content-Type:'");
  if (coding !== undefined) lines.push("-H 'Transfer-Encoding: chunked'");
  return lines;
}

function printBody({ headers, body }: JudgedRequest, keys: readonly string[]): string[] {
  if (hasNothing(body)) return headers['transfer-encoding'] === undefined ? [] : ["--data-raw ''"];
  const text = body === undefined || body.length > LONGEST_BODY ? undefined : decodeText(body);
  // No argument of a command can hold a NUL.
  if (text === undefined || text.includes('\0') || holdsKey(unescapeJson(text), keys))
    return ['--data-binary @body'];
  return [`--data-raw ${quote(text)}`];
}

function printTarget({ target }: JudgedRequest, keys: readonly string[], upstream: URL): string[] {
  const url = `${upstream.origin}${hideSecrets(hideKeys(target, keys))}`;
  const flags = [
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
  ];
  return [...flags, quote(url)];
}

/** Some send a key in a parameter, where it does not belong. */
export function hideSecrets(target: string): string {
  return target.replaceAll(/([?&])([^=&?]*)=([^&]*)/g, (parameter, mark, name) =>
    /key|token|secret|passw|auth/i.test(name) ? `${mark}${name}=***` : parameter,
  );
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

/** JSON may spell any character by its number. */
function unescapeJson(json: string): string {
  return json.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
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
