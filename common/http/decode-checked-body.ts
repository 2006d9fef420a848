import { hasManyValues } from '../json/count-values.ts';
import { decodeBody as decode, listCodings } from './decode-body.ts';
import type { Headers } from './headers.ts';

/** Maximum size of a body that is checked, in bytes. Larger bodies pass unchecked. */
export const MAX_CHECKED_BODY = 1024 * 1024;

/** @returns undefined if a coding is unknown or wrong, or if the decoded body has too many bytes or JSON values */
export function decodeBody(body: Uint8Array, headers: Headers): Uint8Array | undefined {
  const decoded = decode(body, listCodings(headers['content-encoding']), MAX_CHECKED_BODY);
  return decoded.problem !== undefined || hasManyValues(decoded.body) ? undefined : decoded.body;
}
