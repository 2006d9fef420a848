import type { IncomingMessage } from 'node:http';
import type { Headers, JudgedRequest, JudgedResponse } from '../exchange.ts';
import { JUDGED_LIMIT } from '../exchange.ts';
import { basePathOf } from './base-path-of.ts';
import { decodeBody } from './decode-body.ts';

/** A request as it is judged; `base` is the base URL of the upstream, beneath whose path the contract begins. */
export function toJudgedRequest(
  { method = 'GET', url = '/' }: IncomingMessage,
  headers: Headers,
  body: Uint8Array | undefined,
  base: URL,
): JudgedRequest {
  const start = url.indexOf('?');
  const path = start === -1 ? url : url.slice(0, start);
  const basePath = basePathOf(base);
  return {
    method,
    target: url,
    // What is not beneath the base path is none of the contract's.
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '',
    query: start === -1 ? '' : url.slice(start + 1),
    headers,
    body: decode(body, headers),
  };
}

/** A response as it is judged; one to HEAD has no body, whatever its headers say of that of GET. */
export function toJudgedResponse(
  requestMethod: string,
  { statusCode = 502 }: IncomingMessage,
  headers: Headers,
  body: Uint8Array | undefined,
): JudgedResponse {
  return { status: statusCode, headers, body: requestMethod === 'HEAD' ? undefined : decode(body, headers) };
}

function decode(body: Uint8Array | undefined, headers: Headers): Uint8Array | undefined {
  return body && decodeBody(body, headers['content-encoding'], JUDGED_LIMIT);
}
