import type { ServerResponse } from 'node:http';
import { ApiError } from '../../common/http/api-error.ts';
import type { Headers } from '../../common/http/headers.ts';
import { endEarly, writeReply } from '../../common/http/write-reply.ts';
import { sendBody } from '../bytes/carried-body.ts';
import { toEndToEnd } from '../bytes/raw-headers.ts';
import type { Exchange, Refusal } from '../exchange.ts';
import type { UpstreamResponse } from './upstream-client.ts';

const corsHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];

type Relayed = Exchange & { readonly response: UpstreamResponse | undefined };

/** Answers the client with the refusal or the bytes of the upstream. @throws Node's own error for invalid headers */
export function respond(outgoing: ServerResponse, { response, refusal }: Relayed): void {
  const headers = response?.headers ?? {};
  if (refusal !== undefined) {
    // A browser app may read the refusal if it may read the response.
    const cors = Object.entries(headers).filter(([name]) => corsHeaders.includes(name));
    refuse(outgoing, refusal, Object.fromEntries(cors));
  } else if (response !== undefined) {
    outgoing.sendDate = false;
    const replaced = isChunked(outgoing, response.status, headers) ? [] : ['trailer'];
    outgoing.writeHead(response.status, response.reason, toEndToEnd(response.rawHeaders, headers, replaced));
    // With bytes, Node would put the headers before a 100 that waits for its turn behind another response.
    outgoing.write('', 'latin1');
    if (response.carried.isCut) endEarly(outgoing, response.carried.bytes);
    else sendBody(response.carried, outgoing);
  }
}

/** Returns whether the body is sent in chunks. Without chunks Node refuses to announce trailers. */
function isChunked({ req, useChunkedEncodingByDefault }: ServerResponse, status: number, headers: Headers) {
  const hasBody = req.method !== 'HEAD' && status !== 204 && status !== 304;
  return hasBody && useChunkedEncodingByDefault && headers['content-length'] === undefined;
}

export function refuse(outgoing: ServerResponse, { code, message }: Refusal, added: Headers = {}): void {
  // An invalid reason phrase of the upstream may be the cause.
  outgoing.statusMessage = '';
  writeReply(outgoing, new ApiError(code, message, added).reply);
  // Unread bytes would block the next request.
  outgoing.req.resume();
}
