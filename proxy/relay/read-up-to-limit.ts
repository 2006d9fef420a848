import type { Readable } from 'node:stream';
import { JUDGED_LIMIT } from '../exchange.ts';

const NOTHING = Buffer.alloc(0);

/** What has come of a body. */
export interface Taken {
  readonly bytes: Buffer;
  /** Whether there is no more to come. */
  readonly isWhole: boolean;
}

/**
 * Reads a stream until it ends or more has come than is judged; what has not been read stays in it.
 *
 * @throws what the stream ended with, when it broke off.
 */
export function readUpToLimit(stream: Readable): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (isWhole: boolean) => {
      stream.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
      resolve({ bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), isWhole });
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= JUDGED_LIMIT) return;
      stream.pause();
      take(false);
    };
    const onEnd = () => take(true);
    const onClose = () => reject(new Error('it was cut off'));
    stream.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  });
}

/** Watches a stream that is read elsewhere; the function tells its bytes, or undefined when they are too many or not all there. */
export function watchBody(stream: Readable, hasBody: boolean): () => Buffer | undefined {
  if (!hasBody) return () => NOTHING;
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= JUDGED_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (stream.readableEnded && size <= JUDGED_LIMIT ? Buffer.concat(chunks) : undefined);
}
