import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Headers } from '../exchange.ts';
import { toPairs, withHeader, withoutHopByHop } from './raw-headers.ts';

/** Where requests are sent on to. */
export interface Upstream {
  /** Its base URL. */
  readonly url: URL;
  readonly agent: Agent;
  /** What certificates are good enough, for https. */
  readonly tls: { readonly rejectUnauthorized?: boolean; readonly ca?: string[] };
  /** How long it may be silent, in milliseconds. */
  readonly timeout: number;
}

/** An upstream that gave no answer. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: 502 | 504;

  /** @param cause Node's code of the failure. */
  constructor(status: 502 | 504, message: string, cause?: string) {
    super(message, { cause });
    this.status = status;
  }
}

/** A request that has been sent on. */
export interface Forwarded {
  /** Ends the request to the upstream, whatever has become of it. */
  cancel(): void;
  /** @throws UpstreamError 502 when the upstream cannot be reached or speaks no HTTP, 504 when it is silent too long. */
  readonly answer: Promise<IncomingMessage>;
}

/**
 * Sends a request on with the bytes that it came with; only Host and what concerns the connection are its own.
 *
 * @param headers those of the request.
 * @param taken what has been read of its body already.
 */
export function forwardRequest(
  request: IncomingMessage,
  headers: Headers,
  taken: Buffer | undefined,
  upstream: Upstream,
): Forwarded {
  // A request with a body cannot be sent twice, so it goes on a connection that cannot be stale.
  const agent = hasBody(headers) ? undefined : upstream.agent;
  let outgoing = open(request, headers, { ...upstream, agent });
  let isCancelled = false;
  sendBody(request, headers, taken, outgoing);
  const isClientSlow = () => hasBody(headers) && !request.readableEnded && !outgoing.writableNeedDrain;
  const answer = waitForAnswer(outgoing, upstream, isClientSlow).catch((error) => {
    if (isCancelled || !isRepeatable(request, headers) || !isStale(outgoing, error)) throw error;
    outgoing = open(request, headers, { ...upstream, agent: undefined });
    outgoing.end();
    return waitForAnswer(outgoing, upstream, isClientSlow);
  });
  const cancel = () => {
    isCancelled = true;
    outgoing.destroy();
  };
  return { cancel, answer };
}

function open(
  request: IncomingMessage,
  headers: Headers,
  { url, agent, tls, timeout }: Omit<Upstream, 'agent'> & { agent: Agent | undefined },
): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send({
    ...tls,
    agent: agent ?? false,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    method: request.method,
    path: request.url,
    headers: toUpstreamHeaders(request, headers, url.host),
    timeout,
  });
}

/**
 * Nobody is silent while the other side is what keeps it waiting: a client that is slow to send, or slow to read.
 *
 * @throws UpstreamError
 */
function waitForAnswer(
  outgoing: ClientRequest,
  { url, timeout }: Upstream,
  isClientSlow: () => boolean,
): Promise<IncomingMessage> {
  const silence = () => new UpstreamError(504, `The upstream was silent for ${timeout} ms.`);
  return new Promise((resolve, reject) => {
    let answered: IncomingMessage | undefined;
    outgoing.on('timeout', () => {
      // Once there is an answer, it is what whoever reads it waits for.
      if (answered === undefined ? !isClientSlow() : answered.readableFlowing) {
        (answered ?? outgoing).destroy(silence());
      }
    });
    outgoing.on('response', (answer) => {
      answered = answer;
      if (answer.statusCode === 101) outgoing.destroy(new Error('it wants another protocol'));
      else resolve(answer);
    });
    // Of an upgrade that nobody listens for, Node tells no more than this.
    outgoing.on('close', () => {
      reject(new UpstreamError(502, `The upstream ${url.origin} gave no answer, or wants another protocol.`));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const message = `The upstream ${url.origin} gave no answer: ${error.message}${hintAt(error)}.`;
      reject(error instanceof UpstreamError ? error : new UpstreamError(502, message, error.code));
    });
  });
}

/** The codes of what Node has against a certificate are many; all speak of one. */
function hintAt({ code = '', message }: NodeJS.ErrnoException): string {
  if (!/CERT|SIGNATURE|ALTNAME/.test(code)) return '';
  const what = message.includes('certificate') ? '' : ' (a matter of its certificate)';
  return `${what}; --ca names an authority to trust, --insecure trusts any certificate`;
}

/** An upstream may close a connection that has been idle just when it is used again, and never see the request. */
function isStale(outgoing: ClientRequest, { cause }: UpstreamError): boolean {
  return outgoing.reusedSocket && cause === 'ECONNRESET';
}

/** Source: RFC 9110 section 9.2.2 */
function isRepeatable({ method = '' }: IncomingMessage, headers: Headers): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method) && !hasBody(headers);
}

/** Whether a request has a body. Source: RFC 9112 section 6.3 */
export function hasBody(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function sendBody(
  request: IncomingMessage,
  headers: Headers,
  taken: Buffer | undefined,
  outgoing: ClientRequest,
): void {
  if (!hasBody(headers)) {
    outgoing.end();
    return;
  }
  if (taken !== undefined) outgoing.write(taken);
  const end = () => {
    if (request.rawTrailers.length > 0) outgoing.addTrailers(toPairs(request.rawTrailers));
    outgoing.end();
  };
  if (request.readableEnded) {
    end();
    return;
  }
  request.pipe(outgoing, { end: false });
  request.once('end', end);
  // An upstream may answer and hang up before it has all of the request.
  outgoing.on('error', () => {}).on('close', () => request.unpipe(outgoing).resume());
}

/** Methods whose requests Node takes to have no body, unless a header says otherwise. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function toUpstreamHeaders(
  { rawHeaders, method = 'GET' }: IncomingMessage,
  headers: Headers,
  host: string,
): string[] {
  const own = withHeader(withoutHopByHop(rawHeaders, headers.connection), 'Host', host);
  if (headers['transfer-encoding'] !== undefined) own.push('Transfer-Encoding', 'chunked');
  // For any other method Node would announce a body in chunks, though there is none.
  else if (headers['content-length'] === undefined && !bodiless.has(method)) own.push('Content-Length', '0');
  return own;
}
