import { setTimeout as delay } from 'node:timers/promises';
import { createKeyCheck } from './create-key-check.ts';
import { createOutages } from './create-outages.ts';
import { createPlaces } from './create-places.ts';
import { createDeadline } from './deadline.ts';
import {
  BODY_ENDED,
  type Exchange,
  isUnanswered,
  keepExchange,
  type SuiteRequest,
  type SuiteResponse,
  toOperation,
} from './exchange.ts';
import { NO_SERVER_FAULT, Untried } from './result.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import type { Target } from './target.ts';

/** A request as a check asks for it. */
export interface RequestOptions {
  /** @default 'GET' */
  readonly method?: string;
  /** @default the base URL of the target */
  readonly base?: string;
  readonly path: string;
  /** Undefined leaves the header out. @default the key of the target, as a bearer token */
  readonly authorization?: string | undefined;
  readonly body?: string;
  /** Undefined leaves the header out. @default application/json, where there is a body */
  readonly mediaType?: string | undefined;
  /** Besides those of the target. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests to a deployment and keeps every exchange. */
export interface Client {
  /**
   * @param rank the place of the clause in the running order. @default the last
   * @throws Untried once the deployment answers nothing any more, when it answers nothing but 429, which says nothing of any
   * clause, once it does not answer this operation, and when the run has ended; Interrupted when the clause must start again.
   */
  send(request: RequestOptions, rank?: number): Promise<Exchange>;
  /** Every exchange so far, in the order of their clauses and, of each clause, of their requests; those that were answered 429 among them. */
  readonly journal: readonly Exchange[];
  /** How many requests were sent so far, those that were asked again alone among them. */
  countRequests(): number;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Returns once whether a clause must start again, because a restart left one of its requests unanswered. */
  takeInterrupted(rank: number): boolean;
}

/** The longest that a deployment may ask to wait, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** How long to wait after a 429 that does not say it, in milliseconds. */
const USUAL_WAIT = 1000;

/** How long to wait at least after a second 429, in milliseconds; twice as long each time. */
const FIRST_BACKOFF = 50;

/** Why nothing can be tried. */
export const TOO_MANY_REQUESTS =
  'the deployment answers 429, Too Many Requests: try a lower rate (--max-rate) or later';

/** How many requests in a row may be left without an answer before it is asked whether there is anyone at all. */
const MOST_SILENT = 4;

/** How many requests an operation may leave unanswered before it is sent no more: each takes the whole timeout. */
const MOST_UNANSWERED = 3;

/** How long a deployment may refuse connections before the run ends, in milliseconds. */
const LONGEST_OUTAGE = 30_000;

/**
 * Creates a client of a deployment.
 *
 * @param sendRequest carries its requests.
 * @param deadline ends the run.
 * @param options.patience how long the deployment may refuse connections, in milliseconds; 0 returns a refusal at once.
 * @param options.accepted number of requests before this run, if the key was accepted.
 */
export function createClient(
  target: Target,
  sendRequest: SendRequest = createSendRequest(target),
  deadline: AbortSignal = createDeadline(target),
  {
    patience = LONGEST_OUTAGE,
    accepted = 0,
  }: { readonly patience?: number; readonly accepted?: number } = {},
): Client {
  const ending = new AbortController();
  const signal = AbortSignal.any([deadline, ending.signal]);
  const end = (reason: string): never => {
    ending.abort(new Untried(reason));
    throw signal.reason;
  };
  const journal: Exchange[] = [];
  const ranks: (readonly [rank: number, turn: number])[] = [];
  /** Clauses run at the same time, but what is found first must not depend on which answer comes first. */
  const keep = (exchange: Exchange, rank: number, turn: number) => {
    const isBefore = ([other, otherTurn]: readonly [number, number]) =>
      other < rank || (other === rank && otherTurn <= turn);
    const index = ranks.findLastIndex(isBefore) + 1;
    journal.splice(index, 0, exchange);
    ranks.splice(index, 0, [rank, turn]);
  };
  const forget = (exchange: Exchange) => {
    const index = journal.indexOf(exchange);
    if (index === -1) return false;
    journal.splice(index, 1);
    ranks.splice(index, 1);
    return true;
  };
  const startedAt = performance.now();
  let turns = 0;
  let requests = accepted;
  let silent = 0;
  const unanswered = new Map<string, number>();
  let gone: string | undefined;
  const places = createPlaces(target.concurrency);
  const interval = 1000 / target.maxRate;
  let next = 0;
  const takeTurn = async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + interval;
    if (turn > now) await delay(turn - now, undefined, { signal }).catch(() => {});
  };
  /** @returns undefined for what may have failed only because others were open at the same time: from now on none are. */
  const attempt = async (
    request: SuiteRequest,
    rank: number,
    turn: number,
    left = target.retries,
  ): Promise<Exchange | undefined> => {
    const wasShared = places.isShared();
    await outages.isOver();
    const exchange = await exchangeOnce(request);
    if (await outages.hasInterrupted(exchange, rank)) return undefined;
    if (await keyCheck.isExpired(exchange)) end(keyCheck.describe());
    if (isOverload(exchange) && (wasShared || places.isShared())) {
      places.leaveOne();
      return undefined;
    }
    keep(exchange, rank, turn);
    if (isUnanswered(exchange)) {
      const operation = toOperation(request);
      unanswered.set(operation, (unanswered.get(operation) ?? 0) + 1);
    }
    silent = exchange.response === undefined ? silent + 1 : 0;
    if (exchange.response === undefined || !isTooMany(exchange.response)) return exchange;
    places.halve();
    // What was not long enough once is not long enough again.
    const tries = target.retries - left;
    const least = tries === 0 ? 0 : FIRST_BACKOFF * 2 ** tries;
    const wait = Math.max(readRetryAfter(exchange.response), least);
    if (left === 0 || wait > LONGEST_WAIT) throw new Untried(TOO_MANY_REQUESTS);
    // For all requests, since the others would be answered the same.
    next = Math.max(next, performance.now() + wait);
    return attempt(request, rank, turn, left - 1);
  };
  const exchangeOnce = async (request: SuiteRequest): Promise<Exchange> => {
    await takeTurn();
    signal.throwIfAborted();
    const operation = toOperation(request);
    const count = unanswered.get(operation) ?? 0;
    if (count >= MOST_UNANSWERED) {
      throw new Untried(`${operation} has left ${count} requests unanswered: see ${NO_SERVER_FAULT}`);
    }
    const start = performance.now();
    requests += 1;
    const turn = requests;
    const sent = await sendRequest(request, signal);
    if (sent.response === undefined) signal.throwIfAborted();
    const received = { request, ...sent, at: start - startedAt, ms: performance.now() - start };
    const exchange = keepExchange(received, target);
    keyCheck.note(exchange, turn);
    return exchange;
  };
  const probe = (path: string) => exchangeOnce(toRequest({ path }, target));
  const keyCheck = createKeyCheck({ target, journal, signal, probe, before: accepted });
  const outages = createOutages({ target, journal, signal, probe, end, patience, forget });
  /** With its place, so that one that is refused is not behind all others when it is asked for again. */
  const ask = async (options: RequestOptions, rank: number, turn: number): Promise<Exchange> => {
    const attemptOnce = () => attempt(toRequest(options, target), rank, turn);
    return (await places.take(attemptOnce)) ?? ask(options, rank, turn);
  };
  const expectPresent = async (rank: number, turn: number) => {
    if (silent < MOST_SILENT || gone !== undefined) return;
    const { response, failure } = await ask({ path: '/pets' }, rank, turn);
    if (response === undefined) gone ??= failure;
  };
  return {
    journal,
    signal,
    countRequests: () => requests,
    takeInterrupted: outages.takeInterrupted,
    send: async (options, rank = Number.POSITIVE_INFINITY) => {
      const { method = 'GET' } = options;
      if (method !== 'GET' && !target.allowsWrites) throw new Error('A clause that writes was run.');
      turns += 1;
      const turn = turns;
      await expectPresent(rank, turn);
      if (gone !== undefined) throw new Untried(`the deployment answers no more: ${gone}`);
      return ask(options, rank, turn);
    },
  };
}

/** Whether a deployment asks to wait: with 429, or with a 503 that says how long. */
export function isTooMany({ status, headers }: SuiteResponse): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined);
}

/** Whether a server may have had too many requests at once: it says so, or gives no answer, or half of one. */
function isOverload({ response, failure }: Exchange): boolean {
  if (response === undefined || failure?.startsWith(BODY_ENDED)) return true;
  return response.status === 503 && !isTooMany(response);
}

/** What is sent for a request to a deployment. */
export function toRequest(options: RequestOptions, target: Target): SuiteRequest {
  const { method = 'GET', path, body } = options;
  const mediaType = 'mediaType' in options ? options.mediaType : 'application/json';
  const authorization = 'authorization' in options ? options.authorization : `Bearer ${target.apiKey}`;
  const headers = {
    ...target.headers,
    ...options.headers,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(body === undefined || mediaType === undefined ? {} : { 'Content-Type': mediaType }),
  };
  return { method, base: options.base ?? target.baseUrl, path, headers, body };
}

/** How long to wait after a 429, in milliseconds. Source: RFC 9110 section 10.2.3 */
export function readRetryAfter({ headers }: Pick<SuiteResponse, 'headers'>): number {
  const value = headers['retry-after'] ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  // A date has no fractions of a second, and so may be past when it arrives.
  return Number.isNaN(until) ? USUAL_WAIT : Math.max(0, until - Date.now());
}
