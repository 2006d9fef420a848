import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../http/errors.ts';
import { redactHeader } from '../journal/journal-entry.ts';
import { readExactJson } from '../json/exact-json.ts';
import { isEmptyVariable, redactParameters } from '../text/find-keys.ts';
import { type Keys, redact } from '../text/redact.ts';
import type { KeyNames } from './key-names.ts';

type Header = readonly [name: string, value: string];

/** A message as it was on the wire, and its decoded body. */
interface SentMessage {
  readonly headers: readonly Header[];
  /** Without content codings; undefined if it was not read, or could not be decoded. */
  readonly body: Uint8Array | undefined;
}

export interface SentExchange {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Time until the response was read, in ms. */
  readonly ms: number;
  readonly request: SentMessage & { readonly method: string; readonly url: string };
  /** Undefined if there was none. */
  readonly response:
    | (SentMessage & { readonly status: number; readonly reason?: string | undefined })
    | undefined;
  /** Why there is no response; undefined if the client did not wait for it. */
  readonly failure?:
    | {
        readonly code: ErrorCode;
        readonly message: string;
        /** True if a part of a response came. */
        readonly isBroken?: boolean;
      }
    | undefined;
  /** For people: what was found, and who sent it. */
  readonly comment: string;
}

/** A body. Source: HAR 1.2, content and postData */
interface Body {
  readonly mimeType: string;
  readonly text?: string;
  readonly encoding?: 'base64';
  /** As `encoding` of a response, which a request does not have in HAR 1.2. */
  readonly _encoding?: 'base64';
  /** True if the bytes are decoded, although the headers name a content coding and the bytes are no text. */
  readonly _isDecoded?: true;
  readonly comment?: string;
}

/** Size of headers and of bodies that are not known. Source: HAR 1.2 */
const UNKNOWN_SIZE = -1;

const NOT_RECORDED =
  'not recorded: too large, a stream of events, or in a content coding that cannot be decoded';
const NO_JSON_WITHOUT_KEY = 'not recorded: it would not be JSON without the key in it';

/**
 * Creates the entry of an exchange, without keys: an element of `log.entries`, where the members that begin with `_` are ours. Source:
 * HAR 1.2, entries
 * @param names of the keys in Authorization, in the whole file
 */
export function createHarEntry(exchange: SentExchange, keys: Keys, names: KeyNames) {
  const { request, response, failure, comment } = redact(exchange, keys);
  const { startedAt, ms } = exchange;
  const url = redactParameters(request.url);
  const sent = createBody(request, keys);
  const answered = response && createBody(response, keys);
  const { encoding, ...postData } = sent.body;
  const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: ms,
    request: {
      method: exchange.request.method,
      url,
      ...describeMessage(exchange.request.headers, sent.size, keys, names),
      queryString: [...new URLSearchParams(/\?(.*)/s.exec(url)?.[1])].map(([name, value]) => ({
        name,
        value,
      })),
      ...((sent.size !== 0 || '_isDecoded' in sent.body) && {
        postData: { text: '', ...postData, ...(encoding && { _encoding: encoding }) },
      }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.reason ?? STATUS_CODES[response?.status ?? 0] ?? '',
      ...describeMessage(exchange.response?.headers ?? [], answered?.size ?? 0, keys),
      content: { size: answered?.size ?? 0, ...(answered?.body ?? { mimeType: 'x-unknown' }) },
      redirectURL: redactParameters(location),
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    // Nothing was left out that was on the wire, except what `[key]` and comments say. Browsers leave out keys.
    _isWhole: true,
    ...(failure && {
      _failure: {
        code: failure.code,
        message: failure.message,
        ...(failure.isBroken && { isBroken: true }),
      },
    }),
    comment,
  };
}

/** @param headers with keys. @param names of the keys in Authorization; undefined for a response */
function describeMessage(headers: readonly Header[], bodySize: number, keys: Keys, names?: KeyNames) {
  const shown = headers.map(([name, value]) => ({
    name: keys.redactName(name),
    value:
      names !== undefined && /^authorization$/i.test(name)
        ? nameKey(value, keys, names)
        : redactHeader(name, redact(value, keys)),
  }));
  return { httpVersion: 'HTTP/1.1', cookies: [], headers: shown, headersSize: UNKNOWN_SIZE, bodySize };
}

/** Schemes of Authorization that are no part of a key. Source: IANA's registry, and what APIs call theirs */
const scheme = /^((?:basic|bearer|digest|negotiate|token|api-?key)\s+)(.*)$/is;

/** Names the key in Authorization. The scheme stays, because it may be what is wrong with a request. */
function nameKey(value: string, keys: Keys, names: KeyNames): string {
  const [, start = '', key = value] = scheme.exec(value) ?? [];
  if (key.trim() === '' || isEmptyVariable(key) || /^bearer$/i.test(key)) return value;
  const redacted = redact(key, keys);
  // The suite names the keys that it makes of the valid one.
  return start + (redacted.startsWith('<') ? redacted : names.nameOf(key));
}

interface WrittenBody {
  readonly body: Body;
  readonly size: number;
}

/**
 * Text that readers of HAR files take for another one: control and replacement characters, for which they assume lost bytes, and a byte
 * order mark, which they leave out.
 */
const UNSAFE_TEXT = /[^\P{Cc}\t\n\r]|\ufffd|^\ufeff/u;

/** @param message without keys in its headers. */
function createBody({ headers, body }: SentMessage, keys: Keys): WrittenBody {
  const readHeader = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const mimeType = readHeader('content-type') ?? 'x-unknown';
  if (body === undefined) return { body: { mimeType, comment: NOT_RECORDED }, size: UNKNOWN_SIZE };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isText = isUtf8(bytes);
  // Latin-1 has a character for each byte.
  const encoding = isText ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const redacted = redact(text, keys);
  // Most bodies have no key, and so are not parsed.
  const isBroken = redacted !== text && readExactJson(redacted) === undefined;
  if (isBroken && readExactJson(text) !== undefined)
    return { body: { mimeType, comment: NO_JSON_WITHOUT_KEY }, size: UNKNOWN_SIZE };
  const written = redacted === text ? bytes : Buffer.from(redacted, encoding);
  const isCoded = /[^\s,]/.test((readHeader('content-encoding') ?? '').replaceAll(/\bidentity\b/gi, ''));
  const isMarked = isCoded && (!isText || bytes.length === 0);
  const mark = isMarked && { _isDecoded: true as const };
  const size = written.length;
  if (isText && !UNSAFE_TEXT.test(redacted)) return { body: { mimeType, text: redacted, ...mark }, size };
  return { body: { mimeType, text: written.toString('base64'), encoding: 'base64', ...mark }, size };
}
