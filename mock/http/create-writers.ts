import type { Request, Response } from 'express';
import { ApiError } from '../../common/api-error.ts';
import type { Reply } from '../../common/reply.ts';

/** The largest body that is read, in bytes. Source: decisions/what-the-specification-leaves-open.md */
export const LARGEST_BODY = 1024 * 1024;

/** Writes a reply as the whole response. */
export type WriteReply = (response: Response, reply: Reply) => void;

/**
 * Creates the functions that write all responses but preflights, with the usual headers; `writeError` answers a request
 * that failed, whatever the reason, with an `Error` body. `reportFault` is told of the mock's own faults, `onAnswer` of
 * every answer.
 */
export function createWriters(
  usualHeaders: Reply['headers'],
  reportFault: (error: unknown) => void,
  onAnswer?: (response: Response, reply: Reply) => void,
) {
  const writeReply: WriteReply = (response, reply) => {
    const { status, headers, body } = reply;
    response.writeHead(status, { ...usualHeaders, ...headers });
    // Node leaves the body of an answer to HEAD out by itself.
    response.end(body);
    onAnswer?.(response, reply);
  };
  const writeError = (error: unknown, request: Request, response: Response) => {
    const apiError = toApiError(error, request);
    if (apiError.code === 'internal_error') reportFault(error);
    response.locals.errorCode = apiError.code;
    response.locals.errorMessage = apiError.message;
    writeReply(response, apiError.reply);
  };
  return { writeReply, writeError };
}

/** The failure of a request to a path at which there is nothing. */
export function nothingAt(path: string): ApiError {
  const message = `There is nothing at ${path}. The animals are at /v1/pets and /v1/pets/{petId}.`;
  return new ApiError('not_found', message);
}

/** Express and its body reader give what a client did wrong a 4xx status; all else is our fault. */
function toApiError(error: unknown, request: Request): ApiError {
  if (error instanceof ApiError) return error;
  // A path that cannot be decoded names nothing.
  if (error instanceof URIError) return nothingAt(request.path);
  const { status = 500, limit = 0, message } = error as { status?: number; limit?: number; message?: string };
  if (status === 413) {
    return new ApiError(
      'payload_too_large',
      `The body is larger than ${limit} bytes (${limit / LARGEST_BODY} MiB).`,
    );
  }
  if (status >= 400 && status < 500) {
    return new ApiError('invalid_request', `The request could not be read: ${message}.`);
  }
  return new ApiError('internal_error', 'The mock failed. Its log says how; please report it.');
}
