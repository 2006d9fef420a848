import { once } from 'node:events';
import { createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import { answerClientErrors, answerConnect, toOriginForm } from '../common/answer-client-error.ts';
import { createClose, originOf } from '../common/create-close.ts';
import { basePathOf } from './judge/base-path-of.ts';
import { type Upstream, UpstreamError } from './relay/forward-request.ts';
import { refuse, toRefusal } from './relay/refusal.ts';
import { type RelayConfig, relay } from './relay/relay.ts';

/** How a checked proxy is started. */
export interface CheckedProxyOptions extends Omit<RelayConfig, 'upstream'> {
  /** The base URL of the deployment that requests go on to. */
  readonly upstream: URL;
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** How long the upstream may be silent, in milliseconds. */
  readonly timeout: number;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string | undefined;
  /** Whether a certificate that nobody vouches for is good enough. */
  readonly insecure?: boolean;
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
  const tls = toTlsOptions(options);
  const isSecure = options.upstream.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true });
  const config = { ...options, upstream: { url: options.upstream, agent, tls, timeout: options.timeout } };
  const open = new Set<Promise<void>>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.url = toOriginForm(request.url ?? '/');
    const relayed = relay(request, response, config)
      .catch((error) => giveUp(response, error))
      .finally(() => open.delete(relayed));
    open.add(relayed);
  };
  const server = createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, handle)
    .on('checkExpectation', handle)
    .on('connect', answerConnect);
  answerClientErrors(server);
  // A slow upload is the upstream's to bear or to refuse.
  server.requestTimeout = 0;
  const close = createClose(server, GRACE);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const url = `${originOf(server, options.host)}${basePathOf(options.upstream)}`;
  return { url, close: () => closeAll(close, open, agent) };
}

/** What was cut off is judged all the same, and told of before the end. */
async function closeAll(
  close: () => Promise<void>,
  open: ReadonlySet<Promise<void>>,
  agent: HttpAgent,
): Promise<void> {
  await close();
  await Promise.all(open);
  agent.destroy();
}

/** Answers what could not be handed on; a response that has begun can only be broken off. */
function giveUp(response: ServerResponse, { message }: Error): void {
  if (response.headersSent) response.destroy();
  else
    refuse(response, toRefusal('upstream', new UpstreamError(502, `It could not be handed on: ${message}.`)));
}

function toTlsOptions({ upstream, ca, insecure = false }: CheckedProxyOptions): Upstream['tls'] {
  if (upstream.protocol !== 'https:') return {};
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  return { rejectUnauthorized: !insecure, ...trusted };
}
