import { type ServerResponse, STATUS_CODES } from 'node:http';
import { errorStatuses, printError } from '../../common/errors.ts';
import type { Exchange, Headers, Refusal } from '../exchange.ts';
import { sendBody } from './carried-body.ts';
import type { UpstreamResponse } from './create-carrier.ts';
import { toEndToEnd } from './raw-headers.ts';
import { toViolationHeaders } from './violation-header.ts';

/**
 * Answers the client: with a refusal if there is one, otherwise with the bytes of the upstream response. A client that
 * has gone gets nothing.
 *
 * @throws what Node has against a head that the upstream sent.
 */
export function respond(
  outgoing: ServerResponse,
  { response, violations, refusal }: Exchange,
  carried: UpstreamResponse | undefined,
  hasViolationHeader: boolean,
): void {
  const headers = response?.headers ?? {};
  const told = hasViolationHeader ? toViolationHeaders(violations, headers) : [];
  if (refusal !== undefined) {
    carried?.body.rest?.destroy();
    refuse(outgoing, refusal, [...leaveToRead(headers), ...told]);
  } else if (carried !== undefined) {
    outgoing.sendDate = false;
    // Of two such headers nobody could read either.
    const replaced = told.length > 0 ? ['sl-violations'] : [];
    if (!isChunked(outgoing, carried.status, headers)) replaced.push('trailer');
    const own = toEndToEnd(carried.rawHeaders, headers, replaced);
    outgoing.writeHead(carried.status, carried.reason, [...own, ...told]);
    // The rest may take its time. And while a response waits for its turn, Node would put the head before a 100 that
    // waits too, and bytes behind it.
    if (outgoing.socket === null || carried.body.rest !== undefined) {
      // It would also put it in UTF-8.
      outgoing.req.socket.setDefaultEncoding('latin1');
      outgoing.flushHeaders();
    }
    sendBody(carried.body, outgoing);
  }
}

/** Whether the body goes out in chunks: behind no other can trailers follow, and Node refuses to announce them. */
function isChunked({ req, useChunkedEncodingByDefault }: ServerResponse, status: number, headers: Headers) {
  const hasBody = req.method !== 'HEAD' && status !== 204 && status !== 304;
  return hasBody && useChunkedEncodingByDefault && headers['content-length'] === undefined;
}

/** Answers with an `Error` body; `added` are headers beside its own. */
export function refuse(
  outgoing: ServerResponse,
  { code, message }: Refusal,
  added: readonly string[] = [],
): void {
  const status = errorStatuses[code];
  // As bytes, since the connection may have been told to write texts in latin1.
  const body = Buffer.from(printError(code, message));
  const own = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  // With a reason of its own: one that was refused may be what brought it here.
  outgoing.writeHead(status, STATUS_CODES[status], [...own, ...added]).end(body);
  // What has not been read of the request would hold up the next one.
  outgoing.req.resume();
}

/** Where a browser would have let an app of another origin read the upstream's response, it is to read this one. */
function leaveToRead(headers: Headers): string[] {
  const names = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];
  return Object.entries(headers)
    .filter(([name]) => names.includes(name))
    .flat();
}
