import { findGlobal } from '../find-global.ts';
import type { ErrorKind } from './error-kinds.ts';

/** An error that the body of a reply reports. */
export interface ReplyError {
  readonly code: string;
  readonly message: string;
  /** What was refused, where a deployment may have a code of its own. */
  readonly kind?: ErrorKind | undefined;
  /** Further advice for the log, the journal and the console, which the body does not have. */
  readonly hint?: string | undefined;
}

export type Headers = Readonly<Record<string, string | number>>;

export interface Reply {
  readonly status: number;
  /** Without the headers that every response of the server has. */
  readonly headers: Headers;
  readonly body: string;
  /** The error that the body reports, for the log and the journal. */
  readonly error?: ReplyError;
}

const encoder = new (findGlobal('TextEncoder'))();

/** Returns the number of bytes of a text. Node counts them without an array; a page has no Buffer. */
const countBytes: (text: string) => number =
  globalThis.Buffer === undefined
    ? (text) => encoder.encode(text).length
    : (text) => globalThis.Buffer.byteLength(text);

export function createReply(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  const own = { 'Content-Type': 'application/json', 'Content-Length': countBytes(body), ...headers };
  return { status, headers: own, body };
}
