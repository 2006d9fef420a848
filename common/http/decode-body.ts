// A named import would fail in an older Node before its version is checked.
import * as zlib from 'node:zlib';

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Returns a decoder that refuses bytes after the end of the coding, which other readers may decode, or refuse. */
function decodeWhole(decode: Decoder): Decoder {
  return (body, options) => {
    // The types lack what `info` returns.
    const { buffer, engine } = decode(body, { ...options, info: true } as typeof options) as unknown as {
      readonly buffer: Uint8Array;
      readonly engine: { readonly bytesWritten: number };
    };
    if (engine.bytesWritten !== body.length) throw new Error('There are bytes after the end.');
    return buffer;
  };
}

/** Some servers send deflate without zlib, whose first byte has the method 8 in its lower half. */
const inflate: Decoder = (body, options) =>
  ((body[0] ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync)(body, options);

/** Source: RFC 9110, section 8.4.1, and RFC 8878 */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', decodeWhole(zlib.gunzipSync)],
  ['x-gzip', decodeWhole(zlib.gunzipSync)],
  ['deflate', decodeWhole(inflate)],
  ['br', decodeWhole(zlib.brotliDecompressSync)],
  ['zstd', decodeWhole(zlib.zstdDecompressSync)],
  ['identity', (body) => body],
]);

/** Maximum number of content codings that are decoded: each takes time, and a header has room for thousands. */
export const MOST_CODINGS = 3;

type Decoded =
  | { readonly body: Uint8Array; readonly problem?: never; readonly coding?: never }
  | { readonly body?: never; readonly problem: 'too many'; readonly coding?: never }
  | { readonly body?: never; readonly problem: 'unknown' | 'wrong' | 'too long'; readonly coding: string };

/** Lists the codings of a Content-Encoding header, in the order in which they were applied. */
export function listCodings(contentEncoding = ''): readonly string[] {
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
}

/** Decodes a body. @param codings in the order in which they were applied. @param longest of the decoded body, in bytes */
export function decodeBody(body: Uint8Array, codings: readonly string[], longest: number): Decoded {
  const taking = codings.filter((coding) => coding !== 'identity');
  if (body.length > 0 && taking.length > MOST_CODINGS) return { problem: 'too many' };
  let decoded = body;
  for (const coding of codings.toReversed()) {
    if (decoded.length === 0) break;
    const decode = decoders.get(coding);
    if (decode === undefined) return { problem: 'unknown', coding };
    try {
      decoded = decode(decoded, { maxOutputLength: longest });
    } catch (error) {
      const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return { problem: isLong ? 'too long' : 'wrong', coding };
    }
  }
  return { body: decoded };
}
