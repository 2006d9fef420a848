import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Exchange, Headers, JudgedRequest, Violation } from '../exchange.ts';
import type { Judge } from '../judge/create-judge.ts';
import type { Operation } from '../judge/read-operations.ts';
import { toJudgedRequest, toJudgedResponse } from '../judge/to-judged.ts';
import { forwardRequest, hasBody, type Upstream, UpstreamError } from './forward-request.ts';
import { toHeaders, toPairs, withoutHeaders, withoutHopByHop } from './raw-headers.ts';
import { readUpToLimit, type Taken, watchBody } from './read-up-to-limit.ts';
import { refuse, toRefusal } from './refusal.ts';
import { toViolationHeaders } from './violation-header.ts';

/** What relaying needs to know. */
export interface RelayConfig {
  readonly upstream: Upstream;
  readonly judge: Judge;
  /** Whether a response carries its violations in `sl-violations`. */
  readonly violationHeader: boolean;
  /** Whether what breaks the contract is refused instead of handed on. */
  readonly errors: boolean;
  /** Told of each exchange, also of one that the client has given up. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** A request that has been judged. */
interface Sent {
  readonly request: JudgedRequest;
  readonly operation: Operation | undefined;
  readonly violations: readonly Violation[];
}

/** A response of the upstream, as far as it has been read. */
interface Received {
  readonly incoming: IncomingMessage;
  readonly headers: Headers;
  readonly taken: Taken;
}

/** Hands a request on to the upstream and its response back, and judges both. */
export async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  config: RelayConfig,
): Promise<void> {
  const headers = toHeaders(request.rawHeaders);
  // A request that may be refused is read before it goes on; any other goes on while it arrives.
  const taken = config.errors && hasBody(headers) ? await readUpToLimit(request) : undefined;
  const sentBody = taken === undefined ? watchBody(request, hasBody(headers)) : () => wholeOf(taken);
  const judgeSent = (): Sent => {
    const judged = toJudgedRequest(request, headers, sentBody(), config.upstream.url);
    return { request: judged, ...config.judge.judgeRequest(judged) };
  };
  if (config.errors) {
    const sent = judgeSent();
    if (sent.violations.some(isError)) {
      finish(response, toExchange(sent, { refusal: toRefusal('request', sent.violations) }), config);
      return;
    }
  }
  const { cancel, answer } = forwardRequest(request, headers, taken?.bytes, config.upstream);
  response.once('close', cancel);
  const received = await receive(answer);
  if (response.destroyed) {
    config.onExchange(toExchange(judgeSent(), {}));
    return;
  }
  if (received instanceof UpstreamError) {
    finish(response, toExchange(judgeSent(), { refusal: toRefusal('upstream', received) }), config);
    return;
  }
  await handBack(judgeSent(), received, response, config);
}

async function receive(answer: Promise<IncomingMessage>): Promise<Received | UpstreamError> {
  try {
    const incoming = await answer;
    const taken = await readUpToLimit(incoming);
    return { incoming, headers: toHeaders(incoming.rawHeaders), taken };
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    return new UpstreamError(502, `The answer of the upstream broke off: ${(error as Error).message}.`);
  }
}

async function handBack(
  sent: Sent,
  { incoming, headers, taken }: Received,
  response: ServerResponse,
  config: RelayConfig,
): Promise<void> {
  const judged = toJudgedResponse(sent.request.method, incoming, headers, wholeOf(taken));
  const found = config.judge.judgeResponse(sent.operation, judged);
  const isRefused = config.errors && found.some(isError);
  const refusal = isRefused ? toRefusal('response', found) : undefined;
  const exchange = toExchange(sent, { response: judged, found, refusal });
  if (isRefused) {
    incoming.destroy();
    finish(response, exchange, config);
    return;
  }
  config.onExchange(exchange);
  const added = config.violationHeader ? toViolationHeaders(exchange.violations, headers) : [];
  response.sendDate = false;
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, [
    // Of two such headers nobody could read either.
    ...withoutHeaders(
      withoutHopByHop(incoming.rawHeaders, headers.connection),
      added.length > 0 ? ['sl-violations'] : [],
    ),
    ...added,
  ]);
  await sendBody(incoming, taken, response);
}

async function sendBody(
  incoming: IncomingMessage,
  { bytes, isWhole }: Taken,
  response: ServerResponse,
): Promise<void> {
  if (!isWhole) {
    response.write(bytes);
    await pipeline(incoming, response, { end: false });
  }
  if (incoming.rawTrailers.length > 0) response.addTrailers(toPairs(incoming.rawTrailers));
  response.end(isWhole ? bytes : undefined);
}

/** Answers in the place of the upstream. */
function finish(
  response: ServerResponse,
  exchange: Exchange,
  { violationHeader, onExchange }: RelayConfig,
): void {
  onExchange(exchange);
  if (exchange.refusal === undefined) return;
  const headers = exchange.response?.headers ?? {};
  const told = violationHeader ? toViolationHeaders(exchange.violations, headers) : [];
  refuse(response, exchange.refusal, [...leaveToRead(headers), ...told]);
  // What has not been read of the request would hold up the next one.
  response.req.resume();
}

/** Where a browser would have let an app of another origin read the upstream's response, it is to read this one. */
function leaveToRead(headers: Headers): string[] {
  const names = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials', 'Vary'];
  return names.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [name, value];
  });
}

function toExchange(
  { request, operation, violations }: Sent,
  {
    response,
    found = [],
    refusal,
  }: Partial<Pick<Exchange, 'response' | 'refusal'>> & { found?: readonly Violation[] },
): Exchange {
  return { request, response, operationId: operation?.iid, violations: [...violations, ...found], refusal };
}

function wholeOf({ bytes, isWhole }: Taken): Buffer | undefined {
  return isWhole ? bytes : undefined;
}

function isError({ severity }: Violation): boolean {
  return severity === 'error';
}
