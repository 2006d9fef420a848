import { hasBody } from '../http/headers.ts';
import { findSecrets, isKeyHeader, redactParameters } from '../text/find-keys.ts';
import { type Keys, REDACTED, redact } from '../text/redact.ts';
import type { OperationName } from './operation-name.ts';

/** Which of the known keys a request has, by their order; `unknown` for another one, `none` without an Authorization header. */
export type KeyName = `key ${number}` | 'unknown' | 'none';

/** A request, from its arrival on. Keys and cookies are redacted. */
export interface JournalEntry {
  /** Larger than the id of every earlier request. */
  readonly id: number;
  /** Time of arrival. */
  readonly time: Date;
  /** Undefined if the request is for no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** Path and query as sent. In a session the path starts after the name of the session. */
  readonly url: string;
  /** Headers by lower-case name. Several values of a header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Which key the request had, by the order of the API keys at its arrival; `unknown` for another one, `none` without an
   * Authorization header. Undefined in the console of a proxy.
   */
  readonly key: KeyName | undefined;
  /** True if the request came through a checked proxy. */
  readonly isChecked: boolean;
  /** Up to 65,536 characters; undefined without a body, before it was read, or if it was not read because the key was refused. */
  readonly body: string | undefined;
  readonly bodyState: BodyState | undefined;
  /** Status of the response; undefined while the request waits, if the connection was broken, or if the client went away. */
  readonly status: number | undefined;
  /** Code of the Error in the response, or of what a fault did to the response, such as `response_lost`. */
  readonly error: string | undefined;
  /** Id of the fault that replaced or broke the response. Undefined for others, and if the request asked for a failure itself. */
  readonly fault: number | undefined;
  /** Advice about the error, or about the cookies of a page, which the response does not have. */
  readonly hint: string | undefined;
  /** Time until the response, in milliseconds; undefined while the request waits for its response. */
  readonly ms: number | undefined;
  readonly answer: JournalAnswer | undefined;
}

export interface JournalAnswer {
  /** Headers by name as sent, without headers that Node and CORS add. */
  readonly headers: Readonly<Record<string, string>>;
  /** Up to 65,536 characters; undefined without a body. */
  readonly body: string | undefined;
  readonly bodyState: BodyState | undefined;
  /** Status of the upstream response, if the proxy sent another status to the client. */
  readonly status?: number;
}

/** How a body in the journal differs from the sent one. `decoded`: without its content coding. */
export type BodyState = 'cut' | 'not kept' | 'decoded' | 'not text';
type BodyText = Pick<JournalEntry, 'body' | 'bodyState'>;

/** A request as a server records it, with its keys. The journal sets the id. */
export interface RecordedRequest extends Omit<JournalEntry, 'id' | 'headers' | 'answer'> {
  id: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly answer: RecordedAnswer | undefined;
  /** Remote port, and number of the request on its connection, such as `50312/3`. */
  readonly sentAs?: string | undefined;
  /** False until the body was read, or the request has ended without that. */
  readonly isReceived: boolean;
}

export interface RecordedAnswer extends Partial<Omit<JournalAnswer, 'headers'>> {
  readonly headers: RecordedRequest['headers'];
}

/** Maximum length of a body in the journal, in characters. */
export const LONGEST_SHOWN = 65_536;

/** Number of bytes that are kept in addition and never shown: they may begin with half a key, which nothing could recognize. */
const MARGIN = 4_096;

/** Returns the body of a message for the journal. @param coding Its Content-Encoding. */
export function keepBody(bytes: Uint8Array | undefined, coding = 'identity'): BodyText {
  if (bytes === undefined || bytes.length === 0) return { body: undefined, bodyState: undefined };
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    bytes.subarray(0, LONGEST_SHOWN + MARGIN),
  );
  if (bytes.length > LONGEST_SHOWN) return { body, bodyState: 'cut' };
  if (body.includes('\ufffd')) return { body, bodyState: 'not text' };
  return { body, bodyState: /^(?:identity)?$/i.test(coding.trim()) ? undefined : 'decoded' };
}

/** Returns a request as programs and the console read it. */
export function redactRequest(request: RecordedRequest, keys: Keys): JournalEntry {
  const { sentAs: _, isReceived: __, ...entry } = request;
  const headers = toStrings(request.headers);
  // A wrong key may be the right one of another deployment.
  const known = keys.with(findSecrets(Object.entries(headers), request.url));
  const { url, hint, body, bodyState, answer } = request;
  const received = { url, hint, headers, body, answer: answer && describeAnswer(answer, request) };
  const redacted = redact(received, known);
  const isLeftOut = body === undefined && request.ms !== undefined && hasBody(headers);
  return {
    ...entry,
    ...redacted,
    url: redactParameters(redacted.url),
    headers: redactHeaders(redacted.headers, known),
    ...(isLeftOut ? { bodyState: 'not kept' } : cutBody(redacted.body, bodyState)),
    answer: redacted.answer && {
      ...redacted.answer,
      headers: redactHeaders(redacted.answer.headers, known),
      ...cutBody(redacted.answer.body, redacted.answer.bodyState),
    },
  };
}

function describeAnswer(
  { headers, body, bodyState, status }: RecordedAnswer,
  { method, status: sentStatus }: RecordedRequest,
): JournalAnswer {
  const isOfHead = method === 'HEAD';
  return {
    headers: toStrings(headers),
    body: body === '' || isOfHead ? undefined : body,
    bodyState: isOfHead ? undefined : bodyState,
    ...(status !== undefined && status !== sentStatus && { status }),
  };
}

/** Cuts a body without keys. One that was cut before may end with half a key. */
function cutBody(redacted: string | undefined, bodyState: BodyState | undefined): BodyText {
  if (redacted === undefined) return { body: redacted, bodyState };
  const known = bodyState === 'cut' ? Math.max(0, redacted.length - MARGIN) : redacted.length;
  const body = redacted.slice(0, Math.min(known, LONGEST_SHOWN));
  return { body, bodyState: body === redacted ? bodyState : 'cut' };
}

function toStrings(headers: RecordedRequest['headers']): JournalEntry['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

function redactHeaders(headers: JournalEntry['headers'], keys: Keys): JournalEntry['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [keys.redactName(name), redactHeader(name, value)]),
  );
}

/** Redacts the value of a header by its name too. The cookie of a user is often as good as a password. */
export function redactHeader(name: string, value: string): string {
  if (/^(?:set-)?cookie$/i.test(name)) return '[cookie]';
  // These headers describe how to send a key, and contain none.
  const isDescription = /^(?:www-authenticate$|proxy-authenticate$|access-control-)/i.test(name);
  return isKeyHeader(name, value) && !isDescription ? REDACTED : redactParameters(value);
}
