import type { IncomingMessage, OutgoingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { LARGEST_CHECKED_BODY } from '../../common/http/decode-checked-body.ts';
import { readBytes } from '../../common/http/read-bytes.ts';
import { pairsOf, toEndToEnd } from './raw-headers.ts';

/** A body that is partly read. */
export interface CarriedBody {
  readonly bytes: Buffer;
  /** The message that has the rest; undefined when all is read. */
  readonly rest?: IncomingMessage | undefined;
  /** True if the body broke off, as a fault of the mock requires: the client gets what there is. */
  readonly isCut?: boolean;
  /** The message of the trailers, which are complete only when the rest is read. */
  readonly message?: IncomingMessage | undefined;
}

/** Number of bytes that are sent at once. */
const PIECE = 64 * 1024;

export const noBody: CarriedBody = { bytes: Buffer.alloc(0) };

/**
 * Reads a body to its end, or until it is too large to be checked.
 * @param mayBreak returns the part of a body that breaks off. @throws otherwise the error of a stream that breaks off
 */
export async function readUpToLimit(message: IncomingMessage, mayBreak = false): Promise<CarriedBody> {
  const { bytes, hasRest, error } = await readBytes(message, (size) => size <= LARGEST_CHECKED_BODY);
  if (error === undefined) return { bytes, rest: hasRest ? message : undefined, message };
  if (mayBreak) return { bytes, isCut: true };
  throw error;
}

/** Sends a body with its trailers and ends the message. If the body breaks off, so does the message. */
export function sendBody({ bytes, rest, message }: CarriedBody, outgoing: OutgoingMessage): void {
  const end = (last?: Buffer) => {
    // Trailers that name the connection would end it for other clients too.
    const trailers = toEndToEnd(message?.rawTrailers ?? [], {}, ['trailer']);
    if (trailers.length > 0) outgoing.addTrailers(pairsOf(trailers));
    if (last?.length) outgoing.end(last);
    else outgoing.end();
  };
  if (bytes.length <= PIECE && (rest === undefined || rest.readableEnded)) {
    end(bytes);
    return;
  }
  // Also without bytes: this sends the headers, in Latin-1.
  outgoing.write(noBody.bytes);
  const pieces = Readable.from(split(bytes));
  pieces.once('end', () => {
    if (rest === undefined || rest.readableEnded) end();
    else rest.once('end', () => end()).pipe(outgoing, { end: false });
  });
  rest?.once('error', (error) => outgoing.destroy(error));
  outgoing
    .on('error', () => {})
    .on('close', () => {
      pieces.destroy();
      rest?.unpipe(outgoing).resume();
    });
  pieces.pipe(outgoing, { end: false });
}

/** Splits a large body: after each piece, the time begins again that the other side may take. */
function* split(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}
