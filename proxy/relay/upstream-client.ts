import * as http from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { describeValue } from '../../common/http/api-error.ts';
import { decodeCheckedBody } from '../../common/http/decode-checked-body.ts';
import { isEventStream, type RawHeaders, toHeaders } from '../../common/http/headers.ts';
import { CHECKED_HEADER } from '../../common/proxy-thread.ts';
import { type Route, toTlsOptions } from '../../common/tls/connection.ts';
import { loadHttps } from '../../common/tls/load-secure.ts';
import { type CarriedBody, noBody, readUpToLimit, sendBody } from '../bytes/carried-body.ts';
import { findOtherCoding, toEndToEnd } from '../bytes/raw-headers.ts';
import type { ExchangeResponse } from '../exchange.ts';
import type { ReceivedRequest } from './receive-request.ts';
import { UpstreamSilence } from './refusal.ts';
import { LARGEST_RESPONSE_HEAD, type RelayConfig } from './relay-config.ts';

/** A response of the upstream, as it is checked and as it is forwarded. */
export interface UpstreamResponse extends ExchangeResponse {
  readonly reason: string;
  readonly rawHeaders: RawHeaders;
  readonly carried: CarriedBody;
}

/** Methods whose requests Node sends without framing, unless a header has it. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

export class UpstreamClient {
  readonly config: RelayConfig;
  readonly #create: typeof http.request;
  readonly #target: RequestOptions;
  readonly #route: Route;
  readonly #idle: http.Agent;
  /** Connections that the upstream promises to keep for some time. */
  readonly #promised: http.Agent;
  /** Number of requests that were sent on each connection. */
  readonly #sent = new WeakMap<Socket, number>();

  /** @param route to the upstream */
  constructor(config: RelayConfig, route: Route) {
    this.config = config;
    this.#route = route;
    this.#create = config.upstream.protocol === 'https:' ? loadHttps().request : http.request;
    const { hostname, port } = route;
    this.#target = { ...toTlsOptions(config), hostname, port, maxHeaderSize: LARGEST_RESPONSE_HEAD };
    this.#idle = route.createAgent(true);
    this.#promised = route.createAgent(true);
  }

  /**
   * Forwards a request. Only Host and what concerns the connection differ.
   * @throws ApiError if the upstream is silent for too long; Node's own error if it is unreachable or breaks off.
   */
  async forward(request: ReceivedRequest, client: http.ServerResponse): Promise<UpstreamResponse> {
    // A request with a body cannot be sent twice, so its connection must not be stale.
    let outgoing = this.#send(request, request.hasBody ? this.#promised : this.#idle);
    const cancel = () => void outgoing.destroy();
    client.once('close', cancel);
    if (client.destroyed) cancel();
    const incoming = await this.#waitForResponse(outgoing, request).catch((error) => {
      if (client.destroyed || !this.#isLost(request, outgoing, error.code)) throw error;
      outgoing = this.#send(request, false);
      return this.#waitForResponse(outgoing, request);
    });
    return this.#read(incoming, request);
  }

  close(): void {
    this.#idle.destroy();
    this.#promised.destroy();
  }

  #send(received: ReceivedRequest, agent: http.Agent | false): http.ClientRequest {
    const { isInMock, upstream } = this.config;
    const { method, headers } = received;
    const path = this.#route.prefix + received.target;
    const own = toUpstreamHeaders(received, (isInMock && headers.host) || upstream.host);
    const mark = isInMock ? [CHECKED_HEADER, 'true'] : [];
    const sent = [...own, ...mark, ...Object.entries(this.#route.headers).flat()];
    const outgoing = this.#create({ ...this.#target, agent, method, path, headers: sent });
    // Node would leave out all headers after the first thousand.
    outgoing.maxHeadersCount = 0;
    outgoing.once('socket', (socket) => {
      this.#sent.set(socket, (this.#sent.get(socket) ?? 0) + 1);
      // Node would write headers with Expect in UTF-8.
      if (headers.expect !== undefined) socket.setDefaultEncoding('latin1');
    });
    sendBody(received.carried, outgoing);
    return outgoing;
  }

  #waitForResponse(outgoing: http.ClientRequest, { hasBody, carried: { rest } }: ReceivedRequest) {
    limitWait(outgoing, rest, this.config.timeout);
    return new Promise<http.IncomingMessage>((resolve, reject) => {
      // Node emits nothing else for an upgrade without a listener.
      const onClose = () => reject(new Error('it switches to another protocol'));
      outgoing
        .on('error', (error) => reject(this.#route.toFailure(error)))
        .on('close', onClose)
        .on('response', (response) => {
          outgoing.off('close', onClose);
          // Node closes a connection a second before the upstream's promise ends.
          const isPromised = /^timeout=\d/.test(String(response.headers['keep-alive']));
          if (hasBody) outgoing.shouldKeepAlive &&= outgoing.writableFinished && isPromised;
          // HTTP/1.0 has no transfer codings, so the framing may be faulty. Source: RFC 9112 section 6.1
          const { httpVersion, headers } = response;
          if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
            outgoing.shouldKeepAlive = false;
          resolve(response);
        });
    });
  }

  async #read(incoming: http.IncomingMessage, { method }: ReceivedRequest): Promise<UpstreamResponse> {
    const { statusCode: status = 502, statusMessage: reason = '', rawHeaders, socket } = incoming;
    const headers = toHeaders(rawHeaders);
    const failure = this.#route.findRefusal(status);
    if (failure !== undefined) throw failure;
    if (status < 200 || status > 599) throw new Error(`HTTP has no final status ${status}`);
    const coding = findOtherCoding(headers);
    if (coding !== undefined) {
      const sent = `it sends the transfer coding ${describeValue(coding)}`;
      throw new Error(`${sent}, and only "chunked" can be forwarded`);
    }
    // A closed socket has no port.
    const sentAs = `${socket.localPort}/${this.#sent.get(socket)}`;
    const events = isEventStream(headers) && { ...noBody, rest: incoming, message: incoming };
    const isMadeByFault = this.config.isInMock && /^\d+$/.test(headers['x-fault'] ?? '');
    const carried = events || (await readUpToLimit(incoming, isMadeByFault).catch(failToRead));
    const isChecked = method !== 'HEAD' && !events && !carried.isCut;
    const checked = isChecked ? decodeCheckedBody(carried.bytes, headers) : { body: undefined };
    return { status, reason, rawHeaders, headers, ...checked, carried, sentAs, isMadeByFault };
  }

  /**
   * Returns whether to send a request again: an upstream may close an idle connection just when it is used again. Source:
   * RFC 9110 section 9.2.2. The mock drops connections on purpose.
   */
  #isLost({ method, hasBody }: ReceivedRequest, outgoing: http.ClientRequest, code: unknown) {
    const isIdempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method) && !hasBody;
    return isIdempotent && !this.config.isInMock && outgoing.reusedSocket && code === 'ECONNRESET';
  }
}

/** Names a response that ended before its last byte: Node says only that it was aborted. */
function failToRead(error: NodeJS.ErrnoException): never {
  throw error.code === 'ECONNRESET' ? new Error('its response broke off') : error;
}

/**
 * Limits how long the upstream may take: `timeout` milliseconds for the headers after the last byte of the request, then
 * the same between two pieces of the body. A client that sends (`rest`) or reads slowly does not count.
 */
function limitWait(outgoing: http.ClientRequest, rest: http.IncomingMessage | undefined, timeout: number) {
  let response: http.IncomingMessage | undefined;
  const timer = setTimeout(() => {
    const isSending = rest !== undefined && !rest.readableEnded && !outgoing.writableNeedDrain;
    const isClientSlow = response === undefined ? isSending : !response.readableFlowing;
    if (isClientSlow) return void timer.refresh();
    (response ?? outgoing).destroy(new UpstreamSilence(timeout));
  }, timeout);
  const refresh = () => void timer.refresh();
  outgoing
    .on('drain', refresh)
    .on('finish', refresh)
    .on('response', (incoming) => {
      refresh();
      response = incoming.pause().on('data', refresh);
    })
    .on('close', () => clearTimeout(timer));
}

function toUpstreamHeaders({ method, headers, rawHeaders }: ReceivedRequest, host: string): string[] {
  const isChunked = headers['transfer-encoding'] !== undefined;
  // Node refuses to announce trailers without chunks.
  const own = [...toEndToEnd(rawHeaders, headers, isChunked ? ['host'] : ['host', 'trailer']), 'Host', host];
  if (isChunked) own.push('Transfer-Encoding', 'chunked');
  // Node would announce chunks for any other method.
  else if (headers['content-length'] === undefined && !bodiless.has(method)) own.push('Content-Length', '0');
  return own;
}
