import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** How bodies are decoded; `maxOutputLength` bounds what a small body may become. */
const decoders = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** The most codings one upon another; each takes its time. */
const MOST_CODINGS = 3;

/**
 * Decodes a body for judging.
 *
 * @param limit the most bytes that are wanted.
 * @returns undefined when the coding is unknown, the body is not what it says, or it is larger than the limit.
 */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  limit: number,
): Uint8Array | undefined {
  const codings = (contentEncoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.length > MOST_CODINGS) return undefined;
  try {
    return codings.toReversed().reduce((decoded, coding) => decode(decoded, coding, limit), body);
  } catch {
    return undefined;
  }
}

function decode(body: Uint8Array, coding: string, limit: number): Uint8Array {
  if (coding === '' || coding === 'identity' || body.length === 0) return body;
  if (!Object.hasOwn(decoders, coding)) throw new TypeError(`There is no content coding ${coding}.`);
  return decoders[coding as keyof typeof decoders](body, { maxOutputLength: limit });
}
