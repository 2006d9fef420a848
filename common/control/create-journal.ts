import { ApiError } from '../api-error.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';
import { integer, oneOf, type ValueKind } from '../value-kinds.ts';
import { type OperationName, operations } from './find-operation.ts';
import {
  countText,
  type JournalEntry,
  operationOf,
  type RequestRecord,
  showRequest,
} from './journal-entry.ts';
import { readMembers } from './read-members.ts';
import { isSinceMet, readUntil, sinceKind, type Until, untilKinds } from './since.ts';

/** Which requests; all of them, where nothing is said. */
export interface RequestFilter {
  readonly operation?: OperationName;
  readonly status?: number;
  /** From this time on, or later than the request with this id. */
  readonly since?: Date | number;
  /** Up to the request with this id. */
  readonly until?: number;
  /** At most so many: the latest. */
  readonly limit?: number;
}

/** What came: the latest requests, in the order of their answers. Neither the control API nor preflights are among them. */
export interface Journal {
  /** @throws Error with the `code` `invalid_request` for a wrong filter, and when the journal is off. */
  requests(filter?: RequestFilter): JournalEntry[];
  countRequests(filter?: RequestFilter): number;
  /**
   * Forgets the requests, and those that are under way; with `until` only those up to the one with this id.
   * @throws Error with the `code` `invalid_request` for a wrong `until`.
   */
  clearRequests(which?: Until): void;
  /**
   * The first request that fits, whether it has come or will come.
   * @param filter its `timeout` is in milliseconds. @default 5,000
   * @throws Error when none has come in time.
   */
  waitForRequest(filter?: RequestFilter & { readonly timeout?: number }): Promise<JournalEntry>;
}

/** The journal, and what the server tells it. */
export interface JournalSource extends Journal {
  /** The id of the latest request, or 0. */
  readonly lastId: number;
  /** Another number after every clearing; what arrived before it is not kept. */
  readonly period: number;
  /** The id of the latest request that was cleared, or 0. */
  readonly clearedTo: number;
  /** The id of the first request like this one that came from its port, at its time or later, and after another. */
  findLike(
    request: Pick<RequestRecord, 'method' | 'url' | 'port' | 'time'>,
    after: number,
  ): number | undefined;
  /** Ends all waiting: no request will come. */
  close(): void;
  /** @param period when the request arrived. */
  record(request: RequestRecord, period: number): void;
}

/** The most that the bodies in a journal have together, in characters. */
export const MOST_BODIES = 16_777_216;

/** The most that the bodies in all journals of a mock have together, in characters; beyond it the latest user gives up its oldest. */
export const MOST_BODIES_OF_ALL = 67_108_864;

/** The most requests that a journal keeps. */
export const MOST_REQUESTS = 100_000;

/** How long a request is waited for, in milliseconds. */
const PATIENCE = 5_000;

const kinds = {
  operation: oneOf(operations),
  status: {
    expected: 'a status from 100 to 599',
    isValid: (value): value is unknown => /^[1-5]\d\d$/.test(String(value)),
  },
  since: sinceKind,
  ...untilKinds,
  limit: {
    expected: 'an integer above 0',
    isValid: (value): value is unknown => /^[1-9]\d{0,8}$/.test(String(value)),
  },
} satisfies Record<string, ValueKind<unknown>>;

/**
 * Creates a journal of so many requests; 0 is none.
 * @param keys what is hidden.
 * @param all how many characters the bodies in all journals of the mock have; it is kept up to date.
 */
export function createJournal(
  size: number,
  keys: () => readonly string[],
  all: { ofBodies: number },
): JournalSource {
  // A ring: the request with an id is at the rest of the id by the size.
  let ring: (RequestRecord | undefined)[] = [];
  let lastId = 0;
  let oldestId = 1;
  let ofBodies = 0;
  let period = 0;
  let clearedTo = 0;
  const count = (characters: number) => {
    ofBodies += characters;
    all.ofBodies += characters;
  };
  const isFull = () => ofBodies > MOST_BODIES || (all.ofBodies > MOST_BODIES_OF_ALL && ofBodies > 0);
  const dropOldest = () => {
    count(-countText(ring[oldestId % size]));
    ring[oldestId % size] = undefined;
    oldestId += 1;
  };
  const waiting = new Map<(kept: RequestRecord) => void, (reason: Error) => void>();
  const find = (filter: RequestFilter = {}): RequestRecord[] => {
    if (size === 0) throw new ApiError('invalid_request', 'The journal is off: --journal 0, or journal: 0.');
    const fits = createFits(filter);
    const found: RequestRecord[] = [];
    for (let id = oldestId; id <= lastId; id += 1) {
      const kept = ring[id % size];
      if (kept !== undefined && fits(kept)) found.push(kept);
    }
    return filter.limit === undefined ? found : found.slice(-filter.limit);
  };
  return {
    get lastId() {
      return lastId;
    },
    get period() {
      return period;
    },
    get clearedTo() {
      return clearedTo;
    },
    record(request, from) {
      if (from !== period) return;
      if (lastId - oldestId + 1 === size) dropOldest();
      lastId += 1;
      request.id = lastId;
      ring[lastId % size] = request;
      count(countText(request));
      while (isFull()) dropOldest();
      for (const tell of waiting.keys()) tell(request);
    },
    findLike({ method, url, port, time }, after) {
      for (let id = Math.max(oldestId, after + 1); id <= lastId; id += 1) {
        const kept = ring[id % size];
        if (kept === undefined || kept.port !== port || kept.time < time) continue;
        if (kept.method === method && kept.url === url) return id;
      }
      return undefined;
    },
    requests: (filter) => find(filter).map((kept) => showRequest(kept, keys())),
    countRequests: (filter) => find(filter).length,
    clearRequests({ until: given } = {}) {
      // Alone: as a hook of a test it is called with a context.
      const until = given === undefined ? undefined : readUntil({ until: given });
      if (until !== undefined) {
        const last = Math.min(until, lastId);
        while (oldestId <= last) dropOldest();
        clearedTo = Math.max(clearedTo, last);
        return;
      }
      clearedTo = lastId;
      ring = [];
      oldestId = lastId + 1;
      count(-ofBodies);
      period += 1;
    },
    close() {
      for (const giveUp of waiting.values()) {
        giveUp(new Error('The mock was closed before a request came that was waited for.'));
      }
    },
    async waitForRequest(wanted = {}) {
      const { timeout = PATIENCE, ...filter } = readMembers<RequestFilter & { timeout?: number }>(
        'The filter',
        wanted,
        { ...kinds, timeout: integer(0, 600_000) },
      );
      const [known] = find(filter);
      if (known !== undefined) return showRequest(known, keys());
      const fits = createFits(filter);
      const { promise, resolve, reject } = Promise.withResolvers<RequestRecord>();
      const tell = (kept: RequestRecord) => {
        if (fits(kept)) resolve(kept);
      };
      waiting.set(tell, reject);
      const giveUp = () => reject(new Error(describeMissing(filter, timeout, find().at(-1), keys())));
      const timer = setTimeout(giveUp, timeout);
      try {
        return showRequest(await promise, keys());
      } finally {
        clearTimeout(timer);
        waiting.delete(tell);
      }
    },
  };
}

/** From a program or from a query, where all is text. */
function createFits(filter: RequestFilter): (kept: RequestRecord) => boolean {
  const { operation, status, since: from, until } = readMembers<RequestFilter>('The filter', filter, kinds);
  return (kept) =>
    (operation === undefined || operation === operationOf(kept)) &&
    (status === undefined || Number(status) === kept.status) &&
    (until === undefined || kept.id <= Number(until)) &&
    (from === undefined || isSinceMet(from, kept.id, kept.time));
}

function describeMissing(
  filter: RequestFilter,
  timeout: number,
  last: RequestRecord | undefined,
  keys: readonly string[],
): string {
  const wanted = JSON.stringify(filter);
  if (last === undefined)
    return `No request came within ${timeout} ms that fits ${wanted}; there was none at all.`;
  const { method, url, status } = showRequest(last, keys);
  return `No request came within ${timeout} ms that fits ${wanted}; the last was ${method} ${url} (${status}).`;
}
