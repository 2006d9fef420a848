import { maxHeaderSize } from 'node:http';
import type { ExchangeRequest, ExchangeResponse, Headers } from '../exchange.ts';
import { isEvents } from '../relay/create-carrier.ts';
import { pairsOf, type RawHeaders, toHeaders } from '../relay/raw-headers.ts';
import { HarError } from './create-entry-splitter.ts';
import type { Address } from './find-address.ts';
import { type RecordedBody, type RecordedPart, readRecordedBody } from './read-recorded-body.ts';

/** An element of `log.entries`, as far as all entries must have it. Source: HAR 1.2, entries */
export interface Entry extends RecordedPart {
  readonly request: RecordedPart & { readonly method: string; readonly url: string };
}

/** An exchange as it was recorded. */
export interface RecordedExchange {
  readonly request: ExchangeRequest;
  /** Undefined when none came, as when the browser blocked the request or gave it up. */
  readonly response: ExchangeResponse | undefined;
  readonly bodiesNotRecorded: number;
  /** Whether its key is not in the file, and is taken to have been sent. */
  readonly isKeyAssumed: boolean;
}

/** Stands for a key that was sent and not recorded; it is too short to be taken for one. */
const UNKNOWN_KEY = 'Bearer ***';

/** What recorders, and those who clean their files, write in the place of a key; with more beside it, it may be a key. */
const REMOVED =
  /^(?:[a-z]{1,10} )?[\W_]{0,100}(?:redacted|removed|hidden|masked|filtered|sanitized)?[\W_]{0,100}$/i;

/** Parses an entry. @throws HarError when it is not JSON, or lacks what an entry must have. */
export function parseEntry(bytes: Buffer, index: number, position: number): Entry {
  const place = `log.entries[${index}]`;
  let entry: unknown;
  try {
    entry = JSON.parse(String(bytes));
  } catch {
    throw new HarError(`is not JSON: ${place}, which begins at byte ${position}, cannot be read`);
  }
  const request = toPart(toPart(entry).request);
  for (const name of ['url', 'method']) {
    if (typeof request[name] !== 'string')
      throw new HarError(`is not a HAR file: ${place}.request.${name} must be a text`);
  }
  return entry as Entry;
}

/** Whether a browser answered by itself, out of its cache or by a service worker that did not ask the service. */
export function isFromCache({ _fromCache, response }: Entry): boolean {
  const { _fetchedViaServiceWorker: isByWorker, _serviceWorkerResponseSource: source } = toPart(response);
  return typeof _fromCache === 'string' || (isByWorker === true && source !== 'network');
}

/**
 * Turns an entry into what the judge is given of an exchange that passes through the proxy.
 *
 * @param har the path of the HAR file.
 * @returns undefined when a head is larger than any that would pass.
 */
export async function readExchange(
  entry: Entry,
  { target, path, query }: Address,
  har: string,
): Promise<RecordedExchange | undefined> {
  const { method, postData, bodySize } = entry.request;
  const response = toPart(entry.response);
  const content = toPart(response.content);
  const status = Number(response.status);
  const answered = toHeaders(readHeaders(response, content));
  const part = toPart(postData);
  const sent = readHeaders(entry.request, part);
  if (measure(sent) + target.length > maxHeaderSize || measure(readHeaders(response)) > maxHeaderSize)
    return undefined;
  const sending = { part, size: bodySize, headers: toHeaders(sent), isEmpty: !postData };
  const requestBody = await readRecordedBody(sending, har);
  const { headers, isKeyAssumed } = completeHead(sent, requestBody, status);
  const request = { method, target, path, query, headers, body: requestBody.body };
  // 0 and -1 stand for no answer, and what is below 200 is no last one.
  if (!(status >= 200)) return { request, response: undefined, bodiesNotRecorded: 0, isKeyAssumed: false };
  const answering = { part: content, size: content.size, headers: answered, isEmpty: content.text === '' };
  const isBodiless = status === 204 || status === 304;
  const { body, isLeftOut } = isBodiless
    ? { body: new Uint8Array(), isLeftOut: false }
    : await readRecordedBody(answering, har);
  const isSeen = method !== 'HEAD' && !isEvents(answered);
  return {
    request,
    response: { status, headers: answered, body: isSeen ? body : undefined },
    bodiesNotRecorded: Number(requestBody.isLeftOut) + Number(isSeen && isLeftOut),
    isKeyAssumed,
  };
}

/** Adds what was on the wire, and that recorders leave out. */
function completeHead(
  sent: RawHeaders,
  { body }: RecordedBody,
  status: number,
): { headers: Headers; isKeyAssumed: boolean } {
  const { authorization, 'content-length': length, 'transfer-encoding': coding } = toHeaders(sent);
  const isKeyRecorded = authorization !== undefined && !REMOVED.test(authorization);
  // Who sent none and was told so is in the wrong.
  const isMissing = authorization === undefined && status === 401;
  const isKeyAssumed = !isKeyRecorded && !isMissing;
  const raw = isKeyAssumed ? [...without(sent, 'authorization'), 'authorization', UNKNOWN_KEY] : [...sent];
  // The length is what tells that there is a body; HTTP/2 does without.
  if (body?.length && length === undefined && coding === undefined)
    raw.push('content-length', String(body.length));
  return { headers: toHeaders(raw), isKeyAssumed };
}

/** Reads headers in their order, without those of HTTP/2's own; where no head was recorded, the media type is that of the body. */
function readHeaders({ headers }: RecordedPart, part?: RecordedPart): string[] {
  const raw = (Array.isArray(headers) ? headers : []).flatMap((header) => {
    const { name, value } = toPart(header);
    return typeof name === 'string' && typeof value === 'string' && !name.startsWith(':')
      ? [name, value]
      : [];
  });
  const { mimeType } = part ?? {};
  const isType = raw.length === 0 && typeof mimeType === 'string' && mimeType.includes('/');
  return isType ? ['content-type', mimeType] : raw;
}

function without(raw: RawHeaders, left: string): string[] {
  return pairsOf(raw)
    .filter(([name]) => name.toLowerCase() !== left)
    .flat();
}

function measure(raw: RawHeaders): number {
  return raw.reduce((sum, { length }) => sum + length, 0);
}

function toPart(value: unknown): RecordedPart {
  return typeof value === 'object' && value !== null ? (value as RecordedPart) : {};
}
