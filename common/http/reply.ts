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

export function createReply(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  const length = encoder.encode(body).length;
  const own = { 'Content-Type': 'application/json', 'Content-Length': length, ...headers };
  return { status, headers: own, body };
}
