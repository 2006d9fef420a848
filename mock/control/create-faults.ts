import { ApiError, describeValue } from '../../common/api-error.ts';
import { findOperation, type OperationName, operations } from '../../common/control/find-operation.ts';
import { readMembers } from '../../common/control/read-members.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { integer, oneOf, text, type ValueKind } from '../../common/value-kinds.ts';
import { createRandom } from './create-random.ts';
import { type Delay, delayKind, pickDelay } from './delay.ts';
import { type BrokenBody, brokenBodies, type Drop, drops } from './endings.ts';
import { readPrefer } from './read-prefer.ts';

/** Which requests fail, and how; a fault needs a status, a delay, a drop or a body. */
export interface FaultOptions {
  /** @default any */
  readonly operation?: OperationName;
  /** In upper case. @default any */
  readonly method?: string;
  /** The path from the origin on, without the query; `*` stands for anything. @default any */
  readonly path?: string;
  /** The status of the answer, from 400 to 599, with an Error; from 200 on with a `body`. */
  readonly status?: number;
  /** A body that breaks the contract, with the usual status of the operation or with `status`. */
  readonly body?: BrokenBody;
  /** How long the request waits before anything else is done with it. */
  readonly delay?: Delay;
  /** How the connection breaks instead of an answer. */
  readonly drop?: Drop;
  /** How many requests it is for: the next ones. @default all */
  readonly times?: number;
  /** How likely each request fails, from 0 to 1; the same for the same seed. @default 1 */
  readonly probability?: number;
}

/** A fault that is waiting for requests. */
export interface Fault extends FaultOptions {
  readonly id: number;
  /** How many requests it was for so far. */
  readonly used: number;
}

/** Makes requests fail. Of several faults for a request the newest decides; a delay and a status may come from two. */
export interface Faults {
  /** @throws Error with the `code` `invalid_request`, naming what was wrong. */
  add(fault: FaultOptions): Fault;
  /** Those that are left, in the order in which they were added. */
  list(): Fault[];
  /** Removes one; requests that it delays go on. @throws Error with the `code` `not_found` */
  remove(id: number): void;
  /** Removes all of them; requests that they delay go on. */
  clear(): void;
}

/** What is read of a request to find its fault. */
export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  readonly prefer: string | undefined;
}

/** What is to become of a request. */
export interface Outcome {
  /** In milliseconds; 0 is no delay. */
  readonly delay: number;
  /** The fault that delays it. */
  readonly delayFaultId: number | undefined;
  readonly status: number | undefined;
  readonly drop: Drop | undefined;
  readonly body: BrokenBody | undefined;
  /** The fault that ends it. */
  readonly faultId: number | undefined;
  /** What goes into `Preference-Applied`. */
  readonly applied: string | undefined;
}

/** The faults, and what the server asks of them. */
export interface FaultSource extends Faults {
  /** Whether there is any fault. */
  readonly isActive: boolean;
  /** Whether any request is held. */
  readonly isHolding: boolean;
  /**
   * Calls back after some milliseconds, or sooner if the fault with this id is removed or all are cleared or reset.
   * @returns a function that ends the wait and calls back at once.
   */
  hold(ms: number, act: () => void, faultId?: number): () => void;
  /** Calls back all that are held, at once. */
  release(): void;
  /** Decides about a request; it counts as used. */
  choose(request: FaultRequest): Outcome;
  /** Puts back what was there at the start. */
  reset(): void;
}

/** The connections of a mock, which are not kept while a fault drops some of them. */
export interface Connections {
  /** Marks of the services that have a fault with a drop. */
  readonly dropping: Set<object>;
  closeIdle(): void;
}

/** The most faults at a time. */
export const MOST_FAULTS = 1_000;

const kinds: Readonly<Record<keyof FaultOptions, ValueKind<unknown>>> = {
  operation: oneOf(operations),
  method: oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  path: text(
    'a path such as /v1/pets/7, or with * for anything, such as /v1/*, without a query, a session or {…}',
    /^(?!\/(?:pets|sessions)\b)[/*][^?{}]*$/,
  ),
  status: integer(200, 599),
  body: oneOf(brokenBodies),
  delay: delayKind,
  drop: oneOf(drops),
  times: integer(1, 1_000_000),
  probability: {
    expected: 'a number from 0 to 1',
    isValid: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
  },
};

/** Creates the faults of a mock. @param initial those that are there at the start, and after a reset. */
export function createFaults(
  seed: number,
  initial: readonly FaultOptions[],
  { dropping, closeIdle }: Connections,
): FaultSource {
  let faults: (Fault & { used: number })[] = [];
  // Functions that end a delay, each with the id of the fault that delays.
  const held = new Map<() => void, number | undefined>();
  const set = (next: typeof faults) => {
    faults = next;
    if (faults.some(({ drop }) => drop !== undefined)) dropping.add(held);
    else dropping.delete(held);
  };
  let nextId = 1;
  let random = createRandom(seed);
  const add = (options: FaultOptions): Fault => {
    const read = readFault(options);
    if (faults.length >= MOST_FAULTS) {
      throw new ApiError('invalid_request', `There are ${MOST_FAULTS} faults, and no room for more.`);
    }
    const fault = { id: nextId, ...read, used: 0 };
    nextId += 1;
    set([...faults, fault]);
    // A browser repeats a request, POST too, if a connection breaks that it used before.
    if (fault.drop !== undefined) closeIdle();
    return { ...fault };
  };
  const release = () => {
    for (const end of held.keys()) end();
  };
  const reset = () => {
    release();
    set([]);
    nextId = 1;
    random = createRandom(seed);
    for (const fault of initial) add(fault);
  };
  reset();
  return {
    get isActive() {
      return faults.length > 0;
    },
    get isHolding() {
      return held.size > 0;
    },
    add,
    list: () => faults.map((fault) => ({ ...fault })),
    remove(id) {
      if (!Number.isSafeInteger(id)) {
        throw new ApiError(
          'invalid_request',
          `The id of a fault must be an integer, not ${describeValue(id)}.`,
        );
      }
      const left = faults.filter((fault) => fault.id !== id);
      const ends = [...held].filter(([, faultId]) => faultId === id);
      // A fault that was used as often as it may be holds requests although it is not in the list.
      if (left.length === faults.length && ends.length === 0) {
        const ids = faults.map((fault) => fault.id).join(', ') || 'none';
        throw new ApiError('not_found', `No fault has the id ${id}; there is ${ids}.`);
      }
      set(left);
      for (const [end] of ends) end();
    },
    clear() {
      set([]);
      release();
    },
    hold(ms, act, faultId) {
      const end = () => {
        if (!held.delete(end)) return;
        clearTimeout(timer);
        act();
      };
      const timer = setTimeout(end, ms).unref();
      held.set(end, faultId);
      return end;
    },
    release,
    choose(request) {
      const preference = request.prefer === undefined ? undefined : readPrefer(request.prefer);
      let delay: Delay | undefined = preference?.delay;
      let delayFaultId: number | undefined;
      let end: Ending & Partial<Pick<Fault, 'id'>> = preference ?? {};
      for (const fault of faults.toReversed()) {
        const mayDelay = delay === undefined && fault.delay !== undefined;
        const mayEnd = !isEnding(end) && isEnding(fault);
        if (!(mayDelay || mayEnd) || !isFor(fault, request)) continue;
        if (fault.probability !== undefined && random() >= fault.probability) continue;
        fault.used += 1;
        if (mayDelay) ({ delay, id: delayFaultId } = fault);
        if (mayEnd) end = fault;
      }
      set(faults.filter(({ used, times = Number.POSITIVE_INFINITY }) => used < times));
      const { status, drop, body, id: faultId } = end;
      const wait = delay === undefined ? 0 : pickDelay(delay, random);
      return {
        delay: wait,
        delayFaultId,
        status,
        drop,
        body,
        faultId,
        applied: preference?.applied || undefined,
      };
    },
    reset,
  };
}

/** How a request ends instead of its usual answer. */
type Ending = Pick<FaultOptions, 'status' | 'drop' | 'body'>;

function isEnding({ status, drop, body }: Ending): boolean {
  return status !== undefined || drop !== undefined || body !== undefined;
}

function readFault(options: unknown): FaultOptions {
  const fault = readMembers<FaultOptions>('The fault', options, kinds);
  const { status, drop, body, delay } = fault;
  const refuse = (why: string) => new ApiError('invalid_request', `The fault ${why}.`);
  if (drop !== undefined && (status !== undefined || body !== undefined)) {
    throw refuse('has a drop, and a status or a body: only one of them can end a request');
  }
  if (status !== undefined && status < 400 && body === undefined) {
    throw refuse(
      `has the status ${status}: without a body that breaks the contract it must be from 400 to 599`,
    );
  }
  if (!isEnding(fault) && delay === undefined) throw refuse('needs a status, a delay, a drop or a body');
  return fault;
}

function isFor({ operation, method, path }: FaultOptions, request: FaultRequest): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (operation !== undefined && operation !== findOperation(request.method, request.path)) return false;
  return path === undefined || matches(path, request.path);
}

/** Whether a path is what a pattern says, in which `*` stands for anything. */
function matches(pattern: string, path: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return path === pattern;
  let place = start.length;
  for (const part of parts) {
    const found = path.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return path.startsWith(start) && path.endsWith(end) && path.length - end.length >= place;
}
