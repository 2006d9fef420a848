import { createReply, type Reply } from './reply.ts';

/** Every code that the mock answers with, and its HTTP status. Source: decisions/what-the-specification-leaves-open.md */
export const errorStatuses = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  internal_error: 500,
} as const;

/** The machine-readable part of an error. */
export type ErrorCode = keyof typeof errorStatuses;

/** A failure that the client is told of. `message` is for people; `headers` go with the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The reply with the `Error` body. Source: openapi.yaml#/components/schemas/Error */
  readonly reply: Reply;

  constructor(code: ErrorCode, message: string, headers: Reply['headers'] = {}) {
    super(message);
    this.code = code;
    const status = errorStatuses[code];
    this.reply = createReply(status, JSON.stringify({ code, message, status }), headers);
  }
}
