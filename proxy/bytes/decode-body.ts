// A named import would fail in an older Node before its version is checked.
import * as zlib from 'node:zlib';
import { hasManyValues } from '../../common/json/count-values.ts';
import type { Headers } from '../exchange.ts';
import { MAX_CHECKED_BODY } from './carried-body.ts';

const decoders = new Map<string, (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', zlib.inflateSync],
  ['br', zlib.brotliDecompressSync],
  ['zstd', zlib.zstdDecompressSync],
]);

/** @returns undefined if a coding is unknown or wrong, or if the decoded body has too many bytes or JSON values */
export function decodeBody(body: Uint8Array, headers: Headers): Uint8Array | undefined {
  const codings = headers['content-encoding']?.split(',').map((coding) => coding.trim().toLowerCase()) ?? [];
  try {
    const decoded = codings.toReversed().reduce(decode, body);
    return hasManyValues(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function decode(body: Uint8Array, coding: string): Uint8Array {
  if (coding === '' || coding === 'identity' || body.length === 0) return body;
  const decoder = decoders.get(coding);
  if (decoder === undefined) throw new TypeError(`Unknown content coding ${coding}.`);
  return decoder(body, { maxOutputLength: MAX_CHECKED_BODY });
}
