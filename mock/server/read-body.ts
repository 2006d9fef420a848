import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import express from 'express';
import { invalidRequest } from '../../common/http/api-error.ts';
import { tooLarge } from '../session/call.ts';

/** Creates the function that reads bodies of any media type, up to a limit in bytes. It throws an ApiError. */
export function createReadBody(limit: number) {
  const read = promisify(express.raw({ type: () => true, limit }));
  return async (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => {
    await read(request, response).catch((error) => {
      throw toApiError(error, limit);
    });
    // Without instanceof: in a test with jsdom the global Uint8Array is another one than that of Node's Buffer.
    return ArrayBuffer.isView(request.body) ? (request.body as Uint8Array) : new Uint8Array();
  };
}

function toApiError(error: Error & { status?: number }, limit: number): Error {
  const { status = 500, message } = error;
  if (status === 413) return tooLarge(limit);
  return status >= 500 ? error : invalidRequest(`The request could not be read: ${message}.`);
}
