import type { IncomingMessage } from 'node:http';
import type { Malformed } from '../../common/http/answer-requests.ts';
import { type BodyToCheck, decodeCheckedBody } from '../../common/http/decode-checked-body.ts';
import { type Headers, type RawHeaders, toHeaders } from '../../common/http/headers.ts';
import { parseSessionPath } from '../../common/http/session-names.ts';
import { toOriginForm } from '../../common/http/to-origin-form.ts';
import { type CarriedBody, noBody, readUpToLimit } from '../bytes/carried-body.ts';
import { findOtherCoding } from '../bytes/raw-headers.ts';
import { type ExchangeRequest, UNREAD } from '../exchange.ts';

/** A client's request as it is forwarded, and as it is checked. */
export interface ReceivedRequest extends ExchangeRequest {
  readonly rawHeaders: RawHeaders;
  readonly hasBody: boolean;
  readonly carried: CarriedBody;
  /** Arrival, in milliseconds since 1970. */
  readonly startedAt: number;
  /** True if the path is under the base path, however the upstream decodes it. */
  readonly isUnderBase: boolean;
}

/** Reads a request, its body up to the limit. @param hasSessions true if `base` may also be under `/sessions/{name}` */
export async function receiveRequest(incoming: IncomingMessage, base: string, hasSessions: boolean) {
  const startedAt = Date.now();
  const { method = 'GET', rawHeaders } = incoming;
  const target = toOriginForm(incoming.url ?? '/');
  const headers = toHeaders(rawHeaders);
  const hasBody = announcesBody(headers);
  const carried = hasBody ? await readUpToLimit(incoming) : noBody;
  // A body in another transfer coding is refused.
  const coding = findOtherCoding(headers);
  const checked: BodyToCheck =
    coding === undefined
      ? decodeCheckedBody(carried.bytes, headers)
      : { body: undefined, unchecked: { reason: 'unknown coding', coding } };
  const { whole, basePath, path, query } = splitTarget(target, base, hasSessions);
  const isUnderBase = whole === basePath || (path !== '' && (basePath === '' || !canLeave(path)));
  const request = { method, target, path, query, headers, ...checked };
  return { ...request, rawHeaders, hasBody, carried, startedAt, isUnderBase };
}

/** Reads a malformed request, as far as it can be read. The parameters are those of `receiveRequest`. */
export function receiveMalformed(
  { message, received }: Malformed,
  base: string,
  hasSessions: boolean,
): ExchangeRequest {
  const head = 'rawHeaders' in received ? received : readHead(String(received));
  const { method = 'GET', url = '/', rawHeaders } = head;
  const target = url === UNREAD ? `${base}/` : toOriginForm(url);
  const { path, query } = splitTarget(target, base, hasSessions);
  const headers = toHeaders(rawHeaders);
  const body = announcesBody(headers) ? undefined : noBody.bytes;
  return { method, target, path, query, rawHeaders, headers, body, malformed: message };
}

/** Source: RFC 9112 section 6.3 */
function announcesBody(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** More is refused as too large, in bytes. */
const LONGEST_HEAD = 16 * 1024;

/** Reads the lines in front of a body. */
function readHead(text: string) {
  const [head = ''] = text
    .slice(0, LONGEST_HEAD)
    .trimStart()
    .split(/\r?\n\r?\n/, 1);
  const [line = '', ...lines] = head.split(/\r?\n/);
  const [, method = UNREAD, url = UNREAD] = /^([A-Z]+) ([/h].*?)(?: HTTP\/\d\.\d)?$/.exec(line) ?? [];
  // They may have a key that the path has too.
  const rawHeaders = lines.flatMap((header) => {
    const [name = '', ...value] = header.split(':');
    return value.length === 0 ? [] : [name, value.join(':').trim()];
  });
  return { method, url, rawHeaders };
}

/** Splits a target. `path` is under the base path, or else empty. */
function splitTarget(target: string, base: string, hasSessions: boolean) {
  const [, whole = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const basePath = (hasSessions ? parseSessionPath(whole).prefix : '') + base;
  const path = whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : '';
  return { whole, basePath, path, query };
}

/** Returns whether a path has a dot segment, a slash or a backslash that servers may decode differently. */
function canLeave(path: string): boolean {
  return /\\|%(?:25)*(?:u00)?(?:2f|5c)|\/(?:\.|%(?:25)*(?:u00)?2e){1,2}(?:[/;#%]|$)/i.test(path);
}
