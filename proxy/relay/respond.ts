import type { ServerResponse } from 'node:http';
import { ApiError } from '../../common/http/api-error.ts';
import type { Headers } from '../../common/http/headers.ts';
import { endEarly, writeReply } from '../../common/http/write-reply.ts';
import type { Violation } from '../../common/journal/violation.ts';
import { escapeUnit } from '../../common/text/harmless-text.ts';
import { sendBody } from '../bytes/carried-body.ts';
import { toEndToEnd } from '../bytes/raw-headers.ts';
import type { Exchange, Refusal } from '../exchange.ts';
import type { UpstreamResponse } from './upstream-client.ts';

/** Maximum length of `sl-violations`, in bytes: many servers and clients accept 8 KiB of headers. */
export const MAX_VIOLATION_HEADER = 6000;

const corsHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];

type Relayed = Exchange & { readonly response: UpstreamResponse | undefined };

/** Answers the client with the refusal or the bytes of the upstream. @throws Node's own error for invalid headers */
export function respond(outgoing: ServerResponse, { response, violations, refusal }: Relayed): void {
  const headers = response?.headers ?? {};
  const added = toViolationHeaders(violations, headers);
  if (refusal !== undefined) {
    // A browser app may read the refusal if it may read the response.
    const cors = Object.entries(headers).filter(([name]) => corsHeaders.includes(name));
    refuse(outgoing, refusal, Object.fromEntries([...cors, ...added]));
  } else if (response !== undefined) {
    outgoing.sendDate = false;
    const replaced = added.length > 0 ? ['sl-violations'] : [];
    if (!isChunked(outgoing, response.status, headers)) replaced.push('trailer');
    const own = toEndToEnd(response.rawHeaders, headers, replaced);
    outgoing.writeHead(response.status, response.reason, [...own, ...added.flat()]);
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

/** Returns the header `sl-violations`, as Prism prints it. An origin that may read the response may read it too. */
function toViolationHeaders(violations: readonly Violation[], headers: Headers): [string, string][] {
  if (violations.length === 0) return [];
  let length = 0;
  const printed = violations.map(printForHeader).filter((text) => {
    length += text.length + 1;
    return length < MAX_VIOLATION_HEADER;
  });
  const isForeign = headers['access-control-allow-origin'] !== undefined;
  const expose: [string, string][] = isForeign ? [['Access-Control-Expose-Headers', 'sl-violations']] : [];
  return [['sl-violations', `[${printed.join(',')}]`], ...expose];
}

function printForHeader({ location, severity, rule, message }: Violation): string {
  const shown = { location, severity: severity === 'error' ? 'Error' : 'Warning', code: rule, message };
  return JSON.stringify(shown).replaceAll(/[^\x20-\x7e]/g, escapeUnit);
}
