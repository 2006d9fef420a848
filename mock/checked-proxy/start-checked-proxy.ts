import { once } from 'node:events';
import { createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { answerClientError, answerConnect } from '../answer-client-error.ts';
import { createClose } from '../create-close.ts';
import { originOf } from '../origin-of.ts';
import { toOriginForm } from '../to-origin-form.ts';
import { JUDGED_LIMIT, readUpToLimit, watchBody } from './capture.ts';
import type { Judge, Judgement } from './create-judge.ts';
import { decodeBody } from './decode-body.ts';
import type { Exchange } from './exchange.ts';
import { forwardRequest, type Upstream, UpstreamError } from './forward-request.ts';
import { type RawHeaders, toHeaders, valuesOf, withoutHopByHop } from './raw-headers.ts';
import { printViolationHeader } from './violation-header.ts';

/** How a checked proxy is started. */
export interface CheckedProxyOptions {
  /** The base URL of the deployment that requests go on to. */
  readonly upstream: URL;
  readonly judge: Judge;
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** How long the upstream may be silent, in milliseconds. */
  readonly timeout: number;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string | undefined;
  /** Whether a certificate that nobody vouches for is good enough. */
  readonly insecure?: boolean;
  /** Whether a response carries its violations in `sl-violations`. */
  readonly violationHeader: boolean;
  /** Told of each exchange that was judged. */
  readonly onJudgement: (exchange: Exchange, judgement: Judgement) => void;
}

/** A checked proxy that is listening. */
export interface CheckedProxy {
  /** The base URL: that of the upstream, at the proxy's host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/** How long open requests may take to finish when the proxy is closed, in milliseconds. */
const GRACE = 5_000;

/**
 * Starts a proxy that hands every byte on as it is, both ways, and judges each exchange as it passes.
 *
 * @throws Node's own error when it cannot listen.
 */
export async function startCheckedProxy(options: CheckedProxyOptions): Promise<CheckedProxy> {
  const agent = createAgent(options);
  const upstream: Upstream = { url: options.upstream, agent, timeout: options.timeout };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.url = toOriginForm(request.url ?? '/');
    relay(request, response, upstream, options).catch((error) => refuse(response, error));
  };
  const server = createServer({ requireHostHeader: false }, handle)
    .on('checkExpectation', handle)
    .on('connect', answerConnect)
    .on('clientError', answerClientError);
  const close = createClose(server, GRACE);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const url = `${originOf(server, options.host)}${basePathOf(options.upstream)}`;
  return { url, close: () => close().then(() => agent.destroy()) };
}

function createAgent({ upstream, ca, insecure = false }: CheckedProxyOptions): HttpAgent {
  if (upstream.protocol !== 'https:') return new HttpAgent({ keepAlive: true });
  return new HttpsAgent({
    keepAlive: true,
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca }),
  });
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  { judge, violationHeader, onJudgement }: CheckedProxyOptions,
): Promise<void> {
  const sentBody = watchBody(request);
  const { cancel, answer } = forwardRequest(request, upstream);
  response.once('close', cancel);
  const incoming = await answer;
  const { bytes, isWhole } = await readUpToLimit(incoming).catch((error) => {
    throw error instanceof UpstreamError
      ? error
      : new UpstreamError(502, `The answer of the upstream broke off: ${error.message}.`);
  });
  const exchange = toExchange(request, sentBody(), incoming, isWhole ? bytes : undefined, upstream.url);
  const judgement = await judge(exchange);
  onJudgement(exchange, judgement);
  const added = violationHeader ? toAddedHeaders(incoming.rawHeaders, judgement) : [];
  response.sendDate = false;
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, [
    ...withoutHopByHop(incoming.rawHeaders),
    ...added,
  ]);
  if (isWhole) {
    response.end(bytes);
    return;
  }
  response.write(bytes);
  await pipeline(incoming, response);
}

function toExchange(
  request: IncomingMessage,
  sentBody: Uint8Array | undefined,
  incoming: IncomingMessage,
  body: Uint8Array | undefined,
  base: URL,
): Exchange {
  const [path = '', ...query] = (request.url ?? '/').split('?');
  const basePath = basePathOf(base);
  const [sent, answered] = [toHeaders(request.rawHeaders), toHeaders(incoming.rawHeaders)];
  const isHead = request.method === 'HEAD';
  const decode = (bytes: Uint8Array | undefined, encoding: string | undefined) =>
    bytes && decodeBody(bytes, encoding, JUDGED_LIMIT);
  return {
    request: {
      // HEAD is GET without a body, and the contract need not name it. Source: RFC 9110 section 9.3.2
      method: isHead ? 'GET' : (request.method ?? 'GET'),
      path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
      query: new URLSearchParams(query.join('?')),
      headers: sent,
      body: decode(sentBody, sent['content-encoding']),
    },
    response: {
      status: incoming.statusCode ?? 502,
      headers: answered,
      body: isHead ? undefined : decode(body, answered['content-encoding']),
    },
  };
}

/** The violations, and where the upstream lets another origin read the answer, the leave to read them too. */
function toAddedHeaders(headers: RawHeaders, { violations }: Judgement): string[] {
  if (violations.length === 0) return [];
  const isForeign = valuesOf(headers, 'access-control-allow-origin').length > 0;
  const leave = isForeign ? ['Access-Control-Expose-Headers', 'sl-violations'] : [];
  return ['sl-violations', printViolationHeader(violations), ...leave];
}

/** Says in an `Error` body that there is no answer to hand on; a response that has begun can only be broken off. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof UpstreamError ? error.status : 502;
  const code = status === 504 ? 'upstream_timeout' : 'upstream_failed';
  const body = JSON.stringify({ code, message: (error as Error).message, status });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}
