import pLimit from 'p-limit';
import { type Exchange, isReading, type SuiteRequest, toOperation } from './exchange.ts';
import { NoVerdict } from './run-errors.ts';
import type { Target } from './target.ts';

/** What came of a request that was sent once. */
export interface Arrival {
  readonly exchange: Exchange;
  /** Whether other requests were under way when this one was sent. */
  readonly wasShared: boolean;
  /** Whether others were under way then, or at its end. */
  readonly isShared: boolean;
}

/** What a client gives to send a request until the deployment is there. */
interface Line {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** In ms since the run began. */
  readonly now: number;
  /** Number of requests so far. */
  readonly requests: number;
  /** Sends a request once. */
  sendOnce(request: SuiteRequest): Promise<Arrival>;
  /** Sends a GET request with the valid key once. It is not recorded. */
  ask(path: string): Promise<Exchange>;
  record(exchange: Exchange, isSentAgain: boolean): void;
  /** Waits, or until the run has ended. @param ms how long, in ms */
  wait(ms: number): Promise<void>;
  /** Ends the run without a verdict. */
  end(reason: string): never;
}

/** How a deployment is away: it refuses connections, closes them, or a gateway does not pass a request on to it. */
type Way = 'refused' | 'closed' | 'lost';

interface Absence {
  readonly way: Way;
  /** The beginning of a sentence. */
  readonly reason: string;
}

/** How many times a request is sent again that a gateway does not pass on, although the service answers others. */
const MOST_LOST = 5;

/** How many responses of a gateway are an outage, however few requests there were. */
const OUTAGE = 20;

/** One in so many requests that a gateway does not pass on, beyond an outage, is no longer now and then. */
const NOW_AND_THEN = 5;

/** How long to wait before a request is sent again, in ms: at least, where that is soon, and else. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;

const SECOND = 1_000;

/** How often a request was answered in each way of being away, and since when. */
interface Waiting {
  readonly times: Record<Way, number>;
  /** How many responses of the operation a gateway had passed on when it was sent again. */
  passedOn: number;
  since: number | undefined;
  /** Whether the deployment answered nothing, and then answered again. */
  wasBack: boolean;
}

/** Sends requests again while the deployment is away, as it is during a restart or behind a gateway that has lost a backend. */
export class Outages {
  readonly #line: Line;
  /** In ms; 0 waits for nothing. */
  readonly #patience: number;
  /** What may add an animal is sent again one after the other: one that ends the service loses all that are under way with it. */
  readonly #repeatedPosts = pLimit(1);
  /** Number of responses of a gateway that did not pass a request on. */
  #lost = 0;
  /** How many responses of each operation a gateway has passed on. */
  readonly #passedOn = new Map<string, number>();
  /** Operations that a gateway has not passed on lately, however often a request was sent. */
  readonly #notReached = new Set<string>();

  constructor(line: Line, patience: number) {
    this.#line = line;
    this.#patience = patience;
  }

  /**
   * Sends a request, and again while the deployment is away.
   * @throws NoVerdict when it has been away for too long, or until the run has ended
   */
  async send(request: SuiteRequest): Promise<Arrival> {
    const times = { refused: 0, closed: 0, lost: 0 };
    const waiting: Waiting = { times, passedOn: 0, since: undefined, wasBack: false };
    const first = await this.#try(request, waiting);
    if (first !== undefined) return first;
    const tryAgain = async () => {
      waiting.passedOn = this.#countPassedOn(request);
      for (;;) {
        const arrival = await this.#try(request, waiting);
        if (arrival !== undefined) return arrival;
      }
    };
    return isReading(request) ? tryAgain() : this.#repeatedPosts(tryAgain);
  }

  /** Sends a request once. @returns undefined if it is to be sent again, and the deployment may be back */
  async #try(request: SuiteRequest, waiting: Waiting): Promise<Arrival | undefined> {
    const arrival = await this.#line.sendOnce(request);
    const { exchange, isShared } = arrival;
    if (exchange.isUnreached) this.#lost += 1;
    const isElsewhere = request.base !== this.#line.target.baseUrl;
    // Of requests at once, some connections may be closed because they are too many.
    const absence = isElsewhere || (exchange.isCut && isShared) ? undefined : findAbsence(exchange);
    if (absence === undefined) {
      if (!exchange.isUnreached) this.#notePassedOn(request);
      return arrival;
    }
    const { way, reason } = absence;
    waiting.times[way] += 1;
    const mayAnswerOthers = waiting.times[way] <= this.#mostAgain(way, request);
    // A request that is lost again when the deployment is back may be what ends it.
    if (!mayAnswerOthers && (waiting.wasBack || !(await this.#isSilent()))) {
      const isLost = way === 'lost' && waiting.passedOn === this.#countPassedOn(request);
      if (isLost) this.#notReached.add(toOperation(request));
      else if (way !== 'lost') this.#notePassedOn(request);
      return arrival;
    }
    this.#line.record(exchange, true);
    waiting.since ??= this.#line.now;
    const isSoon = mayAnswerOthers && way === 'lost';
    const pause = isSoon ? toPause(request, waiting.times.lost) : LONGEST_PAUSE;
    do await this.#pause(reason, waiting.since, pause);
    while (!mayAnswerOthers && (await this.#isSilent()));
    waiting.wasBack ||= !mayAnswerOthers;
    return undefined;
  }

  /** How many times a request is sent again even if the deployment answers others. */
  #mostAgain(way: Way, request: SuiteRequest): number {
    // A closed connection may be about this request.
    if (way === 'closed') return 0;
    if (way === 'refused') return this.#patience > 0 ? Number.POSITIVE_INFINITY : 0;
    if (this.#notReached.has(toOperation(request))) return 0;
    const isOften = this.#lost > OUTAGE && this.#lost * NOW_AND_THEN > this.#line.requests;
    return isOften || this.#patience === 0 ? 1 : MOST_LOST;
  }

  #countPassedOn(request: SuiteRequest): number {
    return this.#passedOn.get(toOperation(request)) ?? 0;
  }

  #notePassedOn(request: SuiteRequest): void {
    const operation = toOperation(request);
    this.#passedOn.set(operation, this.#countPassedOn(request) + 1);
    this.#notReached.delete(operation);
  }

  /** Returns whether the deployment answers neither a list nor an animal. */
  async #isSilent(): Promise<boolean> {
    if (this.#patience === 0) return false;
    const probes: Exchange[] = [];
    for (const path of ['/pets?limit=1', '/pets/1']) {
      const exchange = await this.#line.ask(path);
      probes.push(exchange);
      if (findAbsence(exchange) === undefined) break;
    }
    const isSilent = probes.every((one) => findAbsence(one) !== undefined);
    // A connection that was closed for one of the two only is the deployment's own fault.
    for (const one of probes) this.#line.record(one, isSilent || one.isUnreached || one.isRefused);
    return isSilent;
  }

  /** Waits before the next try. @throws NoVerdict when the deployment has been away for too long */
  async #pause(reason: string, since: number, ms: number): Promise<void> {
    const isOver = this.#patience > 0 && this.#line.now - since > this.#patience;
    if (isOver) this.#line.end(`${reason} for ${this.#patience / SECOND} s`);
    await this.#line.wait(ms);
    if (this.#line.signal.aborted) throw new NoVerdict(`${reason} until the run ended`);
  }
}

/**
 * How long to wait before a request is sent again that a gateway has lost, in ms. Of several backends another one may have it at once.
 * What may add an animal each time is not sent often.
 */
function toPause(request: SuiteRequest, times: number): number {
  if (isReading(request)) return Math.min(FIRST_PAUSE * 2 ** (times - 1), LONGEST_PAUSE);
  return times === 1 ? 0 : LONGEST_PAUSE;
}

/**
 * Returns how the deployment is away, if the request may be sent again. A POST whose connection was closed may have added an animal,
 * which is counted. After a 504 that is too likely.
 */
function findAbsence({ failure, isUnreached, isRefused, request, status }: Exchange): Absence | undefined {
  if (failure?.kind === 'proxy') return { way: 'refused', reason: failure.reason };
  if (isRefused) return { way: 'refused', reason: 'the deployment has refused connections' };
  if (failure?.kind === 'cut')
    return { way: 'closed', reason: 'the deployment has closed connections without an answer' };
  const isLost = isUnreached && (isReading(request) || status !== 504);
  return isLost ? { way: 'lost', reason: 'a gateway has not reached the deployment' } : undefined;
}
