import { createHash } from 'node:crypto';
import { isReading } from '../../common/learn/exchange.ts';
import { type Exchange, isOfFault } from '../exchange.ts';
import { ANY_SERVICE, type KeptExchange } from './traffic-exchange.ts';

/** How many exchanges of one shape are kept: the first ones, and as many of the latest. */
export const KEPT_OF_SHAPE = 20;

/** Maximum number of shapes, which are an operation, a status and the form of a query. */
export const MOST_SHAPES = 100;

/** The longest body that is kept, in bytes. An exchange with a longer one shows nothing. */
const LONGEST_BODY = 65_536;

/** Maximum number of bytes of all kept bodies. */
export const LARGEST_RECORD = 16_777_216;

/** Maximum number of keys that are told apart. Of later ones, nothing is learned. */
export const MOST_KEYS = 10_000;

/** Maximum number of POST requests whose times are kept. */
const MOST_WRITES = 10_000;

/** A limit of the rate shows in this many responses within this time, in ms. */
const MANY = 100;
const SHORT_TIME = 60_000;

/** Times of a POST, which may have added an animal. */
export interface Write {
  readonly at: number;
  readonly end: number;
}

/** Exchanges of one shape. */
interface Shape {
  readonly first: KeptExchange[];
  readonly last: KeptExchange[];
}

/** What the traffic was, as far as it fits into a bounded memory. */
export class TrafficRecord {
  /** Number of exchanges that were learned from. */
  count = 0;
  /** True if a response was a 429. */
  isLimited = false;
  /** True if many requests within a short time got a response. */
  isBusy = false;
  readonly #shapes = new Map<string, Shape>();
  readonly #keys = new Map<string, boolean>();
  readonly #writes: Write[] = [];
  readonly #times: number[] = [];
  #bytes = 0;

  /**
   * Adds an exchange, if it shows how the service behaves. It is no change if a fault made the response, if the response is
   * incomplete, or if it breaks the contract.
   * @param at arrival of the request, in milliseconds since 1970 @param ms until the response was there
   */
  add(exchange: Exchange, at: number, ms: number): void {
    this.#addWrite(exchange, at, at + ms);
    const kept = keep(exchange, at, ms);
    if (kept === undefined) return;
    this.count += 1;
    this.#addTime(kept);
    this.#addKey(kept);
    this.#put(shapeOf(exchange), kept);
  }

  /** Returns the kept exchanges. */
  get kept(): readonly KeptExchange[] {
    return [...this.#shapes.values()].flatMap(({ first, last }) => [...first, ...last]);
  }

  /** Returns the times of the latest POST requests that may have added an animal. */
  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** Returns whether a key got a successful response. */
  isValidKey(key: string | undefined): boolean {
    return key !== undefined && this.#keys.get(key) === true;
  }

  #addWrite({ request, response }: Exchange, at: number, end: number): void {
    const isRefused = response !== undefined && response.status >= 400 && response.status < 500;
    if (isReading(request) || isRefused) return;
    this.#writes.push({ at, end });
    if (this.#writes.length > MOST_WRITES) this.#writes.shift();
  }

  #addTime({ response, at }: KeptExchange): void {
    this.isLimited ||= response.status === 429;
    this.#times.push(at);
    if (this.#times.length < MANY) return;
    const [earliest = at] = this.#times;
    this.isBusy ||= Math.abs(at - earliest) <= SHORT_TIME;
    this.#times.shift();
  }

  #addKey({ key, response }: KeptExchange): void {
    if (key === undefined || (!this.#keys.has(key) && this.#keys.size >= MOST_KEYS)) return;
    const isSuccess = response.status >= 200 && response.status < 300;
    this.#keys.set(key, isSuccess || this.#keys.get(key) === true);
  }

  #put(name: string, kept: KeptExchange): void {
    const shape = this.#shapes.get(name) ?? { first: [], last: [] };
    if (!this.#shapes.has(name) && this.#shapes.size >= MOST_SHAPES) return;
    this.#shapes.set(name, shape);
    this.#bytes += sizeOf(kept);
    if (shape.first.length < KEPT_OF_SHAPE && this.#bytes <= LARGEST_RECORD) shape.first.push(kept);
    else shape.last.push(kept);
    if (shape.last.length > KEPT_OF_SHAPE) this.#drop(shape);
    while (this.#bytes > LARGEST_RECORD) this.#drop(this.#findLargest());
  }

  #drop({ first, last }: Shape): void {
    const dropped = last.shift() ?? first.pop();
    if (dropped !== undefined) this.#bytes -= sizeOf(dropped);
  }

  #findLargest(): Shape {
    const sizeOfAll = ({ first, last }: Shape) =>
      [...first, ...last].reduce((sum, one) => sum + sizeOf(one), 0);
    const [largest] = [...this.#shapes.values()].toSorted((one, other) => sizeOfAll(other) - sizeOfAll(one));
    return largest ?? { first: [], last: [] };
  }
}

function sizeOf({ request, response }: KeptExchange): number {
  return (request.body?.length ?? 0) + response.body.length;
}

/** The body of a response to HEAD. */
const NO_BODY = new Uint8Array();

/** Headers of requests that observers read, and the names that the suite gives them. */
const readHeaders = {
  'content-type': 'Content-Type',
  'content-encoding': 'Content-Encoding',
  'if-none-match': 'If-None-Match',
  'accept-encoding': 'Accept-Encoding',
  origin: 'Origin',
  'access-control-request-method': 'Access-Control-Request-Method',
};

/** Returns what is kept of an exchange. @returns undefined if it shows nothing */
function keep(exchange: Exchange, at: number, ms: number): KeptExchange | undefined {
  const { request, response, refusal, violations } = exchange;
  if (response === undefined || refusal !== undefined || isOfFault(exchange)) return undefined;
  // A fault of a mock, also of one that another program has started.
  if (response.headers['x-fault'] !== undefined) return undefined;
  const breaksContract = violations.some(
    ({ location, rule }) => location[0] === 'response' && rule !== 'undocumented-status',
  );
  if (breaksContract || request.path === '') return undefined;
  // The body of a request is undefined if nobody could read it.
  const answered = request.method === 'HEAD' ? NO_BODY : response.body;
  if (answered === undefined || answered.length > LONGEST_BODY) return undefined;
  if (request.body === undefined || request.body.length > LONGEST_BODY) return undefined;
  // Some recorders leave the headers out.
  if (answered.length > 0 && response.headers['content-type'] === undefined) return undefined;
  const { authorization } = request.headers;
  const [, scheme = '', key] = /^(\S+)\s+(\S+)$/.exec(authorization ?? '') ?? [];
  const named = Object.entries(readHeaders).flatMap(([lower, name]) => {
    const value = request.headers[lower];
    return value === undefined ? [] : [[name, value] as const];
  });
  const path = request.query === '' ? request.path : `${request.path}?${request.query}`;
  return {
    request: {
      method: request.method,
      base: ANY_SERVICE,
      path,
      headers: {
        ...Object.fromEntries(named),
        ...(authorization !== undefined && { Authorization: `${scheme} key` }),
      },
      body: request.body.length === 0 ? undefined : Buffer.from(request.body).toString('utf8'),
    },
    response: { status: response.status, headers: response.headers, body: Buffer.from(answered) },
    key: key === undefined ? undefined : createHash('sha256').update(key).digest('base64'),
    at,
    ms,
  };
}

/** Names the operation, the status and the form of the query and of the body, in few ways. */
function shapeOf({ request, response, sent }: Exchange): string {
  const { method, path, query, headers } = request;
  const place = path.replace(/^\/pets\/-?\d+$/, '/pets/{petId}');
  const [, scheme = 'none'] = /^(\S+)\s/.exec(headers.authorization ?? '') ?? [];
  const members = typeof sent === 'object' && sent !== null ? Object.keys(sent).toSorted() : [];
  const isKnown = /^\/pets(?:\/\{petId\})?$/.test(place);
  return JSON.stringify([
    method,
    isKnown ? place : place.split('/').slice(0, 2).join('/'),
    response?.status,
    scheme.toLowerCase() === scheme ? 'lower' : 'usual',
    query === '' ? '' : shapeOfQuery(query),
    members.join(),
  ]);
}

function shapeOfQuery(query: string): string {
  const shapes = [...new URLSearchParams(query)].map(([name, value]) => {
    if (name === 'status') return /^(?:available|pending|sold)$/.test(value) ? value : 'other status';
    if (name !== 'limit') return name;
    if (/^(?:20|100)$/.test(value)) return value;
    return /^[1-9]\d?$/.test(value) ? '1 to 99' : /^-?\d+$/.test(value) ? 'other limit' : 'no limit';
  });
  return shapes.toSorted().join('&');
}
