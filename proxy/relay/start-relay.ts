import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { OnMalformed } from '../../common/http/answer-requests.ts';
import { createClose, originOf } from '../../common/http/create-close.ts';
import { createServer } from '../../common/http/create-server.ts';
import { createHostCheck, describeHost, hasSeveralHosts } from '../../common/http/host-check.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { parseSessionPath } from '../../common/http/session-names.ts';
import { findRoute } from '../../common/tls/connection.ts';
import {
  type ExchangeRequest,
  findBroken,
  type Refusal,
  type RequestCheck,
  type ResponseCheck,
} from '../exchange.ts';
import { type ReceivedRequest, receiveMalformed, receiveRequest } from './receive-request.ts';
import { isError, refuseCoding, refuseFailure, refusePath, refuseViolations } from './refusal.ts';
import type { Relay, RelayConfig } from './relay-config.ts';
import { refuse, respond } from './respond.ts';
import { UpstreamClient, type UpstreamResponse } from './upstream-client.ts';

/** Maximum number of open requests. */
const MOST_OPEN = 1_024;

/** Time that a connection may be silent in addition to `timeout`, in milliseconds. */
const CLIENT_TIMEOUT = 300_000;

type AnswerOwn = (...exchange: Parameters<RequestListener>) => boolean;

/** @param answerOwn answers a request for the proxy itself, and returns whether it was one. */
export async function startRelay(config: RelayConfig, answerOwn?: AnswerOwn): Promise<Relay> {
  const { href, hostname, port } = config.upstream;
  const own = ['localhost', '127.0.0.1', '0.0.0.0', '[::1]', config.host];
  if (port === String(config.port) && own.includes(hostname))
    throw new UsageError(`the upstream ${href} is the proxy itself: choose another port for the proxy`);
  const isHostAllowed = createHostCheck(config.host, config.allowHosts);
  const client = new UpstreamClient(config, await findRoute(href));
  const path = config.upstream.pathname.replace(/\/+$/, '');
  const open = new Set<Promise<void>>();
  const onMalformed: OnMalformed = (malformed) => {
    const request = receiveMalformed(malformed, path, config.isInMock);
    const reported = reportMalformed(request, malformed, config)
      // The client gets the same response if a callback of the user throws.
      .catch(() => {})
      .finally(() => open.delete(reported));
    open.add(reported);
    return reported;
  };
  const relayRequest: RequestListener = (incoming, outgoing) => {
    if (open.size >= MOST_OPEN) {
      const message = `The proxy has ${MOST_OPEN} open requests. Try again later.`;
      const refusal = { code: 'service_unavailable', message } as const;
      onMalformed({ ...refusal, received: incoming }).then(() => refuse(outgoing, refusal));
      return;
    }
    const relayed = receiveRequest(incoming, path, config.isInMock)
      .then((received) => relay(received, outgoing, client))
      .catch((error) => {
        // A response that has begun can only be broken off.
        if (outgoing.headersSent) outgoing.destroy();
        else refuse(outgoing, refuseFailure(error, config.upstream));
      })
      .finally(() => open.delete(relayed));
    open.add(relayed);
  };
  const handle: RequestListener = (incoming, outgoing) => {
    const { host } = incoming.headers;
    const message = 'There is more than one Host header. Send one.';
    const several = { code: 'invalid_request', message } as const;
    if (hasSeveralHosts(incoming.rawHeaders))
      onMalformed({ ...several, received: incoming }).then(() => refuse(outgoing, several));
    else if (!isHostAllowed(host))
      refuse(outgoing, { code: 'host_not_allowed', message: describeHost(host) });
    else if (!answerOwn?.(incoming, outgoing)) relayRequest(incoming, outgoing);
  };
  const server = createServer(handle, config.tls, { onMalformed });
  // The upstream decides about slow uploads.
  Object.assign(server, { requestTimeout: 0, timeout: config.timeout + CLIENT_TIMEOUT });
  const closeServer = createClose(server);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const close = async () => {
    await closeServer();
    // Exchanges that were cut off are checked too.
    await Promise.all(open);
    client.close();
  };
  return { url: `${originOf(server, config.host)}${path}`, close };
}

/** Paths of the mock that are not in the contract: its control API, console, documents and the quickstart. */
const ofMock =
  /^\/(?:(?:__admin|__console|docs)(?:[/?]|$)|(?:health|messages|openapi\.\w+)(?:\?|$)|(?:\?|$))/;

/** Paths of the console of a proxy that no mock has started. */
const ofProxy = /^\/__console(?:[/?]|$)/;

const nothingFound: ResponseCheck = { violations: [], brokenRules: [], answered: undefined };
const noCheck: RequestCheck = {
  operationId: undefined,
  violations: [],
  sent: undefined,
  checkResponse: () => nothingFound,
};

/** What came of a request: a response, or a failure. A client that left gets neither. */
interface Outcome {
  readonly response?: UpstreamResponse;
  readonly failure?: Refusal;
}

async function forward(
  request: ReceivedRequest,
  outgoing: ServerResponse,
  client: UpstreamClient,
): Promise<Outcome> {
  const outcome = await client.forward(request, outgoing).then(
    (response) => ({ response }),
    (error: Error) => ({ failure: describeFailure(error, client.config) }),
  );
  return outgoing.destroyed ? {} : outcome;
}

/** The mock of this proxy breaks connections only as a fault. */
function describeFailure(error: Error, { isInMock, upstream }: RelayConfig): Refusal {
  const failure = refuseFailure(error, upstream);
  return isInMock && failure.code === 'upstream_failed' ? { ...failure, isMadeByFault: true } : failure;
}

/** Reports a request that is not forwarded, because it is not valid HTTP. */
async function reportMalformed(request: ExchangeRequest, { code, message }: Refusal, config: RelayConfig) {
  const isOwn = config.isInMock ? ofMock : ofProxy;
  if (isOwn.test(parseSessionPath(request.target).path)) return;
  const { operationId, violations, sent } = (await config.readCheck())(request);
  const none = { response: undefined, answered: undefined, refusal: { code, message } };
  config.onExchange({ request, operationId, violations, sent, ...none, startedAt: Date.now() });
}

async function relay(request: ReceivedRequest, outgoing: ServerResponse, client: UpstreamClient) {
  const { isInMock, block, allPaths, upstream, readCheck, onExchange } = client.config;
  const isOfMock = isInMock && ofMock.test(parseSessionPath(request.target).path);
  const { operationId, violations, sent, checkResponse } = isOfMock ? noCheck : (await readCheck())(request);
  const refused =
    refuseCoding(request.headers) ??
    (request.isUnderBase || allPaths ? undefined : refusePath(upstream)) ??
    (block && violations.some(isError) ? refuseViolations('request', violations) : undefined);
  const { response, failure }: Outcome =
    refused === undefined ? await forward(request, outgoing, client) : { failure: refused };
  const broken = { ...nothingFound, violations: findBroken(failure, operationId) };
  const found = response === undefined ? broken : checkResponse(response);
  const isBlocked = block && response !== undefined && found.violations.some(isError);
  const refusal = isBlocked ? refuseViolations('response', found.violations) : failure;
  const { answered } = found;
  const common = { request, response, operationId, sent, answered, startedAt: request.startedAt };
  const all = [...violations, ...found.violations, ...found.brokenRules];
  const exchange = { ...common, violations: all, refusal };
  // A request for the console of the mock is no traffic of the service.
  if (!isOfMock) onExchange(exchange);
  // The client gets what the fault did.
  if (isInMock && failure?.isMadeByFault) resetConnection(outgoing);
  else respond(outgoing, exchange);
}
