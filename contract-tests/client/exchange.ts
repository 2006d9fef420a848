import type { Contract } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import { loadContract } from '../../common/load-contract.ts';
import type { RequestForm, Shape } from '../failures/failure.ts';
import { findShape } from './find-shape.ts';
import { findWords } from './find-words.ts';
import { findNoJsonReason, listKnownMembers, pickFields, readJson } from './read-json.ts';
import { redactAndCut, type Secrets } from './secrets.ts';
import type { Target } from './target.ts';

export interface SuiteRequest {
  readonly method: string;
  /** The URL that the path is relative to. */
  readonly base: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How the body is sent. @default UTF-8 */
  readonly encoding?: 'latin1' | undefined;
  /** True if the body is sent in two parts, the first of which ends within a character. */
  readonly isInTwoParts?: boolean;
  /** True if it has the valid key. */
  readonly isAuthorized?: boolean;
  /** True if it is sent on a connection that no other request has. */
  readonly hasOwnConnection?: boolean;
  /** True for an animal that is added at the same time as others. */
  readonly isTogether?: boolean;
  /** What it tries instead of the valid key. */
  readonly trial?: 'missing key' | 'invalid key' | 'other form';
  /** An unusual form, which a server may fail at. */
  readonly form?: RequestForm;
  /** True if its body is no NewPet, and it has no valid key either. */
  readonly isBodyTrial?: boolean;
  /** The response that a cache has for it, of which it sends the ETag. */
  readonly cached?: SuiteResponse;
}

export interface SuiteResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. Of a long body only the beginning is kept. */
  readonly body: Buffer;
  /** The length in bytes of a body of which only the beginning is kept. */
  readonly length?: number;
  /** True if it is the one of a cache, which a 304 has confirmed. */
  readonly isConfirmed?: boolean;
  /** True if requests get pages for 503 however slowly they come. */
  readonly isAtAnyRate?: boolean;
}

/** Why there is no response, or why its body is not what its headers announce. */
export interface TransportFailure {
  /**
   * `refused`: the connection, or by a forward proxy. `cut`: before the response was there, `body ended`: before the body was
   * complete. `body too long`: only the beginning was read. `message`: the response is not as HTTP has it.
   */
  readonly kind:
    | 'timeout'
    | 'refused'
    | 'proxy'
    | 'certificate'
    | 'expired certificate'
    | 'client certificate'
    | 'cut'
    | 'body ended'
    | 'body too long'
    | 'body'
    | 'message'
    | 'other';
  /** In words, to be read after "no answer". */
  readonly reason: string;
}

export interface Sent {
  readonly response: SuiteResponse | undefined;
  readonly failure: TransportFailure | undefined;
  /** Trace id of the request, as its traceparent has it. */
  readonly traceId?: string | undefined;
  /** The headers that were sent, with those that the suite adds. */
  readonly sentHeaders?: Readonly<Record<string, string>>;
}

/** The longest body that is kept as it is, in bytes. */
const LONGEST_KEPT = 16 * 1024;

/** How much of a longer body is kept, in bytes. */
const BEGINNING = 4 * 1024;

/** The longest text in a message, in characters. */
const LONGEST_TEXT = 100;

/** How much of a body shows whether it is a page, in bytes. */
const START_OF_PAGE = 100;

/** The longest that a deployment may ask to wait, in ms. */
export const LONGEST_WAIT = 60_000;

/** The one 5xx that is no server fault: Insufficient Storage. */
export const FULL = 507;

export class Exchange {
  readonly request: SuiteRequest;
  readonly response: SuiteResponse | undefined;
  readonly failure: TransportFailure | undefined;
  readonly traceId: string | undefined;
  /** What the response has to keep to. */
  readonly contract: Contract;
  /** When the request was sent, in ms since the run began. */
  readonly at: number;
  readonly ms: number;
  /** Its place in the order in which the requests of the run were sent. */
  readonly number: number;
  /**
   * The body of the response, or undefined if it is not JSON. Of a long body only known fields are kept, and of a long
   * string its beginning, its length and its hash.
   */
  readonly json: ExactJson | undefined;
  /** Why a complete body is no JSON. */
  readonly noJson: string | undefined;
  /** The object in the body of the request, or an empty one. */
  readonly sent: JsonObject;
  readonly animals: readonly JsonObject[];
  /** What the request asks: the same text is the same question. */
  readonly question: string;
  /** The id in the path. */
  readonly requestedId: bigint | undefined;
  readonly isList: boolean;
  readonly #secrets: Secrets;

  constructor(
    request: SuiteRequest,
    { response, failure, traceId }: Sent,
    secrets: Secrets & Partial<Pick<Target, 'contract'>>,
    at: number,
    ms: number,
    number: number,
  ) {
    this.#secrets = secrets;
    this.contract = secrets.contract ?? loadContract();
    this.request = request;
    this.response = response;
    this.failure = failure;
    this.traceId = traceId;
    this.at = at;
    this.ms = ms;
    this.number = number;
    const { method, path, headers, body = '' } = request;
    this.question = [method, path, JSON.stringify(headers), body].join(' ');
    this.sent = readSent(request, secrets);
    // The rest of a body that is not complete may look like JSON.
    this.json =
      response === undefined || failure !== undefined ? undefined : readJson(response.body, secrets);
    const isRead = failure === undefined || failure.kind === 'message';
    const isNoJson = response !== undefined && isRead && this.json === undefined;
    this.noJson = isNoJson ? findNoJsonReason(response.body) : undefined;
    if (response !== undefined && response.body.length > LONGEST_KEPT) {
      const { body } = response;
      const beginning = redactAndCut(body.toString('latin1'), BEGINNING, secrets);
      this.response = { ...response, body: Buffer.from(beginning, 'latin1'), length: body.length };
      this.json = this.json && pickFields(this.json, listKnownMembers(this.contract));
    }
    const [, id] = /^\/pets\/(-?\d+)$/.exec(path) ?? [];
    this.requestedId = id === undefined ? undefined : BigInt(id);
    const isOfLists = method === 'GET' && /^\/pets(?:\?|$)/.test(path);
    this.isList = isOfLists && response?.status === 200 && Array.isArray(this.json);
    this.animals = this.isList ? (this.json as readonly ExactJson[]).filter(isJsonObject) : [];
  }

  /** Shortens a string of the exchange for a message, and redacts its keys if it is cut. @param longest in characters */
  shorten(text: string, longest: number = LONGEST_TEXT): string {
    return text.length > longest ? `${redactAndCut(text, longest, this.#secrets)}…` : text;
  }

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

  /** True for a page that a gateway returns with 503 for an absent service, or for a limited rate. */
  get isPageFor503(): boolean {
    return this.status === 503 && this.isPage && !this.asksToWait;
  }

  /** True if the response may be of a limited rate. */
  get isTooMany(): boolean {
    return this.asksToWait || (this.isPageFor503 && this.response?.isAtAnyRate !== true);
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

  /** True if the body has what no gateway sends: the members of an Error that a program reads. */
  get hasError(): boolean {
    return typeof this.object?.code === 'string' && typeof this.object.status === 'bigint';
  }

  /** True for the response of a gateway that cannot reach the deployment: its body is no Error. */
  get isUnreached(): boolean {
    if (this.isPageFor503) return !this.isTooMany;
    return [502, 504].includes(this.status) && !this.hasError;
  }

  /** True for an Error that refuses an animal whatever its body is: the store is full, or the key may add none. */
  get isRefusedAsFull(): boolean {
    return ([402, 403, 409, FULL].includes(this.status) || this.isOverQuota) && this.hasError;
  }

  get outcome(): string {
    return this.response === undefined ? `no answer (${this.failure?.reason})` : String(this.status);
  }

  /** The words of a 5xx that stay the same, by which two causes differ. Empty without a response of the service. */
  get words(): string {
    const { response, json, request, isPage, status } = this;
    const isOfGateway = isPage && [502, 503, 504].includes(status);
    if (response === undefined || isOfGateway || status < 500) return '';
    const words = findWords(json, String(response.body), request, (text, longest) =>
      this.shorten(text, longest),
    );
    return this.shorten(words);
  }

  /** What the body is. Undefined if it is not complete. */
  get shape(): Shape | undefined {
    const { response, failure, json } = this;
    if (response === undefined || failure !== undefined) return undefined;
    if (json !== undefined) return findShape(json, (text) => this.shorten(text));
    return response.body.length === 0
      ? { is: 'empty' }
      : { is: 'text', text: this.shorten(`${response.body}`) };
  }

  /** The title of a page. */
  get title(): string | undefined {
    const [, title] = /<title[^>]*>\s*(.*?)\s*<\/title/is.exec(String(this.response?.body ?? '')) ?? [];
    return title;
  }

  /** True if the service may have carried a request out, and its response did not arrive. */
  get isUncertain(): boolean {
    // With 503 a gateway says that it has not passed the request on.
    return (this.isUnreached && this.status !== 503) || this.isCut || this.isUnanswered;
  }

  get isUnanswered(): boolean {
    return this.failure?.kind === 'timeout';
  }

  /** True if the deployment refused the connection, or a forward proxy failed: it never received the request. */
  get isRefused(): boolean {
    return this.failure?.kind === 'refused' || this.failure?.kind === 'proxy';
  }

  /** True if the connection was cut before the response was complete. */
  get isCut(): boolean {
    return this.failure?.kind === 'cut' || this.failure?.kind === 'body ended';
  }
}

/** Returns the object in the body of a request, or an empty one. */
export function readSent({ body = '' }: Partial<Pick<SuiteRequest, 'body'>>, secrets: Secrets): JsonObject {
  const sent = body === '' ? undefined : readJson(body, secrets);
  return sent !== undefined && isJsonObject(sent) ? sent : {};
}

/** Returns whether a request may add an animal: a deployment may accept an invalid one too. */
export function mayAddAnimal(request: Pick<SuiteRequest, 'method' | 'path'>): boolean {
  return request.method === 'POST' && request.path.replace(/\?.*/s, '') === '/pets';
}

/** Returns whether a request to the target has the valid key. */
export function hasValidKey(
  { request }: Pick<Exchange, 'request'>,
  { baseUrl }: Pick<Target, 'baseUrl'>,
): boolean {
  return request.base === baseUrl && request.isAuthorized === true;
}

/** Returns the operation of a request, such as `GET /pets/{petId}`. */
export function toOperation({ method, path }: Pick<SuiteRequest, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*/s, '').replace(/^\/pets\/.*/s, '/pets/{petId}')}`;
}

/** Returns whether a request only reads, by its method. Source: RFC 9110 section 9.2.1 */
export function isReading({ method }: Pick<SuiteRequest, 'method'>): boolean {
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
export function isPathDecodable({ path }: Pick<SuiteRequest, 'path'>): boolean {
  const [place = ''] = path.split('?');
  return isDecodable(place) && !place.includes('%00');
}

/** Returns whether a header value is ASCII: HTTP servers may refuse other values before the service sees them. */
export function isAscii(value = ''): boolean {
  return !/[^\0-\x7f]/.test(value);
}
