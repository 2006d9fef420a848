import { UsageError } from '../../common/cli/usage-error.ts';
import { type Entry, HarError, readEntries } from '../../common/har/read-entries.ts';
import { findAddress, isFromCache, readExchange } from '../../common/har/read-exchange.ts';
import type { Headers } from '../../common/http/headers.ts';
import { isPreflight } from '../../common/http/headers.ts';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  readExactJson,
} from '../../common/json/exact-json.ts';

/** A recorded request with its response. */
export interface Seen {
  readonly method: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The object in the body of the request, or an empty one. */
  readonly sent: JsonObject;
  /** True if the recorder may have left out the key, so that nobody knows which key a 401 is about. */
  readonly isKeyUnknown: boolean;
  /** When it was sent and when its response was read, in ms. Infinite if that is unknown. */
  readonly at: number;
  readonly end: number;
  readonly status: number;
  readonly received: Headers;
  /** Undefined if it was not recorded. */
  readonly text: string | undefined;
  /** The body of the response, or undefined if it is not JSON. */
  readonly json: ExactJson | undefined;
}

/** The exchanges of a recording with one service, in the order in which they were sent. */
export interface Recording {
  readonly baseUrl: string;
  readonly exchanges: readonly Seen[];
  /** The keys that the service accepted, as far as the recording shows keys. */
  readonly apiKeys: readonly string[];
}

const MOST_ADDRESSES = 5;

export function isRecording(path: string): boolean {
  return /\.har$/i.test(path);
}

/** @throws UsageError for a recording in a file with another name */
export function expectNoRecording(value: ExactJson, file: string): void {
  const log = isJsonObject(value) ? value.log : undefined;
  if (log !== undefined && isJsonObject(log) && Array.isArray(log.entries))
    throw new UsageError(`${file} is a HAR file. Give it a name that ends with .har.`);
}

/** Reads a HAR file. @throws HarError if it is not one, or has no exchange with the service */
export async function readRecording(file: string): Promise<Recording> {
  try {
    const entries = await readEntries(file);
    const baseUrl = findBaseUrl(entries);
    if (baseUrl === undefined) throw new HarError(describeNothing(entries));
    const exchanges = readExchanges(entries, baseUrl, file);
    if (exchanges.length === 0) throw new HarError(`has no response of ${baseUrl.href}`);
    return { baseUrl: baseUrl.href.replace(/\/$/, ''), exchanges, apiKeys: findKeys(exchanges) };
  } catch (error) {
    throw error instanceof HarError ? new HarError(`${file} ${error.message}`) : error;
  }
}

/** Returns the address before `/pets` that answers most often with JSON: the app may have a page there too. */
function findBaseUrl(entries: readonly Entry[]): URL | undefined {
  const counts = new Map<string, number>();
  for (const { request, response } of entries) {
    const [, base] = /^(https?:\/\/[^?#]*?)\/pets(?:\/[^/?#]*)?(?:[?#]|$)/i.exec(request.url) ?? [];
    const { content } = (response ?? {}) as { readonly content?: { readonly mimeType?: unknown } };
    if (base !== undefined && /json/i.test(String(content?.mimeType)))
      counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  const url = most && URL.parse(most[0]);
  // A name and a password may be in a URL, and nobody should read them.
  return url ? new URL(`${url.origin}${url.pathname}`) : undefined;
}

function describeNothing(entries: readonly Entry[]): string {
  const origins = new Set(
    entries.flatMap(({ request }) => findAddress(request.url, undefined)?.origin ?? []),
  );
  const found = [...origins].slice(0, MOST_ADDRESSES).join(', ');
  const addresses = found === '' ? '' : ` Addresses in the file: ${found}.`;
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  return `has ${count}, and none is a JSON response at an address that ends with /pets or /pets/{petId}.${addresses}`;
}

type Read = ReturnType<typeof readExchange> & { readonly request: { readonly headers: Headers } };

function readExchanges(entries: readonly Entry[], baseUrl: URL, file: string): Seen[] {
  const exchanges: Seen[] = [];
  for (const [index, entry] of entries.entries()) {
    const address = findAddress(entry.request.url, baseUrl);
    if (!address?.isOfService || isFromCache(entry)) continue;
    const { request, response, isKeyAssumed, isWhole }: Read = readExchange(entry, address, file);
    if (response === undefined || isPreflight(request) || isOtherFile(address.path, baseUrl)) continue;
    // Whatever the browser had kept, the service has not said it here.
    if (response.status === 304 && request.headers['if-none-match'] === undefined) continue;
    // How large a body may be, what reads it decides, and no choice.
    if (response.status === 413) continue;
    const text = response.body && new TextDecoder().decode(response.body);
    const body = request.body ?? new Uint8Array();
    const sent = readExactJson(body);
    const path = `${address.path}${address.target.includes('?') ? `?${address.query}` : ''}`;
    exchanges.push({
      method: request.method,
      path,
      headers: withKey(request.headers, isKeyAssumed, response.status),
      body,
      sent: sent !== undefined && isJsonObject(sent) ? sent : {},
      isKeyUnknown: !isWhole && response.status === 401,
      ...timesOf(entry, index),
      status: response.status,
      received: response.headers,
      text,
      json: text === undefined ? undefined : readExactJson(text),
    });
  }
  return exchanges.toSorted((one, other) => one.at - other.at);
}

/** Returns whether a file of the app is meant: without a base path, everything of the origin is under the base URL. */
function isOtherFile(path: string, baseUrl: URL): boolean {
  return baseUrl.pathname === '/' && !/^\/pets(?:\/|$)/.test(path);
}

/** A key that was left out was valid unless the service refused it. */
function withKey(headers: Headers, isKeyAssumed: boolean, status: number): Headers {
  if (!isKeyAssumed || status !== 401) return headers;
  return { ...headers, authorization: 'Bearer wrong' };
}

/** Without times, the order of the file is known, and nothing about what happened at the same time. */
function timesOf({ startedDateTime, time }: Entry, index: number): { at: number; end: number } {
  const at = Date.parse(String(startedDateTime));
  if (Number.isNaN(at)) return { at: index, end: Number.POSITIVE_INFINITY };
  const isKnown = typeof time === 'number' && time >= 0;
  return { at, end: isKnown ? at + time : Number.POSITIVE_INFINITY };
}

/** Finds the keys with which the service has answered something else than 401. Recorders write another text for each key. */
function findKeys(exchanges: readonly Seen[]): string[] {
  const accepted = exchanges.flatMap(({ path, headers, status }) => {
    const [, key] = /^bearer +(\S.*)$/i.exec(headers.authorization ?? '') ?? [];
    return key !== undefined && status >= 200 && status < 300 && path.startsWith('/pets') ? [key] : [];
  });
  return [...new Set(accepted)];
}
