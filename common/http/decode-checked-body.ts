import { hasManyValues } from '../json/count-values.ts';
import { decodeBody, listCodings } from './decode-body.ts';
import { type Headers, isJson } from './headers.ts';

/**
 * Maximum size of a body that is checked, in bytes, as it was sent and decoded. Larger bodies pass unchecked. The largest list of the
 * contract has 100 animals, and with names of 64 KiB it fits in any spelling: JSON spells a byte of a text with six bytes at most, such
 * as `\u0001`, so that the names take 37.5 MiB, and ids, statuses and names of members take far less than the rest.
 */
export const LARGEST_CHECKED_BODY = 40 * 1024 * 1024;

export interface Unchecked {
  /**
   * - `size`: it is larger than `LARGEST_CHECKED_BODY`, as it was sent or decoded
   * - `values`: its JSON has more than `MOST_VALUES` values
   * - `many codings`: it has more than `MOST_CODINGS` content codings
   * - `unknown coding` and `wrong coding`: its content coding is not known, or the bytes are not in it
   * - `not recorded` and `lost bytes`: the recorder of a HAR file left it out or cut it, or wrote bytes as a text that cannot have them
   */
  readonly reason:
    | 'size'
    | 'values'
    | 'many codings'
    | 'unknown coding'
    | 'wrong coding'
    | 'not recorded'
    | 'lost bytes';
  /** The content coding that could not be decoded, or whose decoded body is too large. */
  readonly coding?: string | undefined;
  /** Number of bytes that were received of it; absent if it was not recorded. */
  readonly size?: number;
}

export interface BodyToCheck {
  /** Without content codings; undefined if it is not checked. */
  readonly body: Uint8Array | undefined;
  /** Absent if the body is checked, and if there is no body to check. */
  readonly unchecked?: Unchecked;
}

const reasons = {
  'too many': 'many codings',
  unknown: 'unknown coding',
  wrong: 'wrong coding',
  'too long': 'size',
} as const;

/** Decodes a body that is to be checked. @param bytes all, or the first ones of a body that is too large */
export function decodeCheckedBody(bytes: Uint8Array, headers: Headers): BodyToCheck {
  const size = bytes.length;
  const fail = (unchecked: Unchecked) => ({ body: undefined, unchecked: { ...unchecked, size } });
  if (size > LARGEST_CHECKED_BODY) return fail({ reason: 'size' });
  const { body, problem, coding } = decodeBody(
    bytes,
    listCodings(headers['content-encoding']),
    LARGEST_CHECKED_BODY,
  );
  if (problem !== undefined) return fail({ reason: reasons[problem], coding });
  const hasMany = isJson(headers['content-type']) && hasManyValues(body);
  return hasMany ? fail({ reason: 'values' }) : { body };
}
