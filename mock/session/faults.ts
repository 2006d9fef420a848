import { createRandom } from '../../common/create-random.ts';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { errorStatuses } from '../../common/http/errors.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { type Delay, pickDelay } from './delay.ts';
import { type FaultEnd, toFaultEnd } from './fault-effects.ts';
import { type FaultConfig, type FaultMatch, type FaultOptions, readFault } from './fault-options.ts';

/** An active fault. */
export interface Fault extends FaultOptions {
  readonly id: number;
  /** Number of requests that it was applied to. */
  readonly used: number;
}

/** Makes requests fail. If several faults match a request, the newest one applies. Its delay may come from another fault. */
export type Faults = Pick<ActiveFaults, 'add' | 'list' | 'remove' | 'clear'>;

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
}

export const MOST_FAULTS = 1_000;

/** The seed, and the faults of the start as options of the mock. */
export interface FaultsConfig {
  readonly seed: number;
  readonly latency?: Delay | undefined;
  readonly errorRate?: number | undefined;
}

export class ActiveFaults {
  readonly #config: FaultsConfig;
  /** Functions that end a delay, each with the id of the fault that delays. */
  readonly #held = new Map<() => void, number | undefined>();
  #faults: ActiveFault[] = [];
  #nextId = 1;
  #random!: () => number;

  constructor(config: FaultsConfig) {
    this.#config = config;
    this.reset();
  }

  get isActive(): boolean {
    return this.#faults.length > 0;
  }

  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): Fault {
    const config = readFault(fault);
    if (this.#faults.length >= MOST_FAULTS)
      throw invalidRequest(`The mock has ${MOST_FAULTS} faults, the maximum. Remove one first.`);
    const added = { ...config, id: this.#nextId, used: 0, skipped: 0 };
    this.#nextId += 1;
    this.#faults = [...this.#faults, added];
    return show(added);
  }

  /** Returns the active faults, in the order in which they were added. */
  list(): Fault[] {
    return this.#faults.map(show);
  }

  /** Removes a fault; requests that it delays go on. @throws Error with the `code` `not_found` */
  remove(id: number): void {
    const left = this.#faults.filter((fault) => fault.id !== id);
    const ends = [...this.#held].filter(([, faultId]) => faultId === id);
    // A fault that was applied as often as it may be holds requests although it is not in the list.
    if (left.length === this.#faults.length && ends.length === 0)
      throw new ApiError('not_found', `No fault has the id ${id}.`);
    this.#faults = left;
    for (const [end] of ends) end();
  }

  /** Removes all faults; requests that they delay go on. */
  clear(): void {
    this.#faults = [];
    this.release();
  }

  /** Delays a request, until the fault with this id is removed at the latest. `stop` lets it go on at once. */
  hold(ms: number, faultId?: number) {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const stop = () => {
      clearTimeout(timer);
      this.#held.delete(stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    this.#held.set(stop, faultId);
    return { over, stop };
  }

  release(): void {
    for (const end of this.#held.keys()) end();
  }

  reset(): void {
    this.clear();
    this.#nextId = 1;
    const { seed, latency, errorRate } = this.#config;
    this.#random = createRandom(seed);
    if (latency !== undefined) this.add({ delay: latency });
    if (errorRate) this.add({ status: errorStatuses.internal_error, probability: errorRate });
  }

  /**
   * Chooses the delay of a request, in milliseconds, and its end, each with the id of its fault, which counts as used.
   * @param preferred overrides the faults.
   */
  choose(request: FaultRequest, preferred: { delay: Delay | undefined; status: number | undefined }) {
    const { status } = preferred;
    let { delay } = preferred;
    let delayedBy: number | undefined;
    let end: FaultEnd | undefined = status === undefined ? undefined : toFaultEnd('response', { status });
    let endedBy: number | undefined;
    for (const fault of this.#faults.toReversed()) {
      const mayDelay = delay === undefined && fault.options.delay !== undefined;
      const mayEnd = end === undefined && fault.end !== undefined;
      if (!(mayDelay || mayEnd) || !matches(fault.match, request) || !this.#isDue(fault)) continue;
      fault.used += 1;
      if (mayDelay) {
        delay = fault.options.delay;
        delayedBy = fault.id;
      }
      if (mayEnd) {
        end = fault.end;
        endedBy = fault.id;
      }
    }
    const isLeft = ({ used, options }: ActiveFault) => options.times === undefined || used < options.times;
    if (!this.#faults.every(isLeft)) this.#faults = this.#faults.filter(isLeft);
    return { delay: delay === undefined ? 0 : pickDelay(delay, this.#random), delayedBy, end, endedBy };
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

function show({ id, options, used }: ActiveFault): Fault {
  return { id, ...options, used };
}

function matches({ operation, petId, query = {}, headers = {} }: FaultMatch, request: FaultRequest): boolean {
  if (operation !== undefined && operation !== request.operation) return false;
  if (petId !== undefined && request.path !== `/v1/pets/${petId}`) return false;
  return (
    Object.entries(query).every(([name, value]) => request.query.getAll(name).includes(`${value}`)) &&
    Object.entries(headers).every(([name, value]) => request.headers[name.toLowerCase()] === `${value}`)
  );
}
