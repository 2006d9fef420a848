import { ApiError } from '../api-error.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';
import { integer, oneOf, type ValueKind } from '../value-kinds.ts';
import { type OperationName, operations } from './find-operation.ts';
import {
  dropBodies,
  type JournalEntry,
  operationOf,
  type RequestRecord,
  showRequest,
  sizeOf,
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
  /**
   * Counts every request since the journal was cleared, also requests that are no longer kept. With `since` or `until` the
   * count is approximate if more than 50,000 requests of one operation and status are no longer kept.
   */
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

/** Approximate bytes that the requests in all journals of a mock have together. */
export const LARGEST_JOURNALS = 67_108_864;

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

/** A request that a journal keeps, between the ones before and after it in all journals that share a budget. */
interface Kept {
  readonly entry: RequestRecord;
  /** Removes the request from its journal. */
  readonly drop: (kept: Kept) => void;
  size: number;
  older?: Kept | undefined;
  newer?: Kept | undefined;
}

/** The space that the journals of a mock share. */
export type JournalBudget = ReturnType<typeof createJournalBudget>;

/** The requests with the same operation and status that a journal no longer keeps. */
interface Dropped extends Pick<RequestRecord, 'operation' | 'status'> {
  /** The ids and times of the requests. With a `step` above 1 each of them is for so many requests. */
  ids: number[];
  times: number[];
  step: number;
  count: number;
}

/** The most ids of requests with the same operation and status that a journal no longer keeps. An even number. */
const MOST_IDS = 50_000;

/** The part of a request that filters match. */
type Fact = Pick<RequestRecord, 'id' | 'time' | 'method' | 'url' | 'operation' | 'status'>;

/** Creates the budget of the journals of a mock. */
export function createJournalBudget() {
  let used = 0;
  let [oldest, newest, oldestBody]: (Kept | undefined)[] = [];
  return {
    /** Adds a request. Beyond the budget the oldest bodies are dropped, then the oldest requests. */
    add(kept: Kept): void {
      kept.older = newest;
      if (newest === undefined) oldest = kept;
      else newest.newer = kept;
      newest = kept;
      oldestBody ??= kept;
      used += kept.size;
      for (; used > LARGEST_JOURNALS && oldestBody !== undefined; oldestBody = oldestBody.newer) {
        const freed = dropBodies(oldestBody.entry);
        oldestBody.size -= freed;
        used -= freed;
      }
      while (used > LARGEST_JOURNALS && oldest !== undefined) oldest.drop(oldest);
    },
    remove(kept: Kept): void {
      const { older, newer } = kept;
      if (older === undefined) oldest = newer;
      else older.newer = newer;
      if (newer === undefined) newest = older;
      else newer.older = older;
      if (oldestBody === kept) oldestBody = newer;
      used -= kept.size;
      // A removed entry must not hold the entries that remain.
      kept.older = undefined;
      kept.newer = undefined;
    },
  };
}

/**
 * Creates a journal that keeps at most `size` requests; 0 keeps none.
 * @param keys Returns the keys to redact.
 */
export function createJournal(
  size: number,
  keys: () => readonly string[],
  budget = createJournalBudget(),
): JournalSource {
  const kept = new Map<number, Kept>();
  const dropped = new Map<string, Dropped>();
  let lastId = 0;
  let oldestId = 1;
  let period = 0;
  let clearedTo = 0;
  const remove = (one: Kept) => {
    kept.delete(one.entry.id);
    budget.remove(one);
  };
  const drop = (one: Kept) => {
    remove(one);
    const { id, time, status } = one.entry;
    const operation = operationOf(one.entry);
    const kind = `${operation} ${status}`;
    const same = dropped.get(kind) ?? { operation, status, ids: [], times: [], step: 1, count: 0 };
    dropped.set(kind, same);
    same.count += 1;
    if (same.count % same.step !== 0) return;
    same.ids.push(id);
    same.times.push(time);
    if (same.ids.length < MOST_IDS) return;
    for (const name of ['ids', 'times'] as const)
      same[name] = same[name].filter((_, index) => index % 2 === 1);
    same.step *= 2;
  };
  const dropOldest = () => {
    // The first key of a Map is behind all keys that were deleted.
    while (!kept.has(oldestId)) oldestId += 1;
    drop(kept.get(oldestId) as Kept);
  };
  const waiting = new Map<(entry: RequestRecord) => void, (reason: Error) => void>();
  const find = (filter: RequestFilter = {}): RequestRecord[] => {
    if (size === 0) throw new ApiError('invalid_request', 'The journal is off: --journal 0, or journal: 0.');
    const found = Array.from(kept.values(), ({ entry }) => entry).filter(createFits(filter));
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
      if (kept.size === size) dropOldest();
      lastId += 1;
      request.id = lastId;
      const one = { entry: request, drop, size: sizeOf(request) };
      kept.set(lastId, one);
      budget.add(one);
      for (const tell of waiting.keys()) tell(request);
    },
    findLike({ method, url, port, time }, after) {
      for (let id = Math.max(oldestId, after + 1); id <= lastId; id += 1) {
        const entry = kept.get(id)?.entry;
        if (entry === undefined || entry.port !== port || entry.time < time) continue;
        if (entry.method === method && entry.url === url) return id;
      }
      return undefined;
    },
    requests(filter) {
      const hidden = keys();
      return find(filter).map((entry) => showRequest(entry, hidden));
    },
    countRequests(filter = {}) {
      const fits = createFits(filter);
      const { limit = Number.POSITIVE_INFINITY, ...others } = filter;
      let found = find(others).length;
      for (const { ids, times, step, count, ...kind } of dropped.values()) {
        const isFit = (id: number, index: number) =>
          fits({ ...kind, id, time: times[index] as number, method: '', url: '' });
        const { length } = ids.filter(isFit);
        found += length === ids.length ? count : length * step;
      }
      return Math.min(limit, found);
    },
    clearRequests({ until: given } = {}) {
      // Alone: as a hook of a test it is called with a context.
      const until = given === undefined ? undefined : readUntil({ until: given });
      const last = Math.min(until ?? lastId, lastId);
      for (const one of kept.values()) if (one.entry.id <= last) remove(one);
      if (last === lastId) dropped.clear();
      for (const one of dropped.values()) {
        const { length } = one.ids.filter((id) => id <= last);
        one.ids.splice(0, length);
        one.times.splice(0, length);
        one.count -= length * one.step;
      }
      clearedTo = Math.max(clearedTo, last);
      if (until === undefined) period += 1;
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
      const tell = (entry: RequestRecord) => {
        if (fits(entry)) resolve(entry);
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
function createFits(filter: RequestFilter): (entry: Fact) => boolean {
  const { operation, status, since: from, until } = readMembers<RequestFilter>('The filter', filter, kinds);
  return (entry) =>
    (operation === undefined || operation === operationOf(entry)) &&
    (status === undefined || Number(status) === entry.status) &&
    (until === undefined || entry.id <= Number(until)) &&
    (from === undefined || isSinceMet(from, entry.id, entry.time));
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
