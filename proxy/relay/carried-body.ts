import type { OutgoingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pairsOf, type RawHeaders, toEndToEnd } from './raw-headers.ts';

/** The largest body that is judged, in bytes; a larger one passes unjudged. */
export const JUDGED_LIMIT = 1024 * 1024;

/** A body on its way: what has been read of it, and where the rest comes from. */
export interface CarriedBody {
  readonly bytes: Buffer;
  /** Undefined when all has been read. */
  readonly rest: Readable | undefined;
  /** Those that came behind the body; complete only when the rest has been read. */
  readonly trailers: () => RawHeaders;
}

/** The body of a message that has none. */
export const noBody: CarriedBody = { bytes: Buffer.alloc(0), rest: undefined, trailers: () => [] };

/**
 * Reads a body until it ends or more has come than is judged.
 *
 * @throws what the stream ended with, when it broke off.
 */
export function readUpToLimit(stream: Readable, trailers: () => RawHeaders): Promise<CarriedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (rest: Readable | undefined) => {
      const [only = noBody.bytes, ...others] = chunks;
      resolve({ bytes: others.length === 0 ? only : Buffer.concat(chunks), rest, trailers });
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= JUDGED_LIMIT) return;
      stream.pause();
      stream.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
      finish(stream);
    };
    const onEnd = () => finish(undefined);
    const onClose = () => stream.readableEnded || reject(new Error('it was cut off'));
    stream.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose).resume();
  });
}

/**
 * Keeps what passes of a body, which does not begin to flow by this.
 *
 * @returns what tells its bytes, or undefined while they are not all there and when they are too many.
 */
export function watchBody({ bytes, rest }: CarriedBody): () => Buffer | undefined {
  if (rest === undefined) return () => bytes;
  const chunks = [bytes];
  let size = bytes.length;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= JUDGED_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  };
  rest.on('data', onData).pause();
  return () => (rest.readableEnded && size <= JUDGED_LIMIT ? Buffer.concat(chunks) : undefined);
}

/** Sends a body with its trailers and ends the message; where the body breaks off, so does the message. */
export function sendBody({ bytes, rest, trailers }: CarriedBody, message: OutgoingMessage): void {
  const end = (last?: Buffer) => {
    // Servers take those of a connection as they take headers, and the connection may be for other clients too.
    const passed = toEndToEnd(trailers(), {}, ['trailer']);
    if (passed.length > 0) message.addTrailers(pairsOf(passed));
    if (last === undefined || last.length === 0) message.end();
    else message.end(last);
  };
  if (rest === undefined || rest.readableEnded) {
    end(bytes);
    return;
  }
  if (bytes.length > 0) message.write(bytes);
  rest.pipe(message, { end: false });
  rest.once('error', (error) => message.destroy(error)).once('end', () => end());
  // The other side may hang up before it has all of it.
  message.on('error', () => {}).on('close', () => rest.unpipe(message).resume());
}
