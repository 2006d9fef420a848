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
  toOperation,
} from './exchange.ts';
import { KeyRefusal } from './key-refusal.ts';
import { RoomForAnimals } from './room-for-animals.ts';
import { NO_SERVER_FAULT, NotTested, type NotTestedCause, NoVerdict, SilentOperation } from './run-errors.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import type { Target } from './target.ts';
import { Turns } from './turns.ts';

export interface RequestOptions {
  /** @default 'GET' */
  readonly method?: string;
  /** @default the base URL of the target */
  readonly base?: string;
  readonly path: string;
  /** Undefined leaves the header out. @default the key of the target, as a bearer token */
  readonly authorization?: string | undefined;
  readonly body?: string | undefined;
  /** How the body is sent. @default UTF-8 */
  readonly encoding?: SuiteRequest['encoding'];
  /** @default false */
  readonly isInTwoParts?: boolean;
  /** Undefined leaves the header out. @default application/json if there is a body */
  readonly mediaType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default false */
  readonly hasOwnConnection?: boolean;
  readonly isTogether?: boolean;
  readonly trial?: SuiteRequest['trial'];
  readonly form?: SuiteRequest['form'] | undefined;
  readonly isBodyTrial?: SuiteRequest['isBodyTrial'];
  /** True for a request with the valid key. @default true without `authorization` */
  readonly isAuthorized?: boolean | undefined;
}

/** A request that was sent, and what became of it. */
export interface SentRequest {
  readonly request: SuiteRequest;
  readonly sent: Sent;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
}

/** A response that the service may have sent. */
interface Arrival {
  readonly exchange: Exchange;
  /** Whether other requests were under way when this one was sent. */
  readonly wasShared: boolean;
  /** Whether others were under way then, or at its end. */
  readonly isShared: boolean;
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

const SECOND = 1_000;

/** How long to wait before a request is sent again whose connection was refused, or that a gateway did not pass on, in ms. */
const PAUSE_WHILE_AWAY = 1_000;

/** How many times a request is sent again that a gateway does not pass on, although the service answers others. */
const MOST_LOST = 5;

/** How many responses of a gateway are an outage, however few requests there were. */
const OUTAGE = 20;

/** One in so many requests that a gateway does not pass on, beyond an outage, is no longer now and then. */
const NOW_AND_THEN = 5;

/** How many requests in a row may be left unanswered before the client checks that the deployment is there. */
const MOST_SILENT = 4;

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
  /** POSTs that a gateway lost are sent again one after the other: one that ends the service loses all that are under way with it. */
  readonly #lostPosts = pLimit(1);
  readonly #startedAt = performance.now();
  readonly #unanswered = new Map<string, number>();
  readonly #absent = new Set<string>();
  /** Number of responses of a gateway that did not pass a request on. */
  #lost = 0;
  /** Operations that a gateway has not passed on lately, however often a request was sent. */
  readonly #notReached = new Set<string>();
  /** How many responses each operation has returned that asked for no wait. */
  readonly #answered = new Map<string, number>();
  #silent = 0;
  #absence: string | undefined;
  readonly #room = new RoomForAnimals();
  readonly #onSent: ClientOptions['onSent'];
  readonly #onExchange: ClientOptions['onExchange'];
  readonly #patience: number;
  readonly #mostLost: number;
  readonly #keyRefusal: KeyRefusal;

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
    this.#patience = patience;
    this.#mostLost = patience === 0 ? 1 : MOST_LOST;
    this.#keyRefusal = new KeyRefusal(this, accepted);
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

  /** Sends a GET request with the valid key at once. */
  async probe(path: string): Promise<Exchange> {
    const exchange = await this.#exchange(toRequest({ path }, this.target));
    this.#onExchange?.(exchange, exchange.isUnreached || exchange.isRefused);
    return exchange;
  }

  /** Waits, or until the run has ended. @param ms how long, in ms */
  async wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal }).catch(() => {});
  }

  /** After which request the key was refused that was accepted before, so that the run ended. */
  get keyRefusedAfter(): number | undefined {
    return this.#keyRefusal.refusedAfter;
  }

  end(reason: string): never {
    this.#ending.abort(new NoVerdict(reason));
    throw this.signal.reason;
  }

  async #ask(request: SuiteRequest): Promise<Exchange> {
    const exchange = await this.#limit(() => this.#attempt(request));
    return exchange ?? this.#ask(request);
  }

  /** Sends a request, again while the deployment is away. @param wasLost whether a gateway has lost it before */
  async #sendWhenThere(request: SuiteRequest, wasLost = false): Promise<Arrival> {
    const operation = toOperation(request);
    const answeredBefore = this.#answered.get(operation);
    let awaySince: number | undefined;
    let wasBack = false;
    let lost = wasLost ? 1 : 0;
    for (;;) {
      const wasShared = this.#limit.activeCount > 1;
      const exchange = await this.#exchange(request);
      const isShared = wasShared || this.#limit.activeCount > 1;
      const isElsewhere = request.base !== this.target.baseUrl;
      // Of requests at once, some connections may be closed because they are too many.
      const absence = isElsewhere || (exchange.isCut && isShared) ? undefined : findAbsence(exchange);
      if (exchange.isUnreached) {
        lost += 1;
        this.#lost += 1;
      }
      const isOften = this.#lost > OUTAGE && this.#lost * NOW_AND_THEN > this.requests;
      const mostLost = isOften ? 1 : this.#mostLost;
      // A refused connection is reason enough, and so are some responses of a gateway, which may have lost one of several backends. A
      // closed connection may be about this request.
      const isCertain = exchange.isRefused
        ? this.#patience > 0
        : exchange.isUnreached && lost <= (this.#notReached.has(operation) ? 0 : mostLost);
      // A request that is lost again when the deployment is back may be what ends it.
      const mayBeAway = absence !== undefined && (exchange.isRefused || !wasBack);
      if (!mayBeAway || !(isCertain || (await this.#isSilent()))) {
        if (!exchange.isUnreached) this.#notReached.delete(operation);
        else if (lost > mostLost && answeredBefore === this.#answered.get(operation))
          this.#notReached.add(operation);
        return { exchange, wasShared, isShared };
      }
      this.#onExchange?.(exchange, true);
      if (exchange.isUnreached && !isReading(request) && !wasLost)
        return this.#lostPosts(() => this.#sendWhenThere(request, true));
      awaySince ??= this.now;
      // Of several backends another one may have it at once. What adds no animal may find out soon.
      const isSoon = isCertain && exchange.isUnreached && isReading(request);
      const pause = isSoon ? FIRST_BACKOFF * 2 ** (lost - 1) : PAUSE_WHILE_AWAY;
      do await this.#pauseWhileAway(absence, awaySince, Math.min(pause, PAUSE_WHILE_AWAY));
      while (!isCertain && (await this.#isSilent()));
      wasBack ||= !isCertain;
    }
  }

  /** @returns undefined for a request that is to be sent again. */
  async #attempt(request: SuiteRequest): Promise<Exchange | undefined> {
    const operation = toOperation(request);
    let progress = this.#answered.get(operation) ?? 0;
    for (let tries = 0; ; tries += 1) {
      const { exchange, wasShared, isShared } = await this.#sendWhenThere(request);
      await this.#keyRefusal.expectNone(exchange);
      if (isOverload(exchange) && isShared) {
        this.#onExchange?.(exchange, true);
        // It is sent again. From now on only one request is sent at a time.
        this.#limit.concurrency = 1;
        return undefined;
      }
      const { response } = exchange;
      this.#silent = response === undefined && !isBroken(exchange) ? this.#silent + 1 : 0;
      const unanswered = this.#unanswered.get(operation) ?? 0;
      if (exchange.isUnanswered) this.#unanswered.set(operation, unanswered + 1);
      const isHopeless = this.#absent.has(operation);
      if (!exchange.isTooMany || (isHopeless && !exchange.asksToWait)) {
        this.turns.noteResponse(operation);
        this.#answered.set(operation, (this.#answered.get(operation) ?? 0) + 1);
        this.#onExchange?.(exchange, false);
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
        this.#absent.add(operation);
        this.#onExchange?.(exchange, false);
        if (exchange.isOverQuota && hasValidKey(exchange, this.target)) return exchange;
        if (exchange.isOverQuota) throw new NotTested(reason);
        if (exchange.asksToWait) throw new NoVerdict(reason);
        // A gateway that always says 503 limits no rate.
        this.turns.forget();
        return exchange;
      }
      this.#onExchange?.(exchange, true);
      // Perhaps fewer at once are not refused.
      if (wasShared) this.#limit.concurrency = Math.max(1, this.#limit.concurrency - 1);
      this.turns.noteRefusal(operation, wait, { namesTime: retryAfter !== undefined, isFirst: tries === 0 });
    }
  }

  /** Returns whether the deployment answers neither a list nor an animal. */
  async #isSilent(): Promise<boolean> {
    if (this.#patience === 0) return false;
    const probes: Exchange[] = [];
    for (const path of ['/pets?limit=1', '/pets/1']) {
      const exchange = await this.#exchange(toRequest({ path }, this.target));
      probes.push(exchange);
      if (findAbsence(exchange) === undefined) break;
    }
    const isSilent = probes.every((one) => findAbsence(one) !== undefined);
    // A connection that was closed for one of the two only is the deployment's own fault.
    for (const one of probes) this.#onExchange?.(one, isSilent || one.isUnreached || one.isRefused);
    return isSilent;
  }

  /** Waits before the next try. @throws NoVerdict when the deployment has been away for too long */
  async #pauseWhileAway(absence: string, since: number, ms: number): Promise<void> {
    const isOver = this.#patience > 0 && this.now - since > this.#patience;
    if (isOver) this.end(`${absence} for ${this.#patience / SECOND} s`);
    await this.wait(ms);
    if (this.signal.aborted) throw new NoVerdict(`${absence} until the run ended`);
  }

  async #exchange(asked: SuiteRequest): Promise<Exchange> {
    if (!mayAddAnimal(asked)) return this.#exchangeInTurn(asked);
    await this.#room.take();
    let hasAdded = false;
    try {
      const exchange = await this.#exchangeInTurn(asked);
      hasAdded = exchange.isSuccess || exchange.isUncertain;
      if (exchange.isUncertain) this.perhapsAdded += 1;
      return exchange;
    } finally {
      this.#room.leave(hasAdded);
    }
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
    const exchange = new Exchange(request, sent, this.target, start - this.#startedAt, ms, number);
    this.#keyRefusal.note(exchange, number);
    return exchange;
  }
}

/**
 * Returns why the service has not answered a request that may be sent again, as the beginning of a sentence. A POST whose connection was
 * closed may have added an animal, which is counted. After a 504 that is too likely.
 */
function findAbsence({ failure, isUnreached, isRefused, request, status }: Exchange): string | undefined {
  if (failure?.kind === 'proxy') return failure.reason;
  if (isRefused) return 'the deployment has refused connections';
  if (failure?.kind === 'cut') return 'the deployment has closed connections without an answer';
  const isLost = isUnreached && (isReading(request) || status === 502);
  return isLost ? 'a gateway has not reached the deployment' : undefined;
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

function toRequest(options: RequestOptions, target: Target): SuiteRequest {
  const { method = 'GET', path, body, encoding, isInTwoParts = false } = options;
  const { isAuthorized = !('authorization' in options) } = options;
  const mediaType = 'mediaType' in options ? options.mediaType : 'application/json';
  const authorization = 'authorization' in options ? options.authorization : `Bearer ${target.apiKey}`;
  const headers = {
    ...target.headers,
    ...options.headers,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(body === undefined || mediaType === undefined ? {} : { 'Content-Type': mediaType }),
  };
  const base = options.base ?? target.baseUrl;
  const { hasOwnConnection = false, isTogether = false, trial, form, isBodyTrial } = options;
  const unusual = {
    ...(encoding && { encoding }),
    ...(isInTwoParts && { isInTwoParts }),
    ...(hasOwnConnection && { hasOwnConnection }),
    ...(isTogether && { isTogether }),
    ...(trial && { trial }),
    ...(form && { form }),
    ...(isBodyTrial && { isBodyTrial }),
  };
  return { method, base, path, headers, body, ...unusual, isAuthorized };
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
