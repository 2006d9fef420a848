import type { IncomingMessage } from 'node:http';
import { decodeCheckedBody } from '../../common/http/decode-checked-body.ts';
import { type RawHeaders, toHeaders } from '../../common/http/headers.ts';
import { parseSessionPath } from '../../common/http/session-names.ts';
import { toOriginForm } from '../../common/http/to-origin-form.ts';
import { type CarriedBody, noBody, readUpToLimit } from '../bytes/carried-body.ts';
import { findOtherCoding } from '../bytes/raw-headers.ts';
import type { ExchangeRequest } from '../exchange.ts';

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
  // Source: RFC 9112 section 6.3
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const carried = hasBody ? await readUpToLimit(incoming) : noBody;
  // A body in another transfer coding is refused.
  const isReadable = findOtherCoding(headers) === undefined;
  const checked = isReadable ? decodeCheckedBody(carried.bytes, headers) : { body: undefined };
  const [, whole = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const basePath = (hasSessions ? parseSessionPath(whole).prefix : '') + base;
  const path = whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : '';
  const isUnderBase = whole === basePath || (path !== '' && (basePath === '' || !canLeave(path)));
  const request = { method, target, path, query, headers, ...checked };
  return { ...request, rawHeaders, hasBody, carried, startedAt, isUnderBase };
}

/** Returns whether a path has a dot segment, a slash or a backslash that servers may decode differently. */
function canLeave(path: string): boolean {
  return /\\|%(?:25)*(?:u00)?(?:2f|5c)|\/(?:\.|%(?:25)*(?:u00)?2e){1,2}(?:[/;#%]|$)/i.test(path);
}
