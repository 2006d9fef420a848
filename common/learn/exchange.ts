import type { ExactJson, JsonObject } from '../json/exact-json.ts';
import { isJsonObject } from '../json/exact-json.ts';

/** The deployment of a run or of traffic, as far as learning needs to know it. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** The valid key; empty if it is one of many. */
  readonly apiKey: string;
  /** True if animals may have been added. */
  readonly allowsWrites: boolean;
  /** A category that exists, though perhaps no animal has it. */
  readonly categoryId?: bigint | undefined;
}

/** The request of an exchange that is learned from. */
export interface SeenRequest {
  readonly method: string;
  /** The URL that the path is relative to. */
  readonly base: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How the body is sent. @default UTF-8 */
  readonly encoding?: 'latin1' | undefined;
  /** True if it has the valid key, which may change during a run. */
  readonly isAuthorized?: boolean;
}

/** The response of an exchange that is learned from. */
export interface SeenResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. Of a long body only the beginning is kept. */
  readonly body: Buffer;
  /** The length in bytes of a body of which only the beginning is kept. */
  readonly length?: number;
}

/** How much of a body shows whether it is a page, in bytes. */
const START_OF_PAGE = 100;

/** The longest that a deployment may ask to wait, in ms. */
export const LONGEST_WAIT = 60_000;

/** An exchange that is learned from: of a run of the suite, or of traffic. */
export abstract class Exchange {
  abstract readonly request: SeenRequest;
  abstract readonly response: SeenResponse | undefined;
  /** Undefined if the response is complete. */
  abstract readonly failure: unknown;
  /** When the request was sent, in ms since the run began. */
  abstract readonly at: number;
  abstract readonly ms: number;
  /** The body of the response, or undefined if it is not JSON. */
  abstract readonly json: ExactJson | undefined;
  /** The object in the body of the request, or an empty one. */
  abstract readonly sent: JsonObject;
  abstract readonly animals: readonly JsonObject[];

  /** Shortens a string of the exchange for a message, and hides its keys if it is cut. */
  abstract shorten(text: string): string;

  /** Hides all keys of the run in a text. */
  abstract hide(text: string): string;

  get path(): string {
    return this.request.path;
  }

  /** When the response was received, in ms since the run began. */
  get end(): number {
    return this.at + this.ms;
  }

  get status(): number {
    return this.response?.status ?? 0;
  }

  get object(): JsonObject | undefined {
    return this.json !== undefined && isJsonObject(this.json) ? this.json : undefined;
  }

  get animal(): JsonObject | undefined {
    return this.status === 200 || this.status === 201 ? this.object : undefined;
  }

  get id(): bigint | undefined {
    const id = this.object?.id;
    return typeof id === 'bigint' ? id : undefined;
  }

  get requestedId(): bigint | undefined {
    const [, id] = /^\/pets\/(-?\d+)$/.exec(this.path) ?? [];
    return id === undefined ? undefined : BigInt(id);
  }

  get isList(): boolean {
    const isOfLists = this.request.method === 'GET' && /^\/pets(?:\?|$)/.test(this.path);
    return isOfLists && this.status === 200 && Array.isArray(this.json);
  }

  get isByStatus(): boolean {
    return this.path.includes('status=');
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isAddition(): boolean {
    return this.request.method === 'POST' && this.status === 201;
  }

  get isPage(): boolean {
    const { headers = {}, body = '' } = this.response ?? {};
    const start = String(body.slice(0, START_OF_PAGE));
    return /html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(start);
  }

  /** True for the page of a gateway for a limited rate or an absent service. */
  get isGatewayPage(): boolean {
    return [429, 502, 503, 504].includes(this.status) && this.isPage;
  }

  /** True if the response asks the client to wait. */
  get asksToWait(): boolean {
    return this.status === 429 || (this.status === 503 && this.retryAfter !== undefined);
  }

  /** True if the response may be of a limited rate, such as the page of a gateway with 503. */
  get isTooMany(): boolean {
    return this.asksToWait || (this.status === 503 && this.isPage);
  }

  /** How long the response asks the client to wait, in ms. Undefined if it names no time. Source: RFC 9110, section 10.2.3 */
  get wait(): number | undefined {
    const { retryAfter = '' } = this;
    if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
    const until = Date.parse(retryAfter);
    // A date has no fractions of a second, and so may be past when it arrives.
    return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
  }

  /** True if a POST is refused for longer than a run may wait, as after the last one of an hour or a day. */
  get isOverQuota(): boolean {
    return this.request.method === 'POST' && this.status === 429 && (this.wait ?? 0) > LONGEST_WAIT;
  }

  get retryAfter(): string | undefined {
    return this.response?.headers['retry-after'];
  }

  /** True for the response of a gateway that cannot reach the deployment: its body is no Error. */
  get isUnreached(): boolean {
    const isOfService = typeof this.object?.code === 'string' && typeof this.object.status === 'bigint';
    return [502, 504].includes(this.status) && !isOfService;
  }
}

/** Returns whether a request to the target has the valid key, also one that has expired since. */
export function hasValidKey(
  { request }: Pick<Exchange, 'request'>,
  { baseUrl }: Pick<Target, 'baseUrl'>,
): boolean {
  return request.base === baseUrl && request.isAuthorized === true;
}

/** Returns the operation of a request, such as `GET /pets/{petId}`. */
export function toOperation({ method, path }: Pick<SeenRequest, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*/s, '').replace(/^\/pets\/.*/s, '/pets/{petId}')}`;
}

/** Returns whether a request only reads, by its method. Source: RFC 9110 section 9.2.1 */
export function isReading({ method }: Pick<SeenRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Returns whether a path is UTF-8 without a NUL: gateways refuse other paths. The query may be anything. */
export function isPathDecodable({ path }: Pick<SeenRequest, 'path'>): boolean {
  const [place = ''] = path.split('?');
  return isDecodable(place) && !place.includes('%00');
}

/** Returns whether a header value is ASCII: HTTP servers may refuse other values before the service sees them. */
export function isAscii(value = ''): boolean {
  return !/[^\0-\x7f]/.test(value);
}
