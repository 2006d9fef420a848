import type { ErrorKind } from './error-kinds.ts';
import { type ErrorCode, errorStatuses, printError } from './errors.ts';
import { createReply, type Reply, type ReplyError } from './reply.ts';

export interface MemberProblem {
  readonly member: string;
  /** Sentence that begins with the member. */
  readonly message: string;
}

/** A failure that is reported to the client. `message` is for people; `headers` go with the response, `hint` only into the log and the journal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Reply['headers'];
  readonly hint: string | undefined;
  kind: ErrorKind | undefined;
  /** The members that are wrong, if the error is about members of a value. */
  problems: readonly MemberProblem[] = [];

  constructor(code: ErrorCode, message: string, headers: Reply['headers'] = {}, hint?: string) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.hint = hint;
  }

  /** Adds what was refused, where a deployment may have a code of its own. */
  ofKind(kind: ErrorKind | undefined): this {
    this.kind = kind;
    return this;
  }

  get status(): number {
    return errorStatuses[this.code];
  }

  get error(): ReplyError {
    const { code, message, kind, hint } = this;
    return { code, message, kind, hint };
  }

  get reply(): Reply {
    const { code, message, status, headers, error } = this;
    return { ...createReply(status, printError(code, message), headers), error };
  }
}

export function invalidRequest(message: string): ApiError {
  // A suggestion ends with its own punctuation.
  return new ApiError('invalid_request', message.replaceAll(/(Did you mean [^?]+\?)\./g, '$1'));
}

const LONGEST = 40;

/** Returns a name such as `Object`, `RegExp` or `Null`, in whatever realm: a test runner has its own `Object`. */
export function nameType(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Describes a value of a program or of JSON. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null)
    return nameType(value) === 'Object' ? 'an object' : `a ${nameType(value)}`;
  // Only whole keys are redacted, so a string is not cut.
  if (typeof value === 'string')
    return value.length <= LONGEST ? JSON.stringify(value) : `a string of ${value.length} characters`;
  const text = String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
