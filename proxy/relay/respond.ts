import { type ServerResponse, STATUS_CODES } from 'node:http';
import { errorStatuses, printError } from '../../common/http/errors.ts';
import { sendBody } from '../bytes/carried-body.ts';
import { toEndToEnd } from '../bytes/raw-headers.ts';
import type { Exchange, Headers, Refusal } from '../exchange.ts';
import type { UpstreamResponse } from './upstream-client.ts';
import { toViolationHeaders } from './violation-header.ts';

const corsHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];

/** Answers the client with the refusal or the bytes of the upstream. @throws Node's own error for invalid headers */
export function respond(
  outgoing: ServerResponse,
  { response, violations, refusal }: Exchange,
  carried: UpstreamResponse | undefined,
): void {
  const headers = response?.headers ?? {};
  const added = toViolationHeaders(violations, headers);
  if (refusal !== undefined) {
    carried?.body.rest?.destroy();
    // A browser app may read the refusal if it may read the response.
    const cors = Object.entries(headers).filter(([name]) => corsHeaders.includes(name));
    refuse(outgoing, refusal, [...cors.flat(), ...added]);
  } else if (carried !== undefined) {
    outgoing.sendDate = false;
    const replaced = added.length > 0 ? ['sl-violations'] : [];
    if (!isChunked(outgoing, carried.status, headers)) replaced.push('trailer');
    const own = toEndToEnd(carried.rawHeaders, headers, replaced);
    outgoing.writeHead(carried.status, carried.reason, [...own, ...added]);
    // While a response waits for its turn, Node would write its headers before a 100 that waits too, and in UTF-8.
    if (outgoing.socket === null || carried.body.rest !== undefined) {
      outgoing.req.socket.setDefaultEncoding('latin1');
      outgoing.flushHeaders();
    }
    sendBody(carried.body, outgoing);
  }
}

/** Returns whether the body is sent in chunks. Without chunks Node refuses to announce trailers. */
function isChunked({ req, useChunkedEncodingByDefault }: ServerResponse, status: number, headers: Headers) {
  const hasBody = req.method !== 'HEAD' && status !== 204 && status !== 304;
  return hasBody && useChunkedEncodingByDefault && headers['content-length'] === undefined;
}

/** Answers with an `Error` body. */
export function refuse(
  outgoing: ServerResponse,
  { code, message }: Refusal,
  added: readonly string[] = [],
): void {
  const status = errorStatuses[code];
  // Bytes, because the encoding of the connection may be latin1.
  const body = Buffer.from(printError(code, message));
  const own = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  // With the usual reason, since a refused one may be the cause.
  outgoing.writeHead(status, STATUS_CODES[status], [...own, ...added]).end(body);
  // Unread bytes would block the next request.
  outgoing.req.resume();
}
