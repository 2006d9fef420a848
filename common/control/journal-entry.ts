import { isUtf8 } from 'node:buffer';
import { createHideKeys, findSecrets, HIDDEN, hideParameters, isKeyName } from '../hide-keys.ts';
import type { Reply } from '../reply.ts';
import { findOperation, type OperationName } from './find-operation.ts';

/** A request that was answered, or broken off. Keys are hidden in all of it, and cookies. */
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
  readonly bodyState: BodyState | undefined;
  /** The status of the answer; undefined when the connection was broken or the client went away. */
  readonly status: number | undefined;
  /** The code of the Error that it was answered with, or the drop. */
  readonly error: string | undefined;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  /** What was answered, in the mock but for headers that Node and CORS add; undefined when it was broken off. */
  readonly answer: JournalAnswer | undefined;
}

/** An answer. */
export interface JournalAnswer {
  /** By their names as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * As text, up to 64 KiB. Undefined where there was none, and for a failure that may quote a part of a key: of a request with a
   * key anywhere but where it belongs.
   */
  readonly body: string | undefined;
  readonly bodyState: BodyState | undefined;
  /** Of a deployment, where a proxy refused to hand it on; undefined where it is that of the entry. */
  readonly status?: number;
}

/** How a body is not as it was sent; `decoded` of its content coding. Undefined where it is. */
export type BodyState = 'cut' | 'not kept' | 'decoded' | 'not text';

/** A request as the server has it. Nothing is made of it before somebody asks. */
export interface RequestRecord {
  /** Given by the journal. */
  id: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly ms: number;
  readonly method: string;
  readonly url: string;
  /** Undefined where it is told by the method and the path. */
  readonly operation?: OperationName | undefined;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** Approximate bytes of the headers, if making `rawHeaders` takes longer. */
  readonly headersSize?: number;
  /** The body, or its beginning: `keepBody` makes it. */
  body: KeptBody | undefined;
  readonly status: number | undefined;
  readonly error: string | undefined;
  answer: AnswerRecord | undefined;
  /** Its redacted form, and how many keys there were then. */
  shown?: { readonly keys: number; readonly entry: JournalEntry };
  /** From which it came, where a checked proxy is beside the mock. */
  readonly port: number | undefined;
}

/** An answer as the server has it. */
export interface AnswerRecord extends Pick<Reply, 'headers' | 'body'> {
  readonly bodyState?: BodyState | undefined;
  /** What the upstream answered with, where the client got something else. */
  readonly upstreamStatus?: number | undefined;
}

/** A body as text, up to 80 KiB, whether it went on, and whether it was text. */
interface KeptBody {
  readonly text: string;
  readonly isCut: boolean;
  readonly isText: boolean;
}

/** What is kept of a body. */
export function keepBody({ buffer, byteOffset, length }: Uint8Array): KeptBody {
  const bytes = Buffer.from(buffer, byteOffset, Math.min(length, MOST_KEPT));
  const isCut = length > MOST_KEPT;
  return { text: bytes.toString(), isCut, isText: isCut || isUtf8(bytes) };
}

/** The longest body that is shown, in characters. */
export const LONGEST_SHOWN = 65_536;

/** How much more is kept, so that a key at the end of what is shown is whole when it is looked for. */
const MARGIN = 16_384;

const MOST_KEPT = LONGEST_SHOWN + MARGIN;

/** What a request was for. */
export function operationOf({
  method,
  url,
  operation,
}: Pick<RequestRecord, 'method' | 'url' | 'operation'>): OperationName | undefined {
  const end = url.indexOf('?');
  return operation ?? findOperation(method, end < 0 ? url : url.slice(0, end));
}

/** Bytes that a string takes in memory in addition to its characters. */
const STRING_OVERHEAD = 24;

/** Returns the approximate bytes that a request takes in memory. */
export function sizeOf(entry: RequestRecord): number {
  const { url, body, answer, headersSize = sizeOfTexts(entry.rawHeaders) } = entry;
  const bodies = (body?.text.length ?? 0) + (answer?.body.length ?? 0);
  return url.length + bodies + headersSize + (answer ? sizeOfHeaders(answer.headers) : 0);
}

function sizeOfTexts(texts: readonly string[]): number {
  let size = 0;
  for (const text of texts) size += STRING_OVERHEAD + text.length;
  return size;
}

/** Returns the approximate bytes that headers take in memory. */
export function sizeOfHeaders(headers: AnswerRecord['headers']): number {
  let size = 0;
  for (const name in headers) size += STRING_OVERHEAD + name.length + String(headers[name]).length;
  return size;
}

/** Drops the bodies of a request. @returns the bytes that this frees */
export function dropBodies(entry: RequestRecord): number {
  const freed = (entry.body?.text.length ?? 0) + (entry.answer?.body.length ?? 0);
  entry.body = undefined;
  if (entry.answer?.body) entry.answer = { ...entry.answer, body: '', bodyState: 'not kept' };
  delete entry.shown;
  return freed;
}

/** Requests below this size are redacted at each reading, in bytes: to keep their redacted form would take more than its text. */
const SMALL = 4_096;

/**
 * Returns a request without keys. The redacted form of a large one is kept until there are more keys.
 * @param keys Keys to hide, in addition to the keys of the request.
 */
export function showRequest(entry: RequestRecord, keys: readonly string[]): JournalEntry {
  if (entry.shown?.keys === keys.length) return entry.shown.entry;
  const shown = redact(entry, keys);
  if (sizeOf(entry) > SMALL) entry.shown = { keys: keys.length, entry: shown };
  return shown;
}

function redact(kept: RequestRecord, keys: readonly string[]): JournalEntry {
  const { id, time, ms, method, url, rawHeaders, body, status, error, answer } = kept;
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index]?.toLowerCase(), rawHeaders[index + 1]];
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  // A wrong key may be the right one of another deployment.
  const shownUrl = hideParameters(createHideKeys(keys, findSecrets(Object.entries(headers)))(url));
  const hide = createHideKeys(keys, findSecrets(Object.entries(headers), url));
  const hidden = Object.entries(headers).map(([name, value]) => [name, hide(value)] as const);
  const isMisplaced =
    body?.isCut === true ||
    [url, body?.text ?? ''].some((text) => hide(text) !== text) ||
    hidden.some(([name, value]) => !isKeyName(name) && value !== headers[name]);
  return {
    id,
    time: new Date(time),
    operation: operationOf(kept),
    method,
    url: shownUrl,
    headers: Object.fromEntries(hidden.map(hideValue)),
    ...showBody(body, headers, hide),
    status,
    error,
    ms,
    answer:
      answer &&
      showAnswer(
        method === 'HEAD' ? { ...answer, body: '', bodyState: undefined } : answer,
        error !== undefined && isMisplaced,
        hide,
      ),
  };
}

function showAnswer(
  { headers, body, bodyState, upstreamStatus }: AnswerRecord,
  isLeftOut: boolean,
  hide: (text: string) => string,
): JournalAnswer {
  const texts = Object.entries(headers).map(([name, value]) => [name, hide(String(value))]);
  const shown = isLeftOut || body === '' ? undefined : hide(body);
  const state = bodyState ?? (isLeftOut && body !== '' ? 'not kept' : undefined);
  return {
    headers: Object.fromEntries(texts.map(hideValue)),
    body: shown?.slice(0, LONGEST_SHOWN),
    bodyState: (shown?.length ?? 0) > LONGEST_SHOWN ? 'cut' : state,
    ...(upstreamStatus !== undefined && { status: upstreamStatus }),
  };
}

/** Hides what may be a secret whatever it is: who has a cookie of somebody is often taken for them. */
function hideValue([name = '', value = '']: readonly string[]): readonly [string, string] {
  if (/^(?:set-)?cookie$/i.test(name)) return [name, '[cookie]'];
  return [name, isKeyName(name) && !speaksOfKeys(name) ? HIDDEN : hideParameters(value)];
}

/** Whether a header says how to send a key, or who may, and has none. */
function speaksOfKeys(name: string): boolean {
  return /^(?:www-authenticate$|proxy-authenticate$|access-control-)/i.test(name);
}

/** Hides, then cuts: a key that was cut in two would not be found. */
function showBody(
  body: KeptBody | undefined,
  headers: Readonly<Record<string, string>>,
  hide: (text: string) => string,
): Pick<JournalEntry, 'body' | 'bodyState'> {
  if (body === undefined) {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return { body: undefined, bodyState: hasBody ? 'not kept' : undefined };
  }
  const hidden = hide(body.text);
  const shown = (body.isCut ? hidden.slice(0, -MARGIN) : hidden).slice(0, LONGEST_SHOWN);
  const isCut = shown.length < hidden.length;
  return { body: shown, bodyState: isCut ? 'cut' : stateOf(body, headers['content-encoding']) };
}

/** How a body that is kept is not as it was sent. @param coding its Content-Encoding. */
export function stateOf({ isCut, isText }: KeptBody, coding = 'identity'): BodyState | undefined {
  if (isCut) return 'cut';
  if (!isText) return 'not text';
  return /^(?:identity)?$/i.test(coding.trim()) ? undefined : 'decoded';
}
