import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import {
  Exchange,
  hasValidKey,
  isReading,
  LONGEST_WAIT,
  mayAddAnimal,
  type Sent,
  type SuiteRequest,
  type SuiteResponse,
  toOperation,
} from './exchange.ts';
import { KeyRefusal } from './key-refusal.ts';
import { type Arrival, Outages } from './outages.ts';
import { PageLimit } from './page-limit.ts';
import { RoomForAnimals } from './room-for-animals.ts';
import { NO_SERVER_FAULT, NotTested, type NotTestedCause, NoVerdict, SilentOperation } from './run-errors.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import type { Target } from './target.ts';
import { type RequestOptions, toRequest } from './to-request.ts';
import { Turns } from './turns.ts';

/** A request that was sent, and what became of it. */
export interface SentRequest {
  readonly request: SuiteRequest;
  readonly sent: Sent;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
}

export interface ClientOptions {
  readonly sendRequest?: SendRequest | undefined;
  /** Ends the run with the results so far. @default the deadline of the target, from now on */
  readonly signal?: AbortSignal | undefined;
  /** How long the deployment may refuse connections, in ms; 0 returns a refusal at once. @default 30_000 */
  readonly patience?: number;
  /** Number of requests before this run, if the key was accepted. @default 0 */
  readonly accepted?: number | undefined;
  /** Called with each request when it has its response or none. */
  readonly onSent?: ((sent: SentRequest) => void) | undefined;
  /** Called with each exchange, and with whether its request is sent again because the service did not answer it. */
  readonly onExchange?: ((exchange: Exchange, isSentAgain: boolean) => void) | undefined;
}

/** How long to wait after a 429 without Retry-After, in ms. */
const USUAL_WAIT = 1_000;

/** How much longer than asked to wait, in ms: clocks differ, and a limit may count also what it refuses. */
const MARGIN = 50;

/** Maximum number of times that a request is sent again after a 429. */
const MOST_RETRIES = 5;

/** How long to wait at least before the second retry of a request, in ms. Each further retry waits twice as long. */
const FIRST_BACKOFF = 100;

/** How many requests in a row may be left unanswered before the client checks that the deployment is there. */
const MOST_SILENT = 4;

/** Statuses that refuse a request for what it is, each time that it is sent; another one, such as 409, may be due to what it has added. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 415, 422]);

/** How many requests an operation may leave unanswered before it is sent no more: each takes the whole timeout. */
const MOST_UNANSWERED = 3;

export class Client {
  readonly target: Target;
  readonly signal: AbortSignal;
  readonly sendRequest: SendRequest;
  /** Number of requests so far, repeated ones included. */
  requests: number;
  readonly turns: Turns;
  /** Number of POSTs without the response of the service, each of which may have added an animal. */
  perhapsAdded = 0;
  readonly #ending = new AbortController();
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #startedAt = performance.now();
  readonly #unanswered = new Map<string, number>();
  /** Operations that are refused for their number, however long a request waits. */
  readonly #tooMany = new Set<string>();
  /** How many responses each operation has returned that asked for no wait. */
  readonly #answered = new Map<string, number>();
  #silent = 0;
  #absence: string | undefined;
  readonly #room = new RoomForAnimals();
  /** How often each POST was sent without the response of the service, unless that was found to add nothing. */
  readonly #uncertain = new WeakMap<SuiteRequest, number>();
  readonly #onSent: ClientOptions['onSent'];
  readonly #onExchange: ClientOptions['onExchange'];
  readonly #keyRefusal: KeyRefusal;
  readonly #pages = new PageLimit();
  readonly #outages: Outages;

  constructor(
    target: Target,
    { sendRequest, signal, patience = 30_000, accepted = 0, onSent, onExchange }: ClientOptions = {},
  ) {
    this.#onExchange = onExchange;
    this.target = target;
    this.turns = new Turns(target.maxRate);
    this.#onSent = onSent;
    this.requests = accepted;
    this.signal = AbortSignal.any([signal ?? createDeadline(target), this.#ending.signal]);
    this.sendRequest = sendRequest ?? createSendRequest(target);
    this.#limit = pLimit(target.concurrency);
    this.#keyRefusal = new KeyRefusal(this, accepted);
    this.#outages = new Outages(this, patience);
  }

  /**
   * Sends a request and returns the exchange.
   *
   * @throws NoVerdict when the run has ended, or the deployment answers nothing, 429 only, or not this operation;
   * NotTested when the request might add more animals than a run may.
   */
  async send(options: RequestOptions): Promise<Exchange> {
    const request = toRequest(options, this.target);
    if (!isReading(request) && !this.target.allowsWrites) throw new Error('A table that writes was sent.');
    if (this.#silent >= MOST_SILENT && this.#absence === undefined) {
      const list = toRequest({ path: '/pets' }, this.target);
      const { response, failure } = await this.#ask(list);
      if (response === undefined) this.#absence ??= failure?.reason;
    }
    if (this.#absence !== undefined)
      throw new NoVerdict(`the deployment stopped responding: ${this.#absence}`);
    return this.#ask(request);
  }

  /** Whether a response has shown that the key is valid. */
  get isKeyAccepted(): boolean {
    return this.#keyRefusal.wasAccepted;
  }

  /** The time in ms since the run began. */
  get now(): number {
    return performance.now() - this.#startedAt;
  }

  /** Sends a GET request with the valid key once, and records it. */
  async probe(path: string): Promise<Exchange> {
    const exchange = await this.ask(path);
    this.record(exchange, exchange.isUnreached || exchange.isRefused);
    return exchange;
  }

  /** Sends a GET request with the valid key once. It is not recorded. */
  ask(path: string): Promise<Exchange> {
    return this.#exchange(toRequest({ path }, this.target));
  }

  /** Sends a request once. */
  async sendOnce(request: SuiteRequest): Promise<Arrival> {
    const wasShared = this.#limit.activeCount > 1;
    const exchange = await this.#exchange(request);
    return { exchange, wasShared, isShared: wasShared || this.#limit.activeCount > 1 };
  }

  record(exchange: Exchange, isSentAgain: boolean): void {
    this.#onExchange?.(exchange, isSentAgain);
  }

  /** Waits, or until the run has ended. @param ms how long, in ms */
  async wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal }).catch(() => {});
  }

  /** After which request the key was refused that was accepted before, so that the run ended. */
  get keyRefusedAfter(): number | undefined {
    return this.#keyRefusal.refusedAfter;
  }

  /** Ends the run without a verdict. */
  end(reason: string): never {
    this.#ending.abort(new NoVerdict(reason));
    throw this.signal.reason;
  }

  async #ask(request: SuiteRequest): Promise<Exchange> {
    const exchange = await this.#limit(() => this.#attempt(request));
    return exchange ?? this.#ask(request);
  }

  /** @returns undefined for a request that is to be sent again. */
  async #attempt(request: SuiteRequest): Promise<Exchange | undefined> {
    const operation = toOperation(request);
    let progress = this.#answered.get(operation) ?? 0;
    for (let tries = 0; ; tries += 1) {
      const { exchange, wasShared, isShared } = await this.#outages.send(request);
      await this.#keyRefusal.expectNone(exchange);
      if (isOverload(exchange) && isShared) {
        this.record(exchange, true);
        // It is sent again. From now on only one request is sent at a time.
        this.#limit.concurrency = 1;
        return undefined;
      }
      const { response } = exchange;
      this.#silent = response === undefined && !isBroken(exchange) ? this.#silent + 1 : 0;
      const unanswered = this.#unanswered.get(operation) ?? 0;
      if (exchange.isUnanswered) this.#unanswered.set(operation, unanswered + 1);
      const isHopeless = this.#tooMany.has(operation);
      if (!exchange.isTooMany || (isHopeless && !exchange.asksToWait)) {
        this.turns.noteResponse(operation);
        this.#answered.set(operation, (this.#answered.get(operation) ?? 0) + 1);
        this.record(exchange, false);
        return exchange;
      }
      const { status, retryAfter } = exchange;
      const answered = this.#answered.get(operation) ?? 0;
      // Other requests had their turn meanwhile, so that this one will have it, too.
      if (answered > progress) tries = 0;
      progress = answered;
      const asked = exchange.wait ?? USUAL_WAIT;
      const wait = Math.max(
        asked + Math.min(asked, MARGIN),
        tries === 0 ? 0 : FIRST_BACKOFF * 2 ** (tries - 1),
      );
      const reason = `the deployment returned ${status}, ${STATUS_CODES[status]}. Lower --max-rate, or try again later.`;
      if (isHopeless || tries === MOST_RETRIES || wait > LONGEST_WAIT) {
        this.#tooMany.add(operation);
        this.record(exchange, false);
        if (exchange.isOverQuota && hasValidKey(exchange, this.target)) return exchange;
        if (exchange.isOverQuota) throw new NotTested(reason);
        if (exchange.asksToWait) throw new NoVerdict(reason);
        // A gateway that always says 503 limits no rate.
        this.turns.forget();
        return exchange;
      }
      this.record(exchange, true);
      // Perhaps fewer at once are not refused.
      if (wasShared) this.#limit.concurrency = Math.max(1, this.#limit.concurrency - 1);
      this.turns.noteRefusal(operation, wait, { namesTime: retryAfter !== undefined, isFirst: tries === 0 });
    }
  }

  async #exchange(asked: SuiteRequest): Promise<Exchange> {
    if (!mayAddAnimal(asked)) return this.#exchangeInTurn(asked);
    await this.#room.take();
    let hasAdded = false;
    try {
      const exchange = await this.#exchangeInTurn(asked);
      hasAdded = exchange.isSuccess || exchange.isUncertain;
      this.#notePerhapsAdded(asked, exchange);
      return exchange;
    } finally {
      this.#room.leave(hasAdded);
    }
  }

  /** Counts what may have added an animal. What is refused when it is sent again was refused before, too. */
  #notePerhapsAdded(asked: SuiteRequest, { isUncertain, status }: Exchange): void {
    const before = this.#uncertain.get(asked) ?? 0;
    const counted = isUncertain ? before + 1 : REFUSALS.has(status) ? 0 : before;
    this.#uncertain.set(asked, counted);
    this.perhapsAdded += counted - before;
    if (counted < before) this.#room.giveBack(before);
  }

  #notePage(exchange: Exchange): void {
    const mayBeLimit = !this.#pages.isNone;
    this.#pages.note(exchange);
    if (mayBeLimit && this.#pages.isNone) this.turns.forget();
  }

  async #exchangeInTurn(request: SuiteRequest): Promise<Exchange> {
    const operation = toOperation(request);
    const turn = this.turns.take(operation);
    if (turn > 0) await this.wait(turn);
    this.signal.throwIfAborted();
    const count = this.#unanswered.get(operation) ?? 0;
    if (count >= MOST_UNANSWERED)
      throw new SilentOperation(
        `${operation} left ${count} requests without a response: see ${NO_SERVER_FAULT}`,
      );
    const startedAt = Date.now();
    const start = performance.now();
    this.requests += 1;
    const number = this.requests;
    const sent = await this.sendRequest(request, this.signal);
    const ms = performance.now() - start;
    this.#onSent?.({ request, sent, startedAt, ms });
    if (sent.response === undefined) this.signal.throwIfAborted();
    const response = withCached(sent.response, request);
    const exchange = new Exchange(
      request,
      { ...sent, response: response && { ...response, isAtAnyRate: this.#pages.isNone } },
      this.target,
      start - this.#startedAt,
      ms,
      number,
    );
    this.#keyRefusal.note(exchange, number);
    this.#notePage(exchange);
    return exchange;
  }
}

/** Returns what a client with a cache has after a 304: the response that it had before. Source: RFC 9111, section 4.3.4 */
function withCached(response: SuiteResponse | undefined, { cached }: SuiteRequest): Sent['response'] {
  if (cached === undefined || response?.status !== 304) return response;
  return { ...cached, headers: { ...cached.headers, ...response.headers }, isConfirmed: true };
}

/** Returns whether a server may have had too many requests at once: a 503, or no complete response. */
function isOverload({ response, failure, isTooMany }: Exchange): boolean {
  if (isBroken({ failure })) return false;
  if (response === undefined || failure?.kind === 'body ended') return true;
  return response.status === 503 && !isTooMany;
}

/** Returns whether a response came that is not as HTTP has it. */
function isBroken({ failure }: Pick<Exchange, 'failure'>): boolean {
  return failure?.kind === 'message';
}

/** Creates the signal that ends a run at its deadline or at an interruption. Its reason is a NotTested. */
export function createDeadline({ deadline }: Target, interruption?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (why: string, cause: NotTestedCause) => controller.abort(new NotTested(why, cause));
  setTimeout(end, deadline, `the deadline of ${deadline} ms passed (--deadline)`, 'deadline').unref();
  const interrupt = () => end('the run was interrupted', 'interrupted');
  interruption?.addEventListener('abort', interrupt);
  if (interruption?.aborted) interrupt();
  return controller.signal;
}
