import type { BodyToCheck } from '../http/decode-checked-body.ts';
import { type ErrorCode, errorStatuses } from '../http/errors.ts';
import { type Headers, isEventStream, toHeaders } from '../http/headers.ts';
import { toOriginForm } from '../http/to-origin-form.ts';
import type { Entry } from './read-entries.ts';
import {
  type BodyRecord,
  emptyBody,
  type RecordedPart,
  readRecordedBody,
  toPart,
} from './read-recorded-body.ts';

/** The parts of a recorded URL. `path` is under the base path, and `query` has no question mark. */
type Address = NonNullable<ReturnType<typeof findAddress>>;

/** Returns the base path; every base URL ends with /v1. Source: openapi.yaml#/servers */
export function basePathOf(baseUrl: URL | undefined): string {
  return (baseUrl?.pathname ?? '/v1').replace(/\/+$/, '');
}

/** Splits a recorded URL. @returns undefined if it is not a URL of HTTP */
export function findAddress(url: string, baseUrl: URL | undefined) {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin === undefined || (protocol !== 'http:' && protocol !== 'https:')) return undefined;
  const basePath = basePathOf(baseUrl);
  const target = toOriginForm(url.replace(/#.*$/s, ''));
  const [, whole = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const isOfService =
    (baseUrl === undefined || baseUrl.origin === origin) &&
    (whole === basePath || whole.startsWith(`${basePath}/`));
  return { origin, target, path: whole.slice(basePath.length), query, isOfService };
}

/** Replaces a key that was sent and not recorded. */
const UNKNOWN_KEY = 'Bearer key';

/** Text that recorders, and tools that clean their files, write instead of a key. */
const REMOVED =
  /^(?:[a-z]{1,10} )?[\W_]{0,100}(?:redacted|removed|hidden|masked|filtered|sanitized)?[\W_]{0,100}$/i;

/** Returns whether the browser's cache or a service worker answered instead of the service. */
export function isFromCache({ _fromCache, response }: Entry): boolean {
  const { _fetchedViaServiceWorker: isByWorker, _serviceWorkerResponseSource: source } = toPart(response);
  return typeof _fromCache === 'string' || (isByWorker === true && source !== 'network');
}

/**
 * Turns an entry into an exchange. It has no response if the browser blocked or cancelled the request.
 *
 * @param har path of the HAR file.
 * @returns `isKeyAssumed` is true if the key is not in the file, `isWhole` if nothing but keys was left out, and `failure` says then
 * why there is no response.
 */
export function readExchange(entry: Entry, { target, path, query }: Address, har: string) {
  const { method, postData, bodySize } = entry.request;
  const response = toPart(entry.response);
  const content = toPart(response.content);
  const status = Number(response.status);
  const answered = readHeaders(response);
  const sent = readHeaders(entry.request);
  const sending = { part: toPart(postData), size: bodySize, headers: sent, isEmpty: !postData };
  const sentBody = readRecordedBody(sending, har);
  const isWhole = entry._isWhole === true;
  const { headers, isKeyAssumed } = isWhole
    ? { headers: sent, isKeyAssumed: false }
    : completeHeaders(sent, sentBody.body, status);
  const request = { method, target, path, query, headers, ...sentBody };
  // 0 and -1 mean no response, and below 200 is no final one.
  if (!(status >= 200)) {
    const none = { request, response: undefined, isKeyAssumed: false };
    return { ...none, isWhole, failure: readFailure(entry) };
  }
  const answering = { part: content, size: content.size, headers: answered, isEmpty: content.text === '' };
  const answeredBody = readAnswer(method, status, answering, har);
  return {
    request,
    response: { status, headers: answered, ...answeredBody },
    isKeyAssumed,
    isWhole,
    failure: undefined,
  };
}

interface RecordedFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly isBroken: boolean;
}

/** Reads why a proxy or a suite of ours got no response. */
function readFailure({ _failure }: Entry): RecordedFailure | undefined {
  const { code, message, isBroken } = toPart(_failure);
  const isKnown = typeof code === 'string' && Object.hasOwn(errorStatuses, code);
  return isKnown
    ? { code: code as ErrorCode, message: String(message), isBroken: isBroken === true }
    : undefined;
}

/** Reads the body of a response. HEAD and events have none to check. */
function readAnswer(method: string, status: number, record: BodyRecord, har: string): BodyToCheck {
  if (method === 'HEAD' || isEventStream(record.headers)) return { body: undefined };
  return status === 204 || status === 304 ? emptyBody : readRecordedBody(record, har);
}

/** Adds headers that were sent and that recorders leave out. */
function completeHeaders(sent: Headers, body: Uint8Array | undefined, status: number) {
  const { authorization, 'content-length': length, 'transfer-encoding': coding } = sent;
  const isKeyRecorded = authorization !== undefined && !REMOVED.test(authorization);
  const isMissing = authorization === undefined && status === 401;
  const isKeyAssumed = !isKeyRecorded && !isMissing;
  const headers = {
    ...sent,
    ...(isKeyAssumed && { authorization: UNKNOWN_KEY }),
    // Only the length indicates a body, and HTTP/2 has none.
    ...(body?.length && !length && !coding && { 'content-length': String(body.length) }),
  };
  return { headers, isKeyAssumed };
}

/** Reads headers without pseudo-headers of HTTP/2. */
export function readHeaders({ headers }: RecordedPart): Headers {
  const raw = (Array.isArray(headers) ? headers : []).flatMap((header) => {
    const { name, value } = toPart(header);
    const isHeader = typeof name === 'string' && typeof value === 'string' && !name.startsWith(':');
    return isHeader ? [name, value] : [];
  });
  return toHeaders(raw);
}
