import type { Readable } from 'node:stream';

/** Number of pieces that are kept before they are joined: a piece of one byte takes several hundred bytes. */
const MOST_PIECES = 1_024;

interface ReadBytes {
  readonly bytes: Buffer;
  /** True if the stream is paused, because it has more than may be kept. */
  readonly hasRest: boolean;
  /** Why the stream broke off. */
  readonly error?: Error;
}

/** Reads a stream to its end, until it breaks off, or until it has too many bytes. @param mayKeep returns whether so many are kept */
export function readBytes(stream: Readable, mayKeep: (size: number) => boolean): Promise<ReadBytes> {
  return new Promise((resolve) => {
    let size = 0;
    let pieces: Buffer[] = [];
    const joined: Buffer[] = [];
    const finish = (hasRest: boolean, error?: Error) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      const [only = Buffer.alloc(0), ...others] = [...joined, ...pieces];
      const bytes = others.length === 0 ? only : Buffer.concat([only, ...others]);
      resolve({ bytes, hasRest, ...(error && { error }) });
    };
    const onData = (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (pieces.length === MOST_PIECES) {
        joined.push(Buffer.concat(pieces));
        pieces = [];
      }
      if (mayKeep(size)) return;
      stream.pause();
      finish(true);
    };
    const onEnd = () => finish(false);
    const onError = (error: Error) => finish(false, error);
    const onClose = () => finish(false, new Error('it was cut off'));
    // A stream that has ended or was destroyed before emits nothing more.
    if (stream.readableEnded) return onEnd();
    if (stream.destroyed) return onClose();
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose).resume();
  });
}
