import { decodeBody as decode, listCodings } from '../../common/http/decode-body.ts';
import { hasManyValues } from '../../common/json/count-values.ts';
import type { Headers } from '../exchange.ts';
import { MAX_CHECKED_BODY } from './carried-body.ts';

/** @returns undefined if a coding is unknown or wrong, or if the decoded body has too many bytes or JSON values */
export function decodeBody(body: Uint8Array, headers: Headers): Uint8Array | undefined {
  const decoded = decode(body, listCodings(headers['content-encoding']), MAX_CHECKED_BODY);
  return decoded.problem !== undefined || hasManyValues(decoded.body) ? undefined : decoded.body;
}
