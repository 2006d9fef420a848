import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientErrors, answerConnect } from '../../common/answer-client-error.ts';
import { createClose, createCloseIdle, originOf } from '../../common/create-close.ts';
import { gatherChunks } from '../../common/gather-chunks.ts';
import { createHostCheck, describeHost } from '../../common/host-check.ts';
import type { ExchangeResponse, Refusal, RequestVerdict } from '../exchange.ts';
import { type Carrier, createCarrier, isEvents, type UpstreamResponse } from './create-carrier.ts';
import { decodeBody } from './decode-body.ts';
import { expectOtherUpstream } from './expect-other-upstream.ts';
import { findHeadFault } from './find-head-fault.ts';
import { toHeaders } from './raw-headers.ts';
import { type ReceivedRequest, receiveRequest } from './received-request.ts';
import { isError, refuseFailure, refuseFault, refusePath, refuseViolations } from './refusal.ts';
import type { Relay, RelayConfig } from './relay-config.ts';
import { refuse, respond } from './respond.ts';
import { takeTurns } from './take-turns.ts';

/** Answers a request that is for the proxy itself. @returns whether it was one. */
type AnswerOwn = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Starts a server that hands every byte on as it is, both ways, and has each exchange judged as it passes.
 *
 * @param answerOwn is asked first. @throws UsageError when it would be its own upstream; Node's own error when it cannot listen.
 */
export async function startRelay(config: RelayConfig, answerOwn?: AnswerOwn): Promise<Relay> {
  const isHostAllowed = createHostCheck(config.host, config.allowHosts);
  const carrier = createCarrier(config);
  const basePath = config.upstream.pathname.replace(/\/+$/, '');
  const open = new Set<Promise<void>>();
  const takeTurn = takeTurns((incoming, outgoing, giveBack) => {
    if (!isHostAllowed(incoming.headers.host)) {
      refuse(outgoing, { code: 'host_not_allowed', message: describeHost(incoming.headers.host) });
      return;
    }
    const relayed = receiveRequest(
      incoming,
      { path: basePath, hasSessions: config.isBesideMock },
      config.errors,
    )
      .then((received) => relay(received, outgoing, carrier, config))
      .then((response) => void (response && isEvents(response.headers) && giveBack()))
      .catch((error) => giveUp(outgoing, error))
      .finally(() => open.delete(relayed));
    open.add(relayed);
  });
  const handle: RequestListener = (incoming, outgoing) => {
    if (isHostAllowed(incoming.headers.host) && answerOwn?.(incoming, outgoing)) return;
    gatherChunks(incoming);
    takeTurn(incoming, outgoing);
  };
  const server = createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, handle)
    .on('checkExpectation', handle)
    .on('connect', answerConnect);
  answerClientErrors(server);
  // It is for the upstream to accept a slow upload or to refuse it; and who sends no more may still wait for an answer.
  Object.assign(server, { requestTimeout: 0, httpAllowHalfOpen: true });
  const closeServer = createClose(server);
  const closeIdle = createCloseIdle(server);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  await expectOtherUpstream(config.upstream, server.address() as AddressInfo).catch((error) => {
    server.close();
    throw error;
  });
  const close = async () => {
    await closeServer();
    // An exchange that was cut off is judged and told of all the same.
    await Promise.all(open);
    carrier.close();
  };
  return { url: `${originOf(server, config.host)}${basePath}`, closeIdle, close };
}

/** What the mock has beside the contract: its control API, its console, its documents and the quickstart. */
const ofMock =
  /^(?:\/sessions\/[\w.-]+)?\/(?:(?:__admin|__console|docs)(?:[/?]|$)|(?:health|messages|openapi\.\w+)(?:\?|$)|(?:\?|$))/;

/** That of an exchange which is not judged. */
const unknownVerdict: RequestVerdict = { operationId: undefined, violations: [], judgeResponse: () => [] };

/**
 * The life of an exchange: its request is carried, both messages are judged, and the client gets its answer.
 *
 * @returns what came of the upstream; events may still go on.
 */
async function relay(
  received: ReceivedRequest,
  outgoing: ServerResponse,
  carrier: Carrier,
  { upstream, judge, isBesideMock, errors, allPaths, violationHeader, onExchange }: RelayConfig,
): Promise<ExchangeResponse | undefined> {
  const startedAt = Date.now();
  const judgeRequest = () => {
    const request = received.toExchangeRequest();
    return { request, ...(isBesideMock && ofMock.test(received.target) ? unknownVerdict : judge(request)) };
  };
  const early = errors ? judgeRequest() : undefined;
  const refused =
    (received.isBeneath || allPaths ? undefined : refusePath(upstream)) ??
    (early?.violations.some(isError) ? refuseViolations('request', early.violations) : undefined);
  const { carried, failure } = refused ? { failure: refused } : await carry(received, outgoing, carrier);
  const { request, operationId, violations, judgeResponse } = early ?? judgeRequest();
  const response = carried && toExchangeResponse(request.method, carried);
  const fault = carried && findHeadFault(carried);
  const found = response === undefined ? [] : fault ? [fault] : judgeResponse(response);
  const isRefused = errors && found.some(isError);
  const refusal = fault ? refuseFault(fault) : isRefused ? refuseViolations('response', found) : failure;
  const all = [...violations, ...found];
  const port = carried?.port;
  const exchange = { request, response, operationId, violations: all, refusal, startedAt, port };
  onExchange(exchange);
  // A mock that breaks off means it.
  if (isBesideMock && failure?.code === 'upstream_failed') outgoing.req.socket.resetAndDestroy();
  else {
    // A browser repeats a request if a connection breaks that it used before.
    if (isBesideMock && response?.headers.connection === 'close') outgoing.shouldKeepAlive = false;
    respond(outgoing, exchange, carried, violationHeader);
  }
  return response;
}

/** @returns neither a response nor a failure when the client has gone. */
async function carry(
  received: ReceivedRequest,
  outgoing: ServerResponse,
  carrier: Carrier,
): Promise<{ carried?: UpstreamResponse; failure?: Refusal }> {
  const onGone = (cancel: () => void) => (outgoing.destroyed ? cancel() : outgoing.once('close', cancel));
  const outcome = await carrier.carry(received, onGone).then(
    (carried) => ({ carried }),
    (error) => ({ failure: refuseFailure(error) }),
  );
  return outgoing.destroyed ? {} : outcome;
}

/** What is judged of a response; one to HEAD has no body, whatever its headers say of that of GET. */
function toExchangeResponse(
  method: string,
  { status, rawHeaders, body }: UpstreamResponse,
): ExchangeResponse {
  const headers = toHeaders(rawHeaders);
  const isJudged = method !== 'HEAD' && body.rest === undefined;
  return { status, headers, body: isJudged ? decodeBody(body.bytes, headers) : undefined };
}

/** Answers what could not be handed on; a response that has begun can only be broken off. */
function giveUp(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.headersSent) outgoing.destroy();
  else refuse(outgoing, refuseFailure(error));
}
