import { type ErrorCode, errorStatuses, printError } from './errors.ts';
import type { ExactJson } from './exact-json.ts';
import { createReply, type Reply } from './reply.ts';

/** A failure that the client is told of. `message` is for people; `headers` go with the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The reply with the `Error` body. */
  readonly reply: Reply;

  constructor(code: ErrorCode, message: string, headers: Reply['headers'] = {}) {
    super(message);
    this.code = code;
    this.reply = createReply(errorStatuses[code], printError(code, message), headers);
  }
}

const LONGEST = 40;

/** Names a JSON value for an error message, in a few words whatever its size. */
export function describeValue(value: ExactJson): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return describeNumber(value);
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}

/** A number that is not a bigint has a fraction, or very many digits; rounded, it could look like an integer. */
function describeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'a number far too large';
  return Number.isInteger(value) ? 'a number with a fraction' : String(value);
}
