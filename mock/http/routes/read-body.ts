import express, { type Request } from 'express';
import type { RequestBody } from '../../api/parse-json-object.ts';

/** The largest body that is read, in bytes. Source: decisions/what-the-specification-leaves-open.md */
export const LARGEST_BODY = 1024 * 1024;

/** Reads the body whatever its media type: what it holds is for the operation to judge. */
export const readBody = express.raw({ type: () => true, limit: LARGEST_BODY });

/** The body that `readBody` has read; Express leaves it out when there is none. */
export function bodyOf(request: Request): RequestBody {
  return { mediaType: request.headers['content-type'], bytes: request.body ?? new Uint8Array() };
}
