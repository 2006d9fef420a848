import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import express from 'express';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';

/** The largest body of a request to the service, in bytes. Source: docs/reference/unspecified.md */
export const LARGEST_BODY = 1024 * 1024;

/** Creates the function that reads bodies of any media type, up to a limit in bytes. It throws an ApiError. */
export function createReadBody(limit: number) {
  const read = promisify(express.raw({ type: () => true, limit }));
  return async (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => {
    await read(request, response).catch((error) => {
      throw toApiError(error, limit);
    });
    return request.body instanceof Uint8Array ? request.body : new Uint8Array();
  };
}

function toApiError(error: Error & { status?: number }, limit: number): Error {
  const { status = 500, message } = error;
  const size = `${limit} bytes (${limit / 2 ** 20} MiB)`;
  if (status === 413) return new ApiError('payload_too_large', `The body is larger than ${size}.`);
  return status >= 500 ? error : invalidRequest(`The request could not be read: ${message}.`);
}
