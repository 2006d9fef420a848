import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { invalidRequest } from '../../common/http/api-error.ts';
import { decodeBody } from '../../common/http/decode-body.ts';
import { readBytes } from '../../common/http/read-bytes.ts';
import { tooLarge } from '../session/call.ts';

/** Creates the function that reads bodies of any media type, up to a limit in bytes. It throws an ApiError. */
export function createReadBody(limit: number) {
  return async (request: IncomingMessage): Promise<Uint8Array> => {
    const { bytes, hasRest, error } = await readBytes(request, (size) => size <= limit);
    if (error !== undefined) throw unreadable(error.message);
    if (hasRest) {
      // A client that still sends would not read the response.
      await finished(request.resume()).catch(() => {});
      throw tooLarge(limit);
    }
    // One coding at most: other servers refuse lists too.
    const given = request.headers['content-encoding']?.toLowerCase() || 'identity';
    const { body, problem, coding } = decodeBody(bytes, [given], limit);
    if (problem === undefined) return body;
    if (problem === 'too long') throw tooLarge(limit);
    const isUnknown = problem === 'unknown';
    throw unreadable(isUnknown ? `unsupported content encoding "${coding}"` : `it is not in ${coding}`);
  };
}

function unreadable(reason: string): Error {
  return invalidRequest(`The request could not be read: ${reason}.`);
}
