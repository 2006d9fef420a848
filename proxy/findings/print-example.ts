import { isUtf8 } from 'node:buffer';
import type { Headers } from '../../common/http/headers.ts';
import { readSessionHeader, SESSION_HEADER } from '../../common/http/session-names.ts';
import { redactParameters } from '../../common/text/find-keys.ts';
import { printCurl, quoteForShell } from '../../common/text/print-curl.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { type ExchangeRequest, findEmptyKey } from '../exchange.ts';

/** Maximum length of a body that is printed, in bytes. */
const MAX_BODY = 2_000;

/**
 * Prints a request as a curl command for bash or zsh, without keys. The key is `$ANIMAL_STORE_API_KEY`, unless none was sent.
 * @param origin of the URL @param options of curl
 */
export function printExample(
  request: ExchangeRequest,
  origin: string,
  options: readonly string[],
  keys: Keys,
): string {
  const { method, target, headers } = request;
  const { authorization } = headers;
  // Quotes of the shell would break a key in two, so keys are redacted before something is quoted.
  const { url, body, scheme, mediaType, session, ...others } = redact(
    {
      url: origin + target,
      options,
      scheme: readScheme(headers),
      mediaType: headers['content-type'],
      session: readSessionHeader(headers),
      body: readBody(request),
    },
    keys,
  );
  const lines: string[] = [];
  if (findEmptyKey(authorization) !== undefined) lines.push(quoteForShell(`Authorization: ${authorization}`));
  else if (authorization !== undefined) lines.push(`"Authorization: ${scheme}$ANIMAL_STORE_API_KEY"`);
  if (mediaType !== undefined) lines.push(quoteForShell(`Content-Type: ${mediaType}`));
  // Otherwise curl would send a media type.
  else if (body !== undefined) lines.push("'Content-Type:'");
  if (session !== undefined) lines.push(quoteForShell(`${SESSION_HEADER}: ${session}`));
  return printCurl({ ...others, method, url: redactParameters(url), headers: lines, body });
}

/** Returns the scheme of Authorization. Anything but a word may be a part of the key. */
function readScheme({ authorization = '' }: Headers): string {
  return /^[a-z]{1,10} /i.exec(authorization)?.[0] ?? '';
}

/** Returns the body, or the file `body` for one that cannot be printed. */
function readBody({ body }: ExchangeRequest) {
  if (body?.length === 0) return undefined;
  const isText = body !== undefined && body.length <= MAX_BODY && isUtf8(body) && !body.includes(0);
  return isText ? Buffer.from(body).toString() : { file: 'body' };
}
