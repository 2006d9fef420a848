import * as http from 'node:http';
import * as https from 'node:https';
// Imported by its name, what an older Node lacks would fail before its version is checked.
import * as tls from 'node:tls';
import { gatherChunks } from '../../common/gather-chunks.ts';
import { type CarriedBody, noBody, readUpToLimit, sendBody } from './carried-body.ts';
import { limitWait } from './limit-wait.ts';
import { type RawHeaders, toEndToEnd } from './raw-headers.ts';
import type { ReceivedRequest } from './received-request.ts';
import { type UpstreamConfig, UpstreamError } from './upstream.ts';

/** What the upstream answered; its body has been read up to the limit, unless it is a stream of events. */
export interface UpstreamResponse {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  readonly rawHeaders: RawHeaders;
  readonly body: CarriedBody;
  /** That of the connection to the upstream, on this side. */
  readonly port: number | undefined;
}

/** Carries requests to one upstream. */
export type Carrier = ReturnType<typeof createCarrier>;

/** Creates the carrier for an upstream that speaks HTTP/1.1. */
export function createCarrier(config: UpstreamConfig) {
  const { upstream, isBesideMock } = config;
  const isSecure = upstream.protocol === 'https:';
  const security = isSecure ? toTlsOptions(config) : {};
  const { Agent, request: create } = isSecure ? https : http;
  const idle = new Agent({ keepAlive: true, ...security });
  const promised = new Agent({ keepAlive: true, ...security });
  const { host, port } = upstream;
  const target = { ...security, hostname: upstream.hostname.replace(/^\[(.*)\]$/, '$1'), port };
  const send = (request: ReceivedRequest, agent: http.Agent | false) => {
    const outgoing = create({
      ...target,
      agent,
      method: request.method,
      path: request.target,
      headers: toUpstreamHeaders(request, (isBesideMock && request.headers.host) || host),
    });
    // Node would write a head with Expect in UTF-8.
    if (request.headers.expect !== undefined)
      outgoing.once('socket', (socket) => socket.setDefaultEncoding('latin1'));
    sendBody(request.body, outgoing);
    return outgoing;
  };
  return {
    /**
     * Sends a request on with the bytes that it came with; only Host and what concerns the connection are its own.
     *
     * @param onGone is given what to call when the client has gone.
     * @throws UpstreamError when the upstream cannot be reached, breaks off, or is silent too long.
     */
    carry: async (request: ReceivedRequest, onGone: (cancel: () => void) => void) => {
      // A request with a body cannot be sent twice, so it goes on a connection that is not stale.
      let outgoing = send(request, request.hasBody ? promised : idle);
      let isGone = false;
      onGone(() => {
        isGone = true;
        outgoing.destroy();
      });
      const incoming = await waitForResponse(outgoing, request, config).catch((error) => {
        if (isGone || !isLost(request, outgoing, error.cause, isBesideMock)) throw error;
        outgoing = send(request, false);
        return waitForResponse(outgoing, request, config);
      });
      return readResponse(incoming);
    },
    /** Lets go of idle connections. */
    close: () => {
      idle.destroy();
      promised.destroy();
    },
  };
}

function toTlsOptions({ ca, insecure }: UpstreamConfig): https.AgentOptions {
  const trusted = ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), ca] };
  return { rejectUnauthorized: !insecure, ...trusted };
}

/** Methods whose requests Node takes to have no body, unless a header says otherwise. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function toUpstreamHeaders({ method, rawHeaders, headers }: ReceivedRequest, host: string): string[] {
  const isChunked = headers['transfer-encoding'] !== undefined;
  // Trailers follow chunks alone, and Node refuses to announce any others.
  const own = [...toEndToEnd(rawHeaders, headers, isChunked ? ['host'] : ['host', 'trailer']), 'Host', host];
  if (isChunked) own.push('Transfer-Encoding', 'chunked');
  // For any other method Node would announce a body in chunks, though there is none.
  else if (headers['content-length'] === undefined && !bodiless.has(method)) own.push('Content-Length', '0');
  return own;
}

/** Waits for the head of the response. @throws UpstreamError */
function waitForResponse(
  outgoing: http.ClientRequest,
  { hasBody, body: { rest } }: ReceivedRequest,
  { upstream: { origin }, timeout }: UpstreamConfig,
): Promise<http.IncomingMessage> {
  limitWait(outgoing, rest, timeout);
  return new Promise((resolve, reject) => {
    // Of an upgrade that nobody listens for, Node tells no more than this.
    const onClose = () => {
      reject(new UpstreamError(`The upstream ${origin} gave no answer, or wants another protocol.`));
    };
    outgoing.on('close', onClose).on('response', (response) => {
      gatherChunks(response);
      outgoing.off('close', onClose);
      if (hasBody) outgoing.shouldKeepAlive &&= outgoing.writableFinished && isKept(response);
      if (response.statusCode === 101) outgoing.destroy(new Error('it wants another protocol'));
      else resolve(response);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const message = `The upstream ${origin} gave no answer: ${error.message}${hintAt(error)}.`;
      reject(error instanceof UpstreamError ? error : new UpstreamError(message, error.code));
    });
  });
}

/** Whether the upstream promises how long it keeps the connection; Node lets go of it a second before that. */
function isKept({ headers }: http.IncomingMessage): boolean {
  return /^timeout=\d/.test(String(headers['keep-alive']));
}

/** Whether a body is a stream of events, which may have no end. */
export function isEvents({
  'content-type': type = '',
}: {
  readonly 'content-type'?: string | undefined;
}): boolean {
  return /^text\/event-stream\b/i.test(type);
}

async function readResponse(incoming: http.IncomingMessage): Promise<UpstreamResponse> {
  const { statusCode: status = 502, statusMessage: reason = '', rawHeaders, socket } = incoming;
  // It may be closed, and know nothing more, when all has been read.
  const port = socket.localPort;
  const trailers = () => incoming.rawTrailers;
  try {
    // Events are for the client at once, and have no end to wait for.
    const body = isEvents(incoming.headers)
      ? { ...noBody, rest: incoming, trailers }
      : await readUpToLimit(incoming, trailers);
    return { status, reason, rawHeaders, body, port };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError(`The answer of the upstream broke off: ${(error as Error).message}.`);
  }
}

/**
 * Whether to send a request again: an upstream may close a connection that has been idle just when it is used again, and
 * never see the request. Source: RFC 9110 section 9.2.2. The mock does so when a fault with a drop is added; a fault never
 * drops a connection that was used before, only `Prefer` does.
 */
function isLost(
  { method, hasBody, headers: { prefer = '' }, body: { rest } }: ReceivedRequest,
  outgoing: http.ClientRequest,
  cause: unknown,
  isBesideMock: boolean,
): boolean {
  const isIdempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method) && !hasBody;
  const isRepeatable = isBesideMock ? rest === undefined && !/drop/i.test(prefer) : isIdempotent;
  return isRepeatable && outgoing.reusedSocket && cause === 'ECONNRESET';
}

/** The codes of what Node has against a certificate are many; all speak of one. */
function hintAt({ code = '', message }: NodeJS.ErrnoException): string {
  if (!/CERT|SIGNATURE|ALTNAME/.test(code)) return '';
  const what = message.includes('certificate') ? '' : ' (a matter of its certificate)';
  return `${what}; --ca names an authority to trust, --insecure trusts any certificate`;
}
