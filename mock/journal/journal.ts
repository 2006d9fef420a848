import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import {
  type JournalEntry,
  keepBody,
  LONGEST_SHOWN,
  type RecordedAnswer,
  type RecordedRequest,
  redactRequest,
} from '../../common/journal/journal-entry.ts';
import { Latest } from '../../common/journal/latest.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import type { Outcome } from '../session/outcome.ts';
import type { Plugin, ReceivedCall } from '../session/plugin.ts';
import { readUntil } from './filter.ts';
import {
  createRequestMatch,
  listMembers,
  readRequestFilter,
  USUAL_WAIT,
  waitMembers,
} from './match-request.ts';
import { type ListFilter, pickFilter, type Until, type WaitFilter } from './request-filter.ts';

/** The record of a call. It is a member, because a WeakMap costs the garbage collector a tenth of a request. */
const record = Symbol('record');

type RecordedCall = ReceivedCall & { [record]?: RecordedRequest };

/** How many requests are kept, and the keys to redact in them. */
export interface JournalConfig {
  readonly journal: number;
  readonly secrets: { readonly keys: Keys };
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

/** The longest body in the message of a request that was waited for in vain, in characters. */
const LONGEST_IN_MESSAGE = 200;

/** The latest requests of a session, in the order of their arrival, and what they received. */
export class Journal implements Plugin {
  #isClosed = false;
  /** How many requests are kept. */
  readonly size: number;
  readonly #keys: Keys;
  readonly #latest: Latest<RecordedRequest>;
  readonly #waiters = new Set<Waiter>();

  constructor({ journal, secrets }: JournalConfig) {
    this.size = journal;
    this.#latest = new Latest(journal);
    this.#keys = secrets.keys;
  }

  get lastId(): number {
    return this.#latest.lastId;
  }

  /** Id of the oldest request that is kept. If none is, the id of the next one. */
  get oldestId(): number {
    return this.#latest.oldestId;
  }

  arrived(call: ReceivedCall): void {
    this.#record(call);
  }

  received(call: ReceivedCall, body: Uint8Array): void {
    this.#complete(call, keepBody(body, call.headers['content-encoding']));
  }

  ended(call: ReceivedCall, outcome: Outcome): void {
    const { isAborted } = call;
    // A client that has left has received nothing.
    const answer = 'reply' in outcome && !isAborted ? outcome.reply : undefined;
    const failure = 'failure' in outcome && !isAborted ? outcome.failure : undefined;
    this.#complete(call, {
      ms: call.measureDuration(),
      status: answer?.status,
      error: failure ?? answer?.error?.code,
      fault: isAborted ? undefined : outcome.fault,
      hint: call.hint ?? answer?.error?.hint,
      answer: answer && keepAnswer(answer),
    });
  }

  reset(): void {
    this.clearRequests();
  }

  /** Returns the record of a request, which is new for one that was refused on its way to the service. */
  #record(call: RecordedCall): RecordedRequest {
    const { [record]: known } = call;
    if (known !== undefined) return known;
    const { operation, method, headers, url, key, sentAs, isChecked, time } = call;
    const request = {
      ...{ id: 0, time: new Date(time), operation, method, headers, url, key, sentAs, isChecked },
      isReceived: !call.hasBody,
      ...nothing,
    };
    call[record] = request;
    // It is not kept if the journal was cleared after the request had arrived.
    if (this.#latest.add(request)) this.#notify(request);
    return request;
  }

  /** Adds what is known now. A request that was removed meanwhile does not come back. */
  #complete(call: ReceivedCall, known: Partial<RecordedRequest>): void {
    const request = this.#record(call);
    Object.assign(request, known, { isReceived: true });
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
   * @throws Error with the `code` `invalid_request` for a wrong `until`, and for other members of a filter.
   */
  clearRequests(until?: Until): void {
    this.#latest.clear(readUntil(pickFilter(until)));
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
    const { method, url, body = '', status } = this.#redact(last);
    const state = isEnded(last) ? 'no response' : 'waiting for its response';
    const shown = body.length > LONGEST_IN_MESSAGE ? `${body.slice(0, LONGEST_IN_MESSAGE)}…` : body;
    return `The last was ${[method, url, ...(shown === '' ? [] : [shown])].join(' ')} (${status ?? state})`;
  }

  /** Tells the waiters of a request, unless it was removed. */
  #notify(request: RecordedRequest): void {
    if (this.#latest.get(request.id) !== request) return;
    for (const { isFound, resolve } of this.#waiters) if (isFound(request)) resolve(request);
  }

  #expectOn(): void {
    if (this.size === 0)
      throw new ApiError('invalid_request', 'The journal is off: --journal 0, or journal: 0.');
  }

  readonly #redact = (request: RecordedRequest): JournalEntry => redactRequest(request, this.#keys);

  #find(filter: ListFilter = {}): RecordedRequest[] {
    this.#expectOn();
    const { limit, ...wanted } = readRequestFilter(filter, listMembers);
    const found = this.#latest.list().filter(createRequestMatch(wanted, this.#redact));
    return limit === undefined ? found : found.slice(-limit);
  }
}

/** What is not known of a request that has just arrived. */
const nothing = {
  ms: undefined,
  body: undefined,
  bodyState: undefined,
  status: undefined,
  error: undefined,
  fault: undefined,
  hint: undefined,
  answer: undefined,
};

/** Keeps the start of a long body only. */
function keepAnswer(reply: Reply): RecordedAnswer {
  if (reply.body.length <= LONGEST_SHOWN) return reply;
  return { ...reply, ...keepBody(new TextEncoder().encode(reply.body)) };
}
