import { ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { createRandom } from '../session/create-random.ts';
import type { Outcome } from '../session/outcome.ts';
import type { Plugin, ReceivedCall } from '../session/plugin.ts';
import { hasParameters } from '../session/request-members.ts';
import { type Delay, pickDelay } from './delay.ts';
import type { FaultEnd } from './fault-effects.ts';
import { type FaultConfig, type FaultOptions, readFault } from './fault-options.ts';

/** An active fault. */
export interface Fault extends FaultOptions {
  readonly id: number;
  /** Number of requests that it was applied to. */
  readonly used: number;
  /** Number of requests that it holds now; undefined without `hold`. */
  readonly held?: number;
}

/** A fault that was added. */
export interface AddedFault extends Fault {
  /** Lets the requests go on that the fault holds or delays, and removes the fault. Afterwards it does nothing. */
  release(): void;
  /** Removes the fault; requests that it holds or delays go on. Afterwards it does nothing. */
  remove(): void;
}

/** Makes requests fail. If several faults match a request, the newest one applies. Its hold and its delay may come from others. */
export type Faults = Pick<SessionFaults, 'add' | 'list' | 'release' | 'remove' | 'clear'>;

/** A part of the time that a request waits. */
interface Part {
  readonly over: Promise<void>;
  end(): void;
}

interface ActiveFault extends FaultConfig {
  readonly id: number;
  used: number;
  /** Of the requests that it holds or delays. */
  readonly waits: Set<Part>;
  /** Of the requests that it has counted, but whose clients may still abort them. */
  readonly undecided: Set<Part>;
}

interface Applied {
  /** Resolves when the request may go on; undefined if it does not wait. */
  readonly over?: Promise<void>;
  readonly ended?: EndingFault | undefined;
}

/** The fault that decides how a request ends. */
interface EndingFault {
  readonly id: number;
  readonly end: FaultEnd;
}

const ending = Symbol('ending');

/** A call, with the fault that decides how it ends. */
type FaultedCall = ReceivedCall & { [ending]?: EndingFault };

const MOST_FAULTS = 1_000;

/**
 * Time in which a client may abort a request before it counts for `times`, in milliseconds. Without this time, the mock
 * would have responded before it hears of the abort, which takes up to 10 ms from Chromium and 30 ms through the checked proxy.
 */
export const ABORT_TIME = 100;

/** The seed, and the delay of every response, which is a fault of the start. */
export interface FaultsConfig {
  readonly seed: number;
  readonly latency?: Delay | undefined;
}

/** Delays, holds, ends and changes requests of a session. */
export class SessionFaults implements Plugin {
  readonly #config: FaultsConfig;
  #faults: ActiveFault[] = [];
  /** Id of the latest fault. A reset keeps it, so that no test releases the fault of another one. */
  #lastId: number;
  #random!: () => number;

  /** @param lastId Id of the latest fault of an ended session that may have had the same name. */
  constructor(config: FaultsConfig, lastId = 0) {
    this.#config = config;
    this.#lastId = lastId;
    this.reset();
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): AddedFault {
    const config = readFault(fault);
    if (this.#faults.length >= MOST_FAULTS)
      throw invalidRequest(`The mock has ${MOST_FAULTS} faults, the maximum. Remove one first.`);
    this.#lastId += 1;
    const waiting = { waits: new Set<Part>(), undecided: new Set<Part>() };
    const added = { ...config, id: this.#lastId, used: 0, ...waiting };
    this.#faults = [...this.#faults, added];
    const end = () => this.#end(added);
    return { ...show(added), release: end, remove: end };
  }

  /** Returns the active faults, in the order in which they were added. */
  list(): Fault[] {
    return this.#faults.map(show);
  }

  /** Lets the requests go on that a fault holds or delays, and removes the fault. @throws Error with the `code` `not_found` */
  release(id: number): void {
    this.remove(id);
  }

  /**
   * Removes a fault; requests that it holds or delays go on.
   * @throws Error with the `code` `not_found`, and with `invalid_request` for what is no id.
   */
  remove(id: number): void {
    if (typeof id !== 'number')
      throw invalidRequest(`id must be the id of a fault, such as 1, not ${describeValue(id)}.`);
    const fault = this.#faults.find((one) => one.id === id);
    if (fault === undefined) throw new ApiError('not_found', `No fault has the id ${id}.`);
    this.#end(fault);
  }

  /** Removes all faults; requests that they hold or delay go on. */
  clear(): void {
    for (const fault of this.#faults) this.#end(fault);
  }

  before(call: ReceivedCall): Promise<Outcome | undefined> | undefined {
    return this.#faults.length > 0 ? this.#before(call) : undefined;
  }

  async #before(call: FaultedCall): Promise<Outcome | undefined> {
    const { over, ended } = await this.#apply(call);
    if (over !== undefined) {
      // The journal shows a request that waits, with its body.
      if (call.hasBody) call.readBody().catch(() => {});
      await over;
    }
    if (call.isAborted) return { wire: 'reset', failure: 'connection_reset' };
    if (ended === undefined) return undefined;
    call[ending] = ended;
    if (ended.end.end === undefined) return undefined;
    // For the journal.
    await call.readBody().catch(() => {});
    return ended.end.end({ operation: call.operation, faultId: ended.id });
  }

  after(outcome: Outcome, call: FaultedCall): Outcome {
    const { [ending]: ended } = call;
    if (ended === undefined) return outcome;
    const { id, end } = ended;
    const isWhole = outcome.wire === 'whole' && end.alter !== undefined;
    const altered = isWhole ? end.alter(outcome.reply, { operation: call.operation, faultId: id }) : outcome;
    return { ...altered, fault: id };
  }

  close(): void {
    // Requests that arrive on an open connection must not wait either.
    this.clear();
  }

  /**
   * Applies the faults to a request: they count it, and say how long it waits and how it ends. If it depends on an undecided request
   * whether a fault applies, that one is decided first.
   */
  async #apply(request: ReceivedCall): Promise<Applied> {
    const findUndecided = () => this.#faults.find((one) => isUndecided(one) && matches(one, request));
    for (let fault = findUndecided(); fault !== undefined; fault = findUndecided())
      await Promise.race(Array.from(fault.undecided, ({ over }) => over));
    if (request.isAborted) return {};
    const { heldBy, delayedBy, delay, ended, counted } = this.#choose(request);
    const limited = counted.filter(({ options }) => options.times !== undefined);
    if (heldBy === undefined && delayedBy === undefined && limited.length === 0) return { ended };
    const hold = this.#startPart(heldBy ? [heldBy.waits] : []);
    // Also during the hold, so that the end of the fault that delays ends the delay.
    const delaying = this.#startPart(delayedBy ? [delayedBy.waits] : []);
    const decision = this.#startPart(limited.map(({ undecided }) => undecided));
    let isOver = false;
    const wait = async () => {
      const decisionTimer = setTimeout(decision.end, ABORT_TIME);
      await hold.over;
      const delayTimer = setTimeout(delaying.end, delay);
      await delaying.over;
      clearTimeout(delayTimer);
      await decision.over;
      clearTimeout(decisionTimer);
      isOver = true;
    };
    request.onClose(() => {
      if (isOver) return;
      for (const fault of counted) fault.used -= 1;
      for (const part of [hold, delaying, decision]) part.end();
    });
    return { over: wait(), ended };
  }

  /** Starts a part of the time that a request waits, and keeps it in these sets until it ends. */
  #startPart(sets: readonly Set<Part>[]): Part {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const end = () => {
      for (const set of sets) set.delete(part);
      this.#removeSpent();
      resolve();
    };
    const part = { over, end };
    for (const set of sets) set.add(part);
    if (sets.length === 0) resolve();
    return part;
  }

  reset(): void {
    this.clear();
    const { seed, latency } = this.#config;
    this.#random = createRandom(seed);
    if (latency !== undefined) this.add({ delay: latency });
  }

  /** Chooses how long a request waits and how it ends, each with its fault, and counts it. */
  #choose(request: ReceivedCall) {
    const counted: ActiveFault[] = [];
    let delayedBy: ActiveFault | undefined;
    let heldBy: ActiveFault | undefined;
    let ended: EndingFault | undefined;
    for (const fault of this.#faults.toReversed()) {
      const { options } = fault;
      const mayDelay = delayedBy === undefined && options.delay !== undefined;
      const mayHold = heldBy === undefined && options.hold !== undefined;
      const mayEnd = ended === undefined && fault.end !== undefined;
      if (!(mayDelay || mayHold || mayEnd) || isSpent(fault) || !matches(fault, request)) continue;
      if (!this.#isDrawn(fault)) continue;
      fault.used += 1;
      counted.push(fault);
      if (mayDelay) delayedBy = fault;
      if (mayHold) heldBy = fault;
      if (mayEnd) ended = { id: fault.id, end: fault.end };
    }
    const { delay: time } = delayedBy?.options ?? {};
    const delay = time === undefined ? 0 : pickDelay(time, this.#random);
    return { heldBy, delayedBy, delay, ended, counted };
  }

  /** Removes a fault, and lets the requests go on that wait for it. */
  #end(fault: ActiveFault): void {
    this.#faults = this.#faults.filter((one) => one !== fault);
    for (const part of [...fault.waits, ...fault.undecided]) part.end();
  }

  /** Removes faults that were applied as often as they may be, unless requests wait for them. */
  #removeSpent(): void {
    const isLeft = (fault: ActiveFault) =>
      !isSpent(fault) || fault.waits.size > 0 || fault.undecided.size > 0;
    if (!this.#faults.every(isLeft)) this.#faults = this.#faults.filter(isLeft);
  }

  #isDrawn({ options: { probability } }: ActiveFault): boolean {
    return probability === undefined || this.#random() < probability;
  }
}

function show({ id, options, used, waits }: ActiveFault): Fault {
  return { id, ...options, used, ...(options.hold && { held: waits.size }) };
}

/** Returns whether an undecided request decides whether the fault applies to the next one. */
function isUndecided(fault: ActiveFault): boolean {
  return fault.undecided.size > 0 && isSpent(fault);
}

function isSpent({ used, options }: ActiveFault): boolean {
  return options.times !== undefined && used >= options.times;
}

function matches({ options: { operation }, match }: FaultConfig, request: ReceivedCall): boolean {
  const { petId, query = {}, headers = {} } = match;
  if (operation !== undefined && operation !== request.operation) return false;
  if (petId !== undefined && request.path !== `/v1/pets/${petId}`) return false;
  return (
    hasParameters(request.query, query) &&
    Object.entries(headers).every(([name, value]) => request.headers[name.toLowerCase()] === `${value}`)
  );
}
