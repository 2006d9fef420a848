import type { Readable } from 'node:stream';

/** The largest body that is judged, in bytes; a larger one passes unjudged. */
export const JUDGED_LIMIT = 1024 * 1024;

/** Watches a stream that is read elsewhere; the function tells its bytes, or undefined when they are too many or not all there. */
export function watchBody(stream: Readable): () => Uint8Array | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= JUDGED_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (stream.readableEnded && size <= JUDGED_LIMIT ? Buffer.concat(chunks) : undefined);
}

/** Reads a stream until it ends or more has come than is judged; what has not been read stays in it. */
export async function readUpToLimit(stream: Readable): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > JUDGED_LIMIT) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
