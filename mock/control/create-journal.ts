import { createHideKeys, findKeysIn, hideParameters, isKeyName } from '../../common/hide-keys.ts';
import { integer, oneOf, type ValueKind } from '../../common/value-kinds.ts';
import { ApiError } from '../api/errors.ts';
import type { Reply } from '../api/reply.ts';
import { findOperation, type OperationName, operations } from './find-operation.ts';
import { readMembers } from './read-members.ts';

/** A request that was answered, or broken off. Keys are hidden in all of it. */
export interface JournalEntry {
  /** Larger than that of every request before. */
  readonly id: number;
  /** When it arrived. */
  readonly time: Date;
  /** What it was for; undefined where there is no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** The path from the origin on, with the query, as it was sent. */
  readonly url: string;
  /** By their names in lower case; what was sent more than once is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text, up to 64 KiB; undefined where there was none, or it was not read since the key was refused. */
  readonly body: string | undefined;
  /** The status of the answer; undefined when the connection was broken or the client went away. */
  readonly status: number | undefined;
  /** The code of the Error that it was answered with, or the drop. */
  readonly error: string | undefined;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  /** What the mock answered with, but for headers that Node and CORS add; undefined when it was broken off. */
  readonly answer: JournalAnswer | undefined;
}

/** An answer of the mock. */
export interface JournalAnswer {
  /** By their names as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * As text, up to 64 KiB. Undefined where there was none, and for a failure that may quote a part of a key: of a request with a
   * key anywhere but where it belongs.
   */
  readonly body: string | undefined;
}

/** Which requests; all of them, where nothing is said. */
export interface RequestFilter {
  readonly operation?: OperationName;
  readonly status?: number;
  /** From this time on, or later than the request with this id. */
  readonly since?: Date | number;
  /** At most so many: the latest. */
  readonly limit?: number;
}

/** What came: the latest requests, in the order of their answers. Neither the control API nor preflights are among them. */
export interface Journal {
  /** @throws Error with the `code` `invalid_request` for a wrong filter, and when the journal is off. */
  requests(filter?: RequestFilter): JournalEntry[];
  countRequests(filter?: RequestFilter): number;
  clearRequests(): void;
  /**
   * The first request that fits, whether it has come or will come.
   * @param filter its `timeout` is in milliseconds. @default 5,000
   * @throws Error when none has come in time.
   */
  waitForRequest(filter?: RequestFilter & { readonly timeout?: number }): Promise<JournalEntry>;
}

/** A request as the server has it. Nothing is made of it before somebody asks. */
export interface RequestRecord {
  /** Given by the journal. */
  id: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly ms: number;
  readonly method: string;
  readonly url: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** The body, or its beginning: `keepBody` makes it. */
  readonly body: KeptBody | undefined;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly answer: Pick<Reply, 'headers' | 'body'> | undefined;
  /** From which it came, where a checked proxy is beside the mock. */
  readonly port: number | undefined;
}

/** A body as text, up to 80 KiB, and whether it went on. */
interface KeptBody {
  readonly text: string;
  readonly isCut: boolean;
}

/** What is kept of a body. */
export function keepBody({ buffer, byteOffset, length }: Uint8Array): KeptBody {
  const text = Buffer.from(buffer, byteOffset, Math.min(length, MOST_KEPT)).toString();
  return { text, isCut: length > MOST_KEPT };
}

/** The journal, and what the server tells it. */
export interface JournalSource extends Journal {
  /** The id of the latest request, or 0. */
  readonly lastId: number;
  /** Another number after every clearing; what arrived before it is not kept. */
  readonly period: number;
  /** The id of the first request like this one that came from its port, at its time or later, and after another. */
  findLike(
    request: Pick<RequestRecord, 'method' | 'url' | 'port' | 'time'>,
    after: number,
  ): number | undefined;
  /** @param period when the request arrived. */
  record(request: RequestRecord, period: number): void;
}

/** The longest body that is shown, in characters. */
export const LONGEST_SHOWN = 65_536;

/** How much more is kept, so that a key at the end of what is shown is whole when it is looked for. */
const MARGIN = 16_384;

const MOST_KEPT = LONGEST_SHOWN + MARGIN;

/** The most that the bodies in a journal have together, in characters. */
export const MOST_BODIES = 16_777_216;

/** The most that the bodies in all journals of a mock have together, in characters; beyond it the latest user gives up its oldest. */
export const MOST_BODIES_OF_ALL = 67_108_864;

/** The most requests that a journal keeps. */
export const MOST_REQUESTS = 100_000;

/** How long a request is waited for, in milliseconds. */
const PATIENCE = 5_000;

/** A time or an id, from a program or from a query, where all is text. */
export const sinceKind: ValueKind<unknown> = {
  expected: 'a Date, a time such as 2026-11-21T09:30:00Z, or an id',
  isValid: (value): value is unknown => !Number.isNaN(readSince(value)[1]),
};

const kinds = {
  operation: oneOf(operations),
  status: {
    expected: 'a status from 100 to 599',
    isValid: (value): value is unknown => /^[1-5]\d\d$/.test(String(value)),
  },
  since: sinceKind,
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
  const waiting = new Set<(kept: RequestRecord) => void>();
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
    record(request, from) {
      if (from !== period) return;
      if (lastId - oldestId + 1 === size) dropOldest();
      lastId += 1;
      request.id = lastId;
      ring[lastId % size] = request;
      count(countText(request));
      while (isFull()) dropOldest();
      for (const tell of waiting) tell(request);
    },
    findLike({ method, url, port, time }, after) {
      for (let id = Math.max(oldestId, after + 1); id <= lastId; id += 1) {
        const kept = ring[id % size];
        if (kept === undefined || kept.port !== port || kept.time < time) continue;
        if (kept.method === method && kept.url === url) return id;
      }
      return undefined;
    },
    requests: (filter) => find(filter).map((kept) => show(kept, keys())),
    countRequests: (filter) => find(filter).length,
    clearRequests() {
      ring = [];
      oldestId = lastId + 1;
      count(-ofBodies);
      period += 1;
    },
    async waitForRequest(wanted = {}) {
      const { timeout = PATIENCE, ...filter } = readMembers<RequestFilter & { timeout?: number }>(
        'The filter',
        wanted,
        { ...kinds, timeout: integer(0, 600_000) },
      );
      const [known] = find(filter);
      if (known !== undefined) return show(known, keys());
      const fits = createFits(filter);
      const { promise, resolve, reject } = Promise.withResolvers<RequestRecord>();
      const tell = (kept: RequestRecord) => {
        if (fits(kept)) resolve(kept);
      };
      waiting.add(tell);
      const giveUp = () => reject(new Error(describeMissing(filter, timeout, find().at(-1), keys())));
      const timer = setTimeout(giveUp, timeout);
      try {
        return show(await promise, keys());
      } finally {
        clearTimeout(timer);
        waiting.delete(tell);
      }
    },
  };
}

/** From a program or from a query, where all is text. */
function createFits(filter: RequestFilter): (kept: RequestRecord) => boolean {
  const { operation, status, since: from } = readMembers<RequestFilter>('The filter', filter, kinds);
  return (kept) =>
    (operation === undefined || operation === operationOf(kept)) &&
    (status === undefined || Number(status) === kept.status) &&
    (from === undefined || isSinceMet(from, kept.id, kept.time));
}

/** Whether what has an id and a time, in milliseconds since 1970, came since then. @param since valid by `sinceKind`. */
export function isSinceMet(since: unknown, id: number, time: number): boolean {
  const [field, least] = readSince(since);
  return field === 'id' ? id > least : time >= least;
}

/** What an entry is compared by, and with; NaN when it is neither an id nor a time. */
function readSince(value: unknown): ['id' | 'time', number] {
  if (/^\d{1,15}$/.test(String(value))) return ['id', Number(value)];
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return ['time', isTime ? Date.parse(value) : Number.NaN];
}

function operationOf({ method, url }: Pick<RequestRecord, 'method' | 'url'>): OperationName | undefined {
  return findOperation(method, url.replace(/\?.*$/s, ''));
}

/** What a request has in its bodies, in characters. */
function countText(kept: RequestRecord | undefined): number {
  return (kept?.body?.text.length ?? 0) + (kept?.answer?.body.length ?? 0);
}

function show(kept: RequestRecord, keys: readonly string[]): JournalEntry {
  const { id, time, ms, method, url, rawHeaders, body, status, error, answer } = kept;
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index]?.toLowerCase(), rawHeaders[index + 1]];
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  // A wrong key may be the right one of another deployment.
  const given = Object.entries(headers).flatMap(([name, value]) =>
    isKeyName(name) ? findKeysIn(value) : [],
  );
  const hide = createHideKeys([...keys, ...given]);
  const hidden = Object.entries(headers).map(([name, value]) => [name, hide(value)] as const);
  const isMisplaced =
    body?.isCut ||
    [url, body?.text ?? ''].some((text) => hide(text) !== text) ||
    hidden.some(([name, value]) => !isKeyName(name) && value !== headers[name]);
  return {
    id,
    time: new Date(time),
    operation: operationOf(kept),
    method,
    url: hideParameters(hide(url)),
    headers: Object.fromEntries(hidden),
    body: body === undefined ? undefined : showBody(body, hide),
    status,
    error,
    ms,
    answer:
      answer && showAnswer(answer, method === 'HEAD' || (error !== undefined && isMisplaced === true), hide),
  };
}

function showAnswer(
  { headers, body }: Pick<Reply, 'headers' | 'body'>,
  isLeftOut: boolean,
  hide: (text: string) => string,
): JournalAnswer {
  const texts = Object.entries(headers).map(([name, value]) => [name, hide(String(value))]);
  const shown = isLeftOut || body === '' ? undefined : hide(body).slice(0, LONGEST_SHOWN);
  return { headers: Object.fromEntries(texts), body: shown };
}

/** Hides, then cuts: a key that was cut in two would not be found. */
function showBody({ text, isCut }: KeptBody, hide: (text: string) => string): string {
  const hidden = hide(text);
  return (isCut ? hidden.slice(0, -MARGIN) : hidden).slice(0, LONGEST_SHOWN);
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
  const { method, url, status } = show(last, keys);
  return `No request came within ${timeout} ms that fits ${wanted}; the last was ${method} ${url} (${status}).`;
}
