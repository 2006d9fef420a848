import { ApiError } from '../../common/http/api-error.ts';
import {
  type BodyText,
  type JournalEntry,
  type RecordedRequest,
  redactRequest,
} from '../../common/journal/journal-entry.ts';
import { Latest } from '../../common/journal/latest.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { readUntil } from './filter.ts';
import {
  createRequestMatch,
  listMembers,
  readRequestFilter,
  USUAL_WAIT,
  waitMembers,
} from './match-request.ts';
import type { ListFilter, Until, WaitFilter } from './request-filter.ts';

interface RecordedResponse extends Pick<RecordedRequest, 'status' | 'error' | 'fault' | 'hint' | 'answer'> {
  readonly ms: number;
}

export const MOST_REQUESTS = 100_000;

interface Waiter {
  readonly isFound: (request: RecordedRequest) => boolean;
  readonly resolve: (request: RecordedRequest) => void;
  /** Ends the wait with an error. */
  readonly end: () => void;
}

/** What a test waits for, and the end of the sentence that it did not happen. */
const stages = {
  request: { isReached: ({ isReceived }: RecordedRequest) => isReceived, happened: 'arrived' },
  response: { isReached: isEnded, happened: 'got its response' },
} as const;

function isEnded({ ms }: RecordedRequest): boolean {
  return ms !== undefined;
}

/** What a wait needs of an AbortSignal. Programs without the types of Node and of a browser do not know that name. */
export interface EndOfWait {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** The latest requests, in the order of their arrival. */
export class Journal {
  #isClosed = false;
  /** Whether requests are kept. */
  readonly isOn: boolean;
  readonly #keys: Keys;
  readonly #latest: Latest<RecordedRequest>;
  readonly #waiters = new Set<Waiter>();

  constructor(size: number, keys: Keys) {
    this.isOn = size > 0;
    this.#latest = new Latest(size);
    this.#keys = keys;
  }

  get lastId(): number {
    return this.#latest.lastId;
  }

  /** Id of the oldest request that is kept. If none is, the id of the next one. */
  get oldestId(): number {
    return this.#latest.oldestId;
  }

  /** Records a request and sets its id, unless the journal was cleared after the request had arrived. */
  record(request: RecordedRequest): void {
    if (!this.#latest.add(request)) return;
    this.#notify(request);
  }

  receive(request: RecordedRequest, body: BodyText): void {
    Object.assign(request, body, { isReceived: true });
    this.#notify(request);
  }

  /** Adds the response to a request that was recorded. A request that was removed meanwhile does not come back. */
  end(request: RecordedRequest, response: RecordedResponse): void {
    Object.assign(request, response, { isReceived: true });
    this.#notify(request);
  }

  findSentAs(sentAs: string): number | undefined {
    return this.#latest.list().findLast((request) => request.sentAs === sentAs)?.id;
  }

  /**
   * Returns the latest requests, oldest first.
   * @throws Error with the `code` `invalid_request` for a wrong filter, and if the journal is off.
   */
  requests(filter?: ListFilter): JournalEntry[] {
    return this.#find(filter).map(this.#redact);
  }

  /** Counts the requests that `requests` returns. */
  countRequests(filter?: ListFilter): number {
    return this.#find(filter).length;
  }

  /**
   * Removes the requests, with `until` only requests up to the one with this id. Requests that wait are removed too.
   * @throws Error with the `code` `invalid_request` for a wrong `until`.
   */
  clearRequests({ until: given }: Until = {}): void {
    // Other members are ignored: as a hook of a test, this is called with a context.
    this.#latest.clear(readUntil({ until: given }));
  }

  /**
   * Waits until a request that matches has arrived with its body. A request that was recorded before counts too.
   * @throws Error with the `code` `not_found` if no request matches in time, and with `invalid_request` for a wrong filter.
   */
  waitForRequest(filter: WaitFilter = {}): Promise<JournalEntry> {
    return this.waitFor('request', filter);
  }

  /**
   * Waits until a request that matches has its response, or was broken off. A request that was recorded before counts too, unless
   * `clearRequests` or a reset has removed it, even if it still waits for its response.
   * @throws Error with the `code` `not_found` if no request matches in time, and with `invalid_request` for a wrong filter.
   */
  waitForResponse(filter: WaitFilter = {}): Promise<JournalEntry> {
    return this.waitFor('response', filter);
  }

  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#waiters) end();
  }

  /** Waits as the methods above do. @param signal ends the wait, when its client has left. */
  async waitFor(
    stage: keyof typeof stages,
    filter: WaitFilter = {},
    signal?: EndOfWait,
  ): Promise<JournalEntry> {
    const { timeout = USUAL_WAIT, ...wanted } = readRequestFilter(filter, waitMembers);
    this.#expectOn();
    const { isReached, happened } = stages[stage];
    const isMatch = createRequestMatch(wanted, this.#redact);
    const isFound = (request: RecordedRequest) => isReached(request) && isMatch(request);
    const found = this.#latest.list().find(isFound);
    if (found !== undefined) return this.#redact(found);
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>();
    const end = `The mock or the session ended before a matching request ${happened}.`;
    const waiter = { isFound, resolve, end: () => reject(new ApiError('not_found', end)) };
    const giveUp = () => {
      const missing = `No request that matches ${printExactJson(wanted as ExactJson)} ${happened} within ${timeout} ms`;
      const message = `${missing}. ${this.#describeLast()}.`;
      reject(new ApiError('not_found', redact(message, this.#keys)));
    };
    const timer = setTimeout(giveUp, timeout);
    this.#waiters.add(waiter);
    signal?.addEventListener('abort', waiter.end);
    if (this.#isClosed || signal?.aborted) waiter.end();
    try {
      return this.#redact(await promise);
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  #describeLast(): string {
    const last = this.#latest.get(this.lastId);
    if (last === undefined) return 'There was no other';
    const { method, url, status } = this.#redact(last);
    const state = isEnded(last) ? 'no response' : 'waiting for its response';
    return `The last was ${method} ${url} (${status ?? state})`;
  }

  /** Tells the waiters of a request, unless it was removed. */
  #notify(request: RecordedRequest): void {
    if (this.#latest.get(request.id) !== request) return;
    for (const { isFound, resolve } of this.#waiters) if (isFound(request)) resolve(request);
  }

  #expectOn(): void {
    if (!this.isOn) throw new ApiError('invalid_request', 'The journal is off: --journal 0, or journal: 0.');
  }

  readonly #redact = (request: RecordedRequest): JournalEntry => redactRequest(request, this.#keys);

  #find(filter: ListFilter = {}): RecordedRequest[] {
    this.#expectOn();
    const { limit, ...wanted } = readRequestFilter(filter, listMembers);
    const found = this.#latest.list().filter(createRequestMatch(wanted, this.#redact));
    return limit === undefined ? found : found.slice(-limit);
  }
}
