import { createRandom } from '../../common/create-random.ts';
import { ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { hasParameters } from '../../common/journal/has-parameters.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { type Delay, pickDelay } from './delay.ts';
import type { FaultEnd } from './fault-effects.ts';
import { type FaultConfig, type FaultMatch, type FaultOptions, readFault } from './fault-options.ts';

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
export type Faults = Pick<ActiveFaults, 'add' | 'list' | 'release' | 'remove' | 'clear'>;

interface FaultRequest {
  readonly operation: OperationName | undefined;
  readonly path: string;
  readonly query: { getAll(name: string): string[] };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface ActiveFault extends FaultConfig {
  readonly id: number;
  used: number;
  skipped: number;
  /** Functions that let a waiting request go on. */
  readonly waits: Set<() => void>;
}

/** How long a request waits: until a fault is released, and then some milliseconds. */
interface Wait {
  /** Undefined if no fault holds the request. */
  readonly heldBy: ActiveFault | undefined;
  /** In milliseconds; 0 without a delay. */
  readonly delay: number;
  /** Undefined if no fault delays the request. */
  readonly delayedBy: ActiveFault | undefined;
}

/** The fault that decides how a request ends. */
export interface EndingFault {
  readonly id: number;
  readonly end: FaultEnd;
}

const MOST_FAULTS = 1_000;

/** The seed, and the delay of every response, which is a fault of the start. */
export interface FaultsConfig {
  readonly seed: number;
  readonly latency?: Delay | undefined;
}

export class ActiveFaults {
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

  get isActive(): boolean {
    return this.#faults.length > 0;
  }

  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): AddedFault {
    const config = readFault(fault);
    if (this.#faults.length >= MOST_FAULTS)
      throw invalidRequest(`The mock has ${MOST_FAULTS} faults, the maximum. Remove one first.`);
    this.#lastId += 1;
    const added = { ...config, id: this.#lastId, used: 0, skipped: 0, waits: new Set<() => void>() };
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

  /** Lets a request wait: until its hold is released, and then for its delay. `stop` lets it go on at once. */
  wait({ heldBy, delay, delayedBy }: Wait) {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    let isHeld = heldBy !== undefined;
    let isDelayed = delayedBy !== undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const goOn = () => {
      if (isHeld) return;
      if (isDelayed) {
        timer ??= setTimeout(endDelay, delay);
        return;
      }
      this.#removeSpent();
      resolve();
    };
    const endHold = () => {
      isHeld = false;
      heldBy?.waits.delete(endHold);
      goOn();
    };
    const endDelay = () => {
      isDelayed = false;
      clearTimeout(timer);
      delayedBy?.waits.delete(endDelay);
      goOn();
    };
    heldBy?.waits.add(endHold);
    // Also during the hold, so that the end of the fault that delays ends the delay.
    delayedBy?.waits.add(endDelay);
    goOn();
    const stop = () => {
      endDelay();
      endHold();
    };
    return { over, stop };
  }

  reset(): void {
    this.clear();
    const { seed, latency } = this.#config;
    this.#random = createRandom(seed);
    if (latency !== undefined) this.add({ delay: latency });
  }

  /** Chooses how long a request waits and how it ends, each with its fault, which counts as used. */
  choose(request: FaultRequest): { wait: Wait; ended: EndingFault | undefined } {
    let delayedBy: ActiveFault | undefined;
    let heldBy: ActiveFault | undefined;
    let ended: EndingFault | undefined;
    for (const fault of this.#faults.toReversed()) {
      const { options } = fault;
      const mayDelay = delayedBy === undefined && options.delay !== undefined;
      const mayHold = heldBy === undefined && options.hold !== undefined;
      const mayEnd = ended === undefined && fault.end !== undefined;
      if (
        !(mayDelay || mayHold || mayEnd) ||
        isSpent(fault) ||
        !matches(fault.match, request) ||
        !this.#isDue(fault)
      )
        continue;
      fault.used += 1;
      if (mayDelay) delayedBy = fault;
      if (mayHold) heldBy = fault;
      if (mayEnd) ended = { id: fault.id, end: fault.end };
    }
    this.#removeSpent([heldBy, delayedBy]);
    const { delay } = delayedBy?.options ?? {};
    const time = delay === undefined ? 0 : pickDelay(delay, this.#random);
    return { wait: { heldBy, delay: time, delayedBy }, ended };
  }

  /** Removes a fault, and lets the requests go on that wait for it. */
  #end(fault: ActiveFault): void {
    this.#faults = this.#faults.filter((one) => one !== fault);
    for (const stop of fault.waits) stop();
  }

  /** Removes faults that were applied as often as they may be, unless requests wait for them. @param kept stay too. */
  #removeSpent(kept: readonly (ActiveFault | undefined)[] = []): void {
    const isLeft = (fault: ActiveFault) => !isSpent(fault) || fault.waits.size > 0 || kept.includes(fault);
    if (!this.#faults.every(isLeft)) this.#faults = this.#faults.filter(isLeft);
  }

  #isDue(fault: ActiveFault): boolean {
    const { skip = 0, probability } = fault.options;
    if (fault.skipped < skip) {
      fault.skipped += 1;
      return false;
    }
    return probability === undefined || this.#random() < probability;
  }
}

function show({ id, options, used, waits }: ActiveFault): Fault {
  return { id, ...options, used, ...(options.hold && { held: waits.size }) };
}

function isSpent({ used, options }: ActiveFault): boolean {
  return options.times !== undefined && used >= options.times;
}

function matches({ operation, petId, query = {}, headers = {} }: FaultMatch, request: FaultRequest): boolean {
  if (operation !== undefined && operation !== request.operation) return false;
  if (petId !== undefined && request.path !== `/v1/pets/${petId}`) return false;
  return (
    hasParameters(request.query, query) &&
    Object.entries(headers).every(([name, value]) => request.headers[name.toLowerCase()] === `${value}`)
  );
}
