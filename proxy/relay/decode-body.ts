// Imported by its name, what an older Node lacks would fail before its version is checked.
import * as zlib from 'node:zlib';
import { hasManyValues } from '../../common/count-values.ts';
import type { Headers } from '../exchange.ts';
import { JUDGED_LIMIT } from './carried-body.ts';

/** How bodies are decoded; `maxOutputLength` bounds what a small body may become. */
const decoders = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};

/** The most codings one upon another; each takes its time. */
export const MOST_CODINGS = 3;

/**
 * Decodes a body of its content codings, for judging.
 *
 * @returns undefined when a coding is unknown, the body is not what it says, or more is decoded than is judged: of bytes, or
 * of JSON values.
 */
export function decodeBody(body: Uint8Array | undefined, headers: Headers): Uint8Array | undefined {
  const codings = headers['content-encoding']?.split(',').map((coding) => coding.trim().toLowerCase()) ?? [];
  if (body === undefined || codings.length > MOST_CODINGS) return undefined;
  try {
    const decoded = codings.toReversed().reduce(decode, body);
    return hasManyValues(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function decode(body: Uint8Array, coding: string): Uint8Array {
  if (coding === '' || coding === 'identity' || body.length === 0) return body;
  if (!Object.hasOwn(decoders, coding)) throw new TypeError(`There is no content coding ${coding}.`);
  return decoders[coding as keyof typeof decoders](body, { maxOutputLength: JUDGED_LIMIT });
}
