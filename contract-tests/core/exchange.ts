import {
  decodeUtf8,
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
} from '../../common/exact-json.ts';
import { collectGarbage } from './collect-garbage.ts';
import { digestTexts } from './digest-texts.ts';
import { hideAndCut, hideKeys, type Secrets } from './hide-keys.ts';
import { outlineJson } from './outline-json.ts';

/** A request to the deployment. */
export interface SuiteRequest {
  readonly method: string;
  /** The URL that the path is relative to: the base URL, or the origin of the quickstart. */
  readonly base: string;
  /** Path and query. */
  readonly path: string;
  /** Every header that was set; Authorization as it was sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A response of the deployment. */
export interface SuiteResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded where it is in the coding that it is said to be in; of a long one that was kept, the beginning; what came of one that was cut. */
  readonly body: Buffer;
  /** The length in bytes of a body of which only the beginning is kept. */
  readonly length?: number;
}

/** A request and its response. */
export interface Exchange {
  readonly request: SuiteRequest;
  /** Undefined when none came. */
  readonly response: SuiteResponse | undefined;
  /** Why no response came, or why its body is not whole. */
  readonly failure: string | undefined;
  /** When the request was sent, in milliseconds since the run began. */
  readonly at: number;
  /** In milliseconds. */
  readonly ms: number;
}

/** The operation of a request, as `GET /pets/{petId}`. */
export function toOperation({ method, path }: SuiteRequest): string {
  return `${method} ${path.replace(/\?.*/s, '').replace(/^\/pets\/.*/s, '/pets/{petId}')}`;
}

/** Whether a path, with its query or without, is percent-encoded UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Returns whether a path is UTF-8 without a NUL: gateways refuse another one themselves. The query may be anything. */
export function isPathDecodable({ path }: SuiteRequest): boolean {
  const ownPath = path.replace(/\?.*/s, '');
  return isDecodable(ownPath) && !ownPath.includes('%00');
}

/** Returns whether a response is a page of HTML. */
export function isPage({ response }: Exchange): boolean {
  const type = response?.headers['content-type'] ?? '';
  return /html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(String(response?.body.subarray(0, 100)));
}

/** Returns whether a response is the page of a gateway for a limited rate or an absent service. */
export function isGatewayPage(exchange: Exchange): boolean {
  return [429, 502, 503, 504].includes(exchange.response?.status ?? 0) && isPage(exchange);
}

/** Whether the value of a header is ASCII: HTTP may refuse another before the service sees it. */
export function isAscii(value = ''): boolean {
  return !/[^\0-\x7f]/.test(value);
}

/** How the failure begins of a request that was left unanswered until its time was over. */
export const NO_ANSWER = 'no answer within';

/** How the failure begins of a response whose body came in part. */
export const BODY_ENDED = 'the body ended after';

/** How the failure begins of a body that was longer than what is read. */
export const BODY_CUT = 'the body was cut after';

/** Whether a request was left unanswered until its time was over. */
export function isUnanswered({ response, failure }: Exchange): boolean {
  return response === undefined && failure?.startsWith(NO_ANSWER) === true;
}

/** Returns whether a connection was refused, so that the deployment never received the request. */
export function isRefused({ failure }: Pick<Exchange, 'failure'>): boolean {
  return failure?.includes('ECONNREFUSED') === true;
}

/** Returns whether a connection was cut before the whole response was received. */
export function isCut({ failure = '' }: Exchange): boolean {
  return failure.startsWith(BODY_ENDED) || /socket hang up|ECONNRESET|EPIPE|disconnected/.test(failure);
}

/** The longest body that is kept as it came, in bytes. */
const LONGEST_KEPT = 16 * 1024;

/** How much of a longer body is kept, in bytes. */
const BEGINNING = 4 * 1024;

/** The longest JSON text that is kept as a whole, in characters: a list of 100 animals is. */
const LONGEST_WHOLE = LONGEST_KEPT;

/** Keeps of an exchange what clauses look at: of a long body its JSON, and how it begins, without keys. */
export function keepExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const { request, response, failure } = exchange;
  secretsOf.set(request, secrets);
  if (response !== undefined) secretsOf.set(response, secrets);
  // What is not whole is no JSON, even if it looks so.
  if (response !== undefined && failure !== undefined) read.set(response, undefined);
  if (response === undefined || response.body.length <= LONGEST_KEPT) return exchange;
  const { body } = response;
  const beginning = hideAndCut(body.toString('latin1'), BEGINNING, secrets);
  const kept = { ...response, body: Buffer.from(beginning, 'latin1'), length: body.length };
  read.set(kept, failure === undefined ? parse(body, secrets) : undefined);
  collectGarbage(body.length);
  return { ...exchange, response: kept };
}

/** The keys of the run that a message belongs to. */
const secretsOf = new WeakMap<SuiteRequest | SuiteResponse, Secrets>();

const noSecrets: Secrets = { apiKey: '', headers: {} };

/** Hides keys in a text of an exchange that was kept. */
export function hideKeysIn(text: string, { request }: Exchange): string {
  return hideKeys(text, secretsOf.get(request) ?? noSecrets);
}

/** What was read before: some clauses look at every exchange of the run. */
const read = new WeakMap<SuiteRequest | SuiteResponse, ExactJson | undefined>();

/** What clauses look at of the body of a response as JSON, long texts as digests; undefined when it is not JSON. */
export function readJson({ response }: Exchange): ExactJson | undefined {
  return response && readBody(response);
}

/** The object that was answered, whatever the status; undefined when it is not an object. */
export function readObject(exchange: Exchange): JsonObject | undefined {
  const value = readJson(exchange);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** The animal that was answered with 200 or 201; undefined when there was none. */
export function readAnimal(exchange: Exchange): JsonObject | undefined {
  const status = exchange.response?.status;
  return status === 200 || status === 201 ? readObject(exchange) : undefined;
}

/** Returns whether an exchange has added an animal. */
export function isAddition({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response?.status === 201;
}

/** The id of the returned animal. */
export function idOf(exchange: Exchange): bigint | undefined {
  const id = readObject(exchange)?.id;
  return typeof id === 'bigint' ? id : undefined;
}

/** The object that was sent; an empty one when the body was not an object. */
export function readSent(request: SuiteRequest): JsonObject {
  const value = readBody(request);
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** What an exchange ended with, in a few words. */
export function outcomeOf({ response, failure }: Exchange): string {
  return response === undefined ? `no answer (${failure})` : String(response.status);
}

/** Whether an exchange ended with a 2xx. */
export function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** The longest text that is put into a message, in characters. */
const LONGEST_TEXT = 100;

/** How much of a text is looked at, when keys are hidden in it before it is cut, in characters. */
const MOST_READ = 1024 * 1024;

/** Noncharacters of Unicode, around what is to be cut. */
const [START, END] = ['\ufdd0', '\ufdd1'];

/** Asks that only the beginning of a text be shown. It is cut when keys are hidden: of half a key nobody could tell that it is one. */
export function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${START}${text.slice(0, MOST_READ)}${END}` : text;
}

/** Cuts what is to be shortened in a message, in which keys are hidden. */
export function cutShortened(message: string): string {
  const cut = (_: string, text: string) =>
    text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return message.replace(RegExp(`${START}(.*)${END}`, 's'), cut);
}

function readBody(message: SuiteRequest | SuiteResponse): ExactJson | undefined {
  if (!read.has(message)) read.set(message, parse(message.body ?? '', secretsOf.get(message)));
  return read.get(message);
}

function parse(body: Buffer | string, secrets = noSecrets): ExactJson | undefined {
  try {
    const text = typeof body === 'string' ? body : decodeUtf8(body);
    return (
      (text.length <= LONGEST_WHOLE ? parseWhole(text, secrets) : undefined) ?? parseOutline(text, secrets)
    );
  } catch {
    return undefined;
  }
}

/** @returns undefined also for JSON that is nested too deeply: perhaps where nobody looks. */
function parseWhole(text: string, secrets: Secrets): ExactJson | undefined {
  try {
    return digestTexts(parseExactJson(text), secrets);
  } catch {
    return undefined;
  }
}

function parseOutline(text: string, secrets: Secrets): ExactJson {
  // To keep integers exact takes ten times as long, and so only what is looked at is read like that.
  JSON.parse(text);
  return digestTexts(parseExactJson(outlineJson(text)), secrets);
}
