import * as v from 'valibot';
import { ApiError } from '../http/api-error.ts';
import { readMembers } from '../read-members.ts';
import { readTime } from '../real-time.ts';
import { integer, oneOf } from '../schemas.ts';
import { createMatch, digits, id, readUntil, since } from './filter.ts';
import { JournalBudget } from './journal-budget.ts';
import { type JournalEntry, type RecordedRequest, redactRequest, type Until } from './journal-entry.ts';
import { type OperationName, operations } from './operation-name.ts';
import { waitForRequest } from './wait-for-request.ts';

/** Selects requests. A member that is missing matches all of them. */
export interface RequestFilter {
  readonly operation?: OperationName;
  /** Status of the response. */
  readonly status?: number;
  /** Earliest time of arrival, or the id of the request before the first one. */
  readonly since?: Date | number;
  /** Id of the last request. */
  readonly until?: number;
  /** Maximum number of requests. If more match, these are the latest. */
  readonly limit?: number;
}

export const MOST_REQUESTS = 100_000;

/** Maximum time to wait for a request, in milliseconds. */
const LONGEST_WAIT = 600_000;

const schemas = {
  operation: v.optional(oneOf(operations)),
  status: digits('a status from 100 to 599', /^[1-5]\d\d$/),
  since,
  until: id,
  limit: digits('an integer above 0', /^[1-9]\d{0,8}$/),
};

type Filter = object & { readonly limit?: number };

/** Requests of an operation with a status, of which only the number is kept. */
interface DroppedRequests {
  readonly operation: OperationName | undefined;
  readonly status: number | undefined;
  readonly count: number;
}

/** The latest requests, in the order of their responses. */
export class Journal {
  lastId = 0;
  /** Id of the oldest request that is kept. If none is, the id of the next one. */
  oldestId = 1;
  isClosed = false;
  readonly #size: number;
  readonly #keys: () => readonly string[];
  readonly #budget: JournalBudget;
  /** Requests by id, without gaps. An array would take long to drop the oldest of 100,000. */
  readonly #kept = new Map<number, RecordedRequest>();
  /** Requests since the journal was cleared that are no longer kept, by operation and status. */
  readonly #dropped = new Map<string, DroppedRequests>();
  /** Requests that arrived before this time are not recorded. */
  #clearTime = 0;

  constructor(size: number, keys: () => readonly string[], budget = new JournalBudget()) {
    this.#size = size;
    this.#keys = keys;
    this.#budget = budget;
  }

  /** Records a request and sets its id, unless the journal was cleared after the request had arrived. */
  record(request: RecordedRequest): void {
    if (this.#size === 0 || request.time.getTime() < this.#clearTime) return;
    this.lastId += 1;
    request.id = this.lastId;
    if (this.#kept.size === this.#size) this.#dropOldest();
    this.#kept.set(request.id, request);
    this.#budget.add(request, this.#dropOldest);
  }

  findSentAs(sentAs: string): number | undefined {
    return [...this.#kept.values()].findLast((request) => request.sentAs === sentAs)?.id;
  }

  /**
   * Returns the latest requests, oldest first.
   * @throws Error with the `code` `invalid_request` for a wrong filter, and if the journal is off.
   */
  requests(filter?: RequestFilter): JournalEntry[] {
    return this.#find(filter).map((request) => redactRequest(request, this.#keys()));
  }

  /**
   * Counts the requests since the journal was cleared, also requests that are no longer kept. With `since`, `until` or `limit`,
   * only requests that are kept count.
   */
  countRequests(filter: RequestFilter = {}): number {
    let count = this.#find(filter).length;
    const { operation, status, ...others } = filter;
    if (Object.keys(others).length > 0) return count;
    for (const dropped of this.#dropped.values()) {
      const isOperation = operation === undefined || dropped.operation === operation;
      const isStatus = status === undefined || dropped.status === Number(status);
      if (isOperation && isStatus) count += dropped.count;
    }
    return count;
  }

  /**
   * Removes the requests, with `until` only requests up to the one with this id. Requests under way are not recorded.
   * @throws Error with the `code` `invalid_request` for a wrong `until`.
   */
  clearRequests({ until: given }: Until = {}): void {
    // Other members are ignored: as a hook of a test, this is called with a context.
    const until = readUntil({ until: given });
    if (until === undefined) this.#clearTime = readTime();
    const last = Math.min(until ?? this.lastId, this.lastId);
    while (this.oldestId <= last) this.#removeOldest();
    this.#dropped.clear();
  }

  /**
   * Waits for a request that matches. A request that was recorded before counts too.
   * @param filter `timeout` is in milliseconds. @default 5,000
   * @throws Error if no request matches in time.
   */
  async waitForRequest(filter: RequestFilter & { readonly timeout?: number } = {}): Promise<JournalEntry> {
    const timed = { ...schemas, timeout: v.optional(integer(0, LONGEST_WAIT)) };
    const { timeout, ...wanted } = readMembers('The filter', filter, timed);
    const find = (one: Filter) => {
      const found = this.#find(one).slice(0, 1);
      if (found.length === 0 && this.isClosed)
        throw new Error('The mock or the session ended before a matching request arrived.');
      return found.map((request) => redactRequest(request, this.#keys()));
    };
    return waitForRequest(find, wanted, timeout);
  }

  close(): void {
    this.isClosed = true;
  }

  #find(filter: Filter = {}): RecordedRequest[] {
    if (this.#size === 0)
      throw new ApiError('invalid_request', 'The journal is off: --journal 0, or journal: 0.');
    const found = [...this.#kept.values()].filter(createMatch(filter, schemas));
    return filter.limit === undefined ? found : found.slice(-filter.limit);
  }

  readonly #dropOldest = (): void => {
    const { operation, status } = this.#removeOldest();
    const kind = `${operation} ${status}`;
    const count = (this.#dropped.get(kind)?.count ?? 0) + 1;
    this.#dropped.set(kind, { operation, status, count });
  };

  #removeOldest(): RecordedRequest {
    const request = this.#kept.get(this.oldestId) as RecordedRequest;
    this.#kept.delete(this.oldestId);
    this.oldestId += 1;
    this.#budget.remove(request);
    return request;
  }
}
